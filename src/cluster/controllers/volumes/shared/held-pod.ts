/** What is held of a pod: which claims it uses, and how far it is. */
import type { Pod } from "../../../../core/types.ts";
import { identity } from "../../../../kube/index.ts";
import type { PodMeta } from "../decide/pod-claims.ts";

/** Enough for the rules of decide/pod-claims.ts. */
export function holdPod({ metadata, spec, status }: Pod): Pod {
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata as PodMeta;
  const held: PodMeta = {
    ...identity(metadata),
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    ...(deletionGracePeriodSeconds === undefined ? {} : { deletionGracePeriodSeconds }),
  };
  const volumes = (spec.volumes ?? []).filter(
    (volume) => volume.persistentVolumeClaim !== undefined || volume["ephemeral"] !== undefined,
  );
  return {
    metadata: held,
    spec: {
      ...(spec.nodeName === undefined ? {} : { nodeName: spec.nodeName }),
      volumes: volumes.map(({ name, persistentVolumeClaim }) =>
        persistentVolumeClaim === undefined ? { name, ephemeral: {} } : { name, persistentVolumeClaim },
      ),
    },
    ...(status?.phase === undefined ? {} : { status: { phase: status.phase } }),
  };
}
