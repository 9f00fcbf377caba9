/** What kube-controller-manager complains of in its log, without what it must complain of here. */

interface Expected {
  readonly error: RegExp;
  readonly why: string;
}

/** Kinds that it watches and that our server does not have. */
const NOT_SERVED = [
  "CertificateSigningRequest",
  "DeviceClass",
  "IPAddress",
  "ResourceClaim",
  "ResourceClaimTemplate",
  "ResourceSlice",
  "ServiceCIDR",
  "ValidatingAdmissionPolicy",
].join("|");

const EXPECTED: readonly Expected[] = [
  {
    error: new RegExp(`failed to list \\*v1\\.(${NOT_SERVED}): the server could not find the requested resource`),
    why: "these kinds are not there",
  },
  { error: /kube-apiserver-legacy-service-account-token-tracking\\?" not found/, why: "tokens of old are not tracked" },
  { error: /The manifest file is empty, ignoring/, why: "its own: it serves nothing here" },
  { error: /is not as new as written version/, why: "its caches are behind its own writes; it looks again" },
  {
    error: /because it is being terminated|pvc \S+ is being deleted/,
    why: "controllers go on while their namespace is deleted",
  },
  {
    error: /can't adopt ControllerRevisions: .*(has just been deleted|not found)/,
    why: "a set is deleted as it is looked at",
  },
  {
    error: /pvc_protection_controller.*not found/,
    why: "a claim is gone before its last finalizer is taken away again",
  },
  {
    error: /Operation cannot be fulfilled on .*the object has been modified/,
    why: "two controllers write one object; one looks again",
  },
];

/** The error lines that nothing in the list explains. */
export function unexpected(log: string): readonly string[] {
  const errors = log.split("\n").filter((line) => /^E\d{4} /.test(line));
  return errors.filter((line) => !EXPECTED.some(({ error }) => error.test(line)));
}
