/** What an installation can be like: everything that `outgrow manifests` and the chart let people choose. */
import packageJson from "../../../package.json" with { type: "json" };
import { OutgrowError } from "../../core/errors.ts";
import type { ExpansionSource } from "../../source/types.ts";

/**
 * How a size that somebody writes into a template becomes a wish. `policies`: in the API server, by admission policies
 * (Kubernetes 1.36 and later). `webhook`: by the controller, which the API server asks. `none`: not at all; the
 * annotation outgrow.dev/claims is the way.
 */
export type Admission = "policies" | "webhook" | "none";

export interface InstallOptions {
  readonly namespace: string;
  /** The namespace is made, and its pods held to the restricted standard; else it is there, and others may live in it. */
  readonly ownNamespace: boolean;
  readonly image: string;
  /** Where sets grow; none named: everywhere. Only there does the controller have rights, and only there sizes get in. */
  readonly watched: readonly string[];
  readonly admission: Admission;
  /** A PodMonitor, for clusters that have the Prometheus operator. */
  readonly podMonitor: boolean;
  /** Custom resources whose sizes are followed from the start. */
  readonly sources: readonly ExpansionSource[];
}

export const DEFAULTS: InstallOptions = {
  namespace: "outgrow-system",
  ownNamespace: true,
  image: `outgrow:${packageJson.version}`,
  watched: [],
  admission: "policies",
  podMonitor: false,
  sources: [],
};

/** The first release with MutatingAdmissionPolicy in a stable API. */
const POLICIES_SINCE = 36;

/** What this release of Kubernetes can do; `1.34`, `v1.36.3` and `1.33.5-eks-1` are understood. Throws `USAGE`. */
export function admissionFor(kubernetesVersion: string): Exclude<Admission, "none"> {
  const match = /^v?1\.(\d{1,3})(?:[.+-].*)?$/.exec(kubernetesVersion);
  if (match === null) {
    throw new OutgrowError(
      "USAGE",
      `${JSON.stringify(kubernetesVersion)} is not a release of Kubernetes; write it as 1.34 or v1.36.3`,
    );
  }
  return Number(match[1]) >= POLICIES_SINCE ? "policies" : "webhook";
}
