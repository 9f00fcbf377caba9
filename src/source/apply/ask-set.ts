/** What a custom resource asks of a set, written into the set's record; and taken out of it again. The set itself is never touched. */
import { SOURCE_MANAGER } from "../../core/names.ts";
import type { Wish } from "../../core/wish.ts";
import { isAlreadyExists, type KubeClient, type Ref } from "../../kube/index.ts";
import { CONTROLLER, MANAGED_BY } from "../../statefulset/apply/record.ts";
import { type Lost, writeChange } from "../../statefulset/apply/writes.ts";
import { VOLUME_EXPANSIONS, type VolumeExpansion, type VolumeExpansionSpec } from "../../statefulset/index.ts";
import { BEYOND_REPLICAS, isTold, type WishedBy } from "../decide/follow-set.ts";
import type { ExpansionSourceSpec } from "../types.ts";

export interface Asked {
  readonly by: WishedBy;
  readonly wish: Wish;
  /** Who creates the set again, and what a record gets in which nobody has said how to grow. */
  readonly source: Pick<ExpansionSourceSpec, "recreatedBy" | "rollout" | "restartPods">;
}

/**
 * The record as it says this; made, if there is none. Nothing is sent where it says so already. What people have written into it
 * stays. `lost`: look again.
 */
export async function askSet(
  client: Pick<KubeClient, "create" | "patch">,
  { namespace, name }: Ref,
  record: VolumeExpansion | undefined,
  asked: Asked,
  signal: AbortSignal,
): Promise<VolumeExpansion | Lost> {
  const spec = specOf(asked);
  if (record !== undefined && isTold(record, spec)) return record;
  if (record !== undefined) {
    const { recreatedBy: _, ...kept } = record.spec;
    const after = { ...record, spec: { ...(kept.wishedBy === undefined ? defaultsOf(asked) : {}), ...kept, ...spec } };
    return writeChange(client, VOLUME_EXPANSIONS, { before: record, after }, { fieldManager: SOURCE_MANAGER }, signal);
  }
  const made: VolumeExpansion = {
    metadata: { ...(namespace === undefined ? {} : { namespace }), name, labels: { [MANAGED_BY]: CONTROLLER } },
    spec: { statefulSetName: name, ...defaultsOf(asked), ...spec },
  };
  try {
    return await client.create(VOLUME_EXPANSIONS, made, { fieldManager: SOURCE_MANAGER }, signal);
  } catch (error) {
    if (isAlreadyExists(error)) return "lost";
    throw error;
  }
}

/** The record without what a custom resource had asked for: what has begun is finished, and nothing new begins. */
export function withdraw(
  client: Pick<KubeClient, "patch">,
  record: VolumeExpansion,
  signal: AbortSignal,
): Promise<VolumeExpansion | Lost> {
  const { claims: _, wishedBy: __, recreatedBy: ___, ...spec } = record.spec;
  const change = { before: record, after: { ...record, spec } };
  return writeChange(client, VOLUME_EXPANSIONS, change, { fieldManager: SOURCE_MANAGER }, signal);
}

function specOf({ by, wish, source }: Asked): Pick<VolumeExpansionSpec, "claims" | "wishedBy" | "recreatedBy"> {
  return {
    claims: [...wish].map(([template, size]) => ({ template, storage: size.toString() })),
    wishedBy: by,
    ...(source.recreatedBy === undefined ? {} : { recreatedBy: source.recreatedBy }),
  };
}

function defaultsOf({ source }: Asked): Partial<VolumeExpansionSpec> {
  const { rollout, restartPods } = source;
  return {
    beyondReplicas: BEYOND_REPLICAS,
    ...(rollout === undefined ? {} : { rollout }),
    ...(restartPods === undefined ? {} : { restartPods }),
  };
}
