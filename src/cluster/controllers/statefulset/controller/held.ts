/** What is held of pods and claims: what the rules look at, and no more. */
import type { ObjectMeta, PersistentVolumeClaim, Pod } from "../../../../core/types.ts";
import { identity } from "../../../../kube/index.ts";

export function holdPod({ metadata, spec, status }: Pod): Pod {
  const volumes = (spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim }) =>
    persistentVolumeClaim === undefined ? [] : [{ name, persistentVolumeClaim }],
  );
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  return {
    metadata: membership(metadata),
    spec: { volumes },
    status: {
      ...(status?.phase === undefined ? {} : { phase: status.phase }),
      ...(ready === undefined ? {} : { conditions: [ready] }),
    },
  };
}

export function holdClaim({ metadata, spec, status }: PersistentVolumeClaim): PersistentVolumeClaim {
  const { annotations } = metadata;
  return {
    metadata: { ...membership(metadata), ...(annotations === undefined ? {} : { annotations }) },
    spec,
    ...(status === undefined ? {} : { status }),
  };
}

function membership(metadata: ObjectMeta): ObjectMeta {
  const { labels, ownerReferences, deletionTimestamp } = metadata;
  return {
    ...identity(metadata),
    ...(labels === undefined ? {} : { labels }),
    ...(ownerReferences === undefined ? {} : { ownerReferences }),
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
  };
}
