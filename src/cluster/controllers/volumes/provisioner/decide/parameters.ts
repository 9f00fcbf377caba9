/** The parameters of a class: what the driver is told, and what is meant for the provisioner. */

/** Parameters under this prefix are the provisioner's, and no driver sees them. */
const RESERVED = "csi.storage.k8s.io/";
const FS_TYPE = `${RESERVED}fstype`;

/** The reserved ones that external-provisioner knows: the kind of secret they name, or the file system. */
const KNOWN: ReadonlySet<string> = new Set([
  FS_TYPE,
  ...["provisioner", "controller-publish", "node-stage", "node-publish", "controller-expand", "node-expand"].flatMap(
    (use) => [`${RESERVED}${use}-secret-name`, `${RESERVED}${use}-secret-namespace`],
  ),
]);

export type ReadClassParameters =
  | {
      readonly kind: "read";
      /** Undefined: the driver's own choice. */
      readonly fsType: string | undefined;
      readonly forDriver: Readonly<Record<string, string>>;
    }
  | { readonly kind: "refused"; readonly why: string };

/**
 * In external-provisioner's way and words. Secrets that a class names are known but not read: our drivers need none.
 */
export function readClassParameters(parameters: Readonly<Record<string, string>> = {}): ReadClassParameters {
  const unknown = Object.keys(parameters).find((key) => key.startsWith(RESERVED) && !KNOWN.has(key));
  if (unknown !== undefined) {
    return {
      kind: "refused",
      why: `found unknown parameter key ${JSON.stringify(unknown)} with reserved namespace ${RESERVED}`,
    };
  }
  const fsTypes = Object.entries(parameters).filter(([key]) => key === FS_TYPE || key.toLowerCase() === "fstype");
  if (fsTypes.length > 1) {
    return { kind: "refused", why: `fstype specified in parameters with both "fstype" and "${FS_TYPE}" keys` };
  }
  const forDriver = Object.fromEntries(Object.entries(parameters).filter(([key]) => !key.startsWith(RESERVED)));
  return { kind: "read", fsType: fsTypes[0]?.[1] || undefined, forDriver };
}
