/** What the members of a StatefulSet are called, and how they are marked as belonging to it. */
import type { KubeObject, OwnerReference, StatefulSet } from "../../../../core/types.ts";

export const POD_NAME_LABEL = "statefulset.kubernetes.io/pod-name";
export const POD_INDEX_LABEL = "apps.kubernetes.io/pod-index";
/** On a pod: the name of the revision that it was made from. */
export const REVISION_LABEL = "controller-revision-hash";

/** The largest ordinal that Kubernetes reads in a name. */
const MAX_ORDINAL = 2 ** 31 - 1;

export function podName(set: StatefulSet, ordinal: number): string {
  return `${set.metadata.name}-${ordinal}`;
}

export function claimName(set: StatefulSet, template: string, ordinal: number): string {
  return `${template}-${set.metadata.name}-${ordinal}`;
}

/** The ordinal of the pod with this name; undefined for a name that this set does not give. */
export function ordinalOf(set: StatefulSet, name: string): number | undefined {
  const prefix = `${set.metadata.name}-`;
  const digits = name.startsWith(prefix) ? name.slice(prefix.length) : "";
  if (!/^(?:0|[1-9]\d*)$/.test(digits) || Number(digits) > MAX_ORDINAL) return undefined;
  return Number(digits);
}

export type OwnerKind = "StatefulSet" | "Pod";

const API_VERSIONS: Readonly<Record<OwnerKind, string>> = { StatefulSet: "apps/v1", Pod: "v1" };

/** The reference that says: this one controls me, and does not go before I have. */
export function controllerReference(kind: OwnerKind, { metadata }: KubeObject): OwnerReference {
  return {
    apiVersion: API_VERSIONS[kind],
    kind,
    name: metadata.name,
    uid: metadata.uid ?? "",
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** Whether a reference speaks of an object of this kind and name, whichever its uid. */
export function namesOwner(reference: OwnerReference, kind: OwnerKind, { metadata }: KubeObject): boolean {
  return reference.apiVersion === API_VERSIONS[kind] && reference.kind === kind && reference.name === metadata.name;
}
