/** A StatefulSet `db` with all that belongs to it, as it was within one moment or a few. */
import type { KubeObject, PersistentVolumeClaim, Pod, StatefulSet } from "../../../src/core/types.ts";
import type { VolumeExpansion } from "../../../src/statefulset/types.ts";

export const SET = "db";
/** The field manager of whoever writes a wish. */
export const WISHER = "annotate";

export interface Look {
  readonly set: StatefulSet | undefined;
  readonly claims: readonly PersistentVolumeClaim[];
  readonly pods: readonly Pod[];
  readonly revisions: readonly KubeObject[];
  readonly record: VolumeExpansion | undefined;
}

/** What the record tells people. */
export function says({ record }: Look): readonly string[] {
  const { conditions = [], claims = [] } = record?.status ?? {};
  return [
    ...conditions.filter(({ status }) => status === "True").map(({ message = "" }) => message),
    ...claims.map(({ name, message }) => `${name}: ${message}`),
  ];
}

/** All pods are there and of the newest revision; and the set says so. */
export function isComplete({ set, pods, claims }: Look): boolean {
  if (set === undefined) return false;
  const { replicas = 1 } = set.spec;
  const { replicas: there = 0, observedGeneration = 0, updatedReplicas = 0 } = set.status ?? {};
  return (
    observedGeneration === set.metadata.generation &&
    there === replicas &&
    updatedReplicas === replicas &&
    pods.length === replicas &&
    claims.every(({ status }) => status?.phase === "Bound")
  );
}

export function isReady(look: Look): boolean {
  return isComplete(look) && look.set?.status?.readyReplicas === look.pods.length;
}
