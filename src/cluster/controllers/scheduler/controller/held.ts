/** What a scheduler holds in memory: of a pod that has its node, that node alone. */
import type { PersistentVolume, PersistentVolumeClaim } from "../../../../core/types.ts";
import { identity } from "../../../../kube/index.ts";
import { hasEnded } from "../../../../node/decide/claim-uses.ts";
import { SELECTED_NODE } from "../decide/claims.ts";
import { STANDS_FOR_ALL } from "../decide/node-selector.ts";
import type { Node, SchedulablePod } from "../decide/types.ts";

const CLAIM_ANNOTATIONS = [
  SELECTED_NODE,
  "pv.kubernetes.io/bind-completed",
  "volume.beta.kubernetes.io/storage-class",
] as const;

export function holdPod(pod: SchedulablePod): SchedulablePod | undefined {
  if (hasEnded(pod)) return undefined;
  const { metadata, spec, status } = pod;
  const { deletionTimestamp } = metadata;
  const held = { ...identity(metadata), ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }) };
  if ((spec.nodeName ?? "") !== "") return { metadata: held, spec: { nodeName: spec.nodeName ?? "" } };
  const { containers: _, ...needed } = spec as SchedulablePod["spec"] & { initContainers?: unknown };
  delete needed.initContainers;
  const { creationTimestamp } = metadata;
  return {
    metadata: { ...held, ...(creationTimestamp === undefined ? {} : { creationTimestamp }) },
    spec: needed,
    status: { conditions: status?.conditions ?? [] },
  };
}

export function holdNode({ metadata, spec }: Node): Node {
  const { labels, annotations, deletionTimestamp } = metadata;
  const standsFor = annotations?.[STANDS_FOR_ALL];
  return {
    metadata: {
      ...identity(metadata),
      ...(standsFor === undefined ? {} : { annotations: { [STANDS_FOR_ALL]: standsFor } }),
      ...(labels === undefined ? {} : { labels }),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    },
    ...(spec === undefined ? {} : { spec }),
  };
}

export function holdClaim({ metadata, spec, status }: PersistentVolumeClaim): PersistentVolumeClaim {
  const { annotations = {}, deletionTimestamp } = metadata;
  const kept = Object.entries(annotations).filter(([name]) => CLAIM_ANNOTATIONS.some((each) => each === name));
  return {
    metadata: {
      ...identity(metadata),
      ...(kept.length === 0 ? {} : { annotations: Object.fromEntries(kept) }),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    },
    spec,
    ...(status?.phase === undefined ? {} : { status: { phase: status.phase } }),
  };
}

/** Of a volume that is bound, where it can be reached; of one that is not, all that makes it fit. */
export function holdVolume({ metadata, spec, status }: PersistentVolume): PersistentVolume {
  const { capacity, accessModes, claimRef, storageClassName, volumeMode, volumeAttributesClassName, nodeAffinity } =
    spec;
  const { deletionTimestamp, labels, annotations = {} } = metadata;
  const held = {
    ...identity(metadata),
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
  };
  const affinity = nodeAffinity === undefined ? {} : { nodeAffinity };
  const reference = claimRef === undefined ? {} : { claimRef };
  if (status?.phase === "Bound") return { metadata: held, spec: { ...reference, ...affinity }, status };
  return {
    metadata: { ...held, annotations, ...(labels === undefined ? {} : { labels }) },
    spec: {
      ...(capacity === undefined ? {} : { capacity }),
      ...(accessModes === undefined ? {} : { accessModes }),
      ...reference,
      ...(storageClassName === undefined ? {} : { storageClassName }),
      ...(volumeMode === undefined ? {} : { volumeMode }),
      ...(volumeAttributesClassName === undefined ? {} : { volumeAttributesClassName }),
      ...affinity,
    },
    ...(status?.phase === undefined ? {} : { status: { phase: status.phase } }),
  };
}
