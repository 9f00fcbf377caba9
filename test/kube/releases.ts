/** What is different when the suites run on another release than the pinned one. */
import { pinnedVersion, readVersion } from "./kube-module.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The release to run on: the one that is given, else that of `OUTGROW_KUBE_VERSION`, else the pinned one. */
export function wantedVersion(version: string | undefined, env: Environment): string {
  const wanted = version ?? env["OUTGROW_KUBE_VERSION"];
  return wanted === undefined || wanted === "" ? pinnedVersion() : readVersion(wanted);
}

/** Whether the release is of this minor version or a later one: `isAtLeast("1.34.4", 32)`. */
export function isAtLeast(version: string, minor: number): boolean {
  return Number(version.split(".")[1]) >= minor;
}

/** Gates that are on in the pinned release, and that the suites rely on, where they are off unless asked for. */
export function gatesOn(version: string): Readonly<Record<string, boolean>> {
  return isAtLeast(version, 32) ? {} : { RecoverVolumeExpansionFailure: true };
}

const COMPARES = "compares the embedded cluster with the pinned release, whose rules and words it has";
const RULES = "compares our controllers with those of the pinned release, whose rules they follow";
const CLIENTS = "runs the pinned release's clients on the embedded cluster";
const EMBEDDED = "runs on the embedded cluster alone, which is the same whatever the release";
const POLICIES = "needs MutatingAdmissionPolicy in its final version, which came with 1.36";

/** Suites, or folders of them, that are meant for the pinned release only, and why. */
export const PINNED_ONLY: Readonly<Record<string, string>> = {
  "admission.test.ts": COMPARES,
  "admission-plugins": COMPARES,
  api: COMPARES,
  auth: COMPARES,
  clients: CLIENTS,
  crd: COMPARES,
  decode: COMPARES,
  "discovery.test.ts": COMPARES,
  drivers: EMBEDDED,
  housekeeping: RULES,
  install: POLICIES,
  life: EMBEDDED,
  "lifecycle.test.ts": COMPARES,
  openapi: COMPARES,
  patch: COMPARES,
  policies: POLICIES,
  "policy-engine": COMPARES,
  serving: COMPARES,
  "source-admission/embedded.test.ts": EMBEDDED,
  "statefulset-controller": RULES,
  "status.test.ts": COMPARES,
  table: COMPARES,
  "volumes-controllers": RULES,
  webhooks: COMPARES,
};

/** What of test/kube this release does not run, each with the reason. Empty for the pinned one. */
export function skippedOn(version: string): readonly { readonly suites: string; readonly why: string }[] {
  if (version === pinnedVersion()) return [];
  return Object.entries(PINNED_ONLY).map(([suites, why]) => ({ suites, why }));
}
