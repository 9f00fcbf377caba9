/** Carries a plan out: creates what is not there, and finishes what an import that was broken off has begun. */
import { createHash } from "node:crypto";
import { messageOf } from "../../../core/errors.ts";
import type { KubeObject } from "../../../core/types.ts";
import {
  defineResource,
  isAlreadyExists,
  isNotFound,
  type KubeClient,
  KubeError,
  type Resource,
  refOf,
  sleep,
  type Timers,
} from "../../../kube/index.ts";
import { discoverKinds, type Kinds } from "../../controllers/housekeeping/shared/kinds.ts";
import type { AdoptedVolume } from "../../drivers/index.ts";
import {
  type DumpedObject,
  type ImportPlan,
  identityOf,
  nameOf,
  type PreparedObject,
  type Remark,
} from "../decide/types.ts";

export interface ImportTools {
  readonly client: KubeClient;
  /** Makes a volume known to the driver that stands in. */
  readonly adopt: (volume: AdoptedVolume) => Promise<void>;
  readonly timers: Timers;
}

export interface ImportOutcome {
  /** How many were created, by kind. */
  readonly created: ReadonlyMap<string, number>;
  /** Was there before, and stays as it is. */
  readonly there: readonly string[];
  /** What the API server did not take, in its own words. */
  readonly refused: readonly Remark[];
}

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

const CONFIG_MAPS = defineResource<ConfigMap>("v1", "ConfigMap", "configmaps");
/** On a claim or volume whose status is yet to be written. */
const UNFINISHED = "outgrow.dev/import-unfinished";
const TOGETHER = 16;
const UNCHECKED = { fieldValidation: "Ignore" } as const;
const PATIENCE_MS = 30_000;

/**
 * Undefined when this very plan was carried out before: what has become of its objects since is not to be undone. Nobody may
 * be at work in the cluster yet. Rejects when the API server cannot be reached; may be begun again then.
 */
export async function importObjects(tools: ImportTools, plan: ImportPlan): Promise<ImportOutcome | undefined> {
  const { client } = tools;
  const mark = markOf(plan);
  if (await isThere(client, mark)) return undefined;
  for (const volume of plan.volumes) await tools.adopt(volume);
  const created = new Map<string, number>();
  const there: string[] = [];
  const refused: Remark[] = [];
  const uids = new Map<string, string>();
  let kinds = await discoverKinds(client);

  for (const stage of plan.stages) {
    await inParallel(stage, async (prepared) => {
      const { apiVersion, kind } = prepared.object;
      const resource = kinds.find(apiVersion, kind)?.resource;
      const what = nameOf(prepared.object);
      if (resource === undefined) {
        refused.push({ what, why: `there is no ${kind} of ${apiVersion} here` });
        return;
      }
      try {
        const isNew = await put(client, resource, prepared, uids);
        if (isNew) created.set(kind, (created.get(kind) ?? 0) + 1);
        else there.push(what);
      } catch (error) {
        if (!(error instanceof KubeError) || error.status < 400 || error.status >= 500) throw error;
        refused.push({ what, why: messageOf(error) });
      }
    });
    const definitions = stage
      .map(({ object }) => object)
      .filter(({ apiVersion, kind, metadata: { name } }) => {
        return kind === "CustomResourceDefinition" && uids.has(identityOf(apiVersion, kind, undefined, name));
      });
    if (definitions.length > 0) kinds = await served(tools, definitions);
  }
  await client.create(CONFIG_MAPS, mark);
  return { created, there: there.sort(), refused };
}

/** Whether it was made now. What it is called by others, `uids` knows then. */
async function put(
  client: KubeClient,
  resource: Resource,
  { object, owners, status, boundTo }: PreparedObject,
  uids: Map<string, string>,
): Promise<boolean> {
  const { apiVersion, kind, metadata } = object;
  const ownerReferences = owners.flatMap((owner) => {
    const uid =
      uids.get(identityOf(owner.apiVersion, owner.kind, metadata.namespace, owner.name)) ??
      uids.get(identityOf(owner.apiVersion, owner.kind, undefined, owner.name));
    return uid === undefined ? [] : [{ ...owner, uid }];
  });
  const annotations = { ...metadata.annotations, ...(status === undefined ? {} : { [UNFINISHED]: "true" }) };
  const wanted: DumpedObject = {
    ...object,
    metadata: {
      ...metadata,
      ...(ownerReferences.length === 0 ? {} : { ownerReferences }),
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    },
  };
  const claim = boundTo && uids.get(identityOf("v1", "PersistentVolumeClaim", boundTo.namespace, boundTo.name));
  const { stored, isNew } = await create(client, resource, claim === undefined ? wanted : boundBy(wanted, claim));
  uids.set(identityOf(apiVersion, kind, metadata.namespace, metadata.name), stored.metadata.uid ?? "");
  if (status !== undefined && stored.metadata.annotations?.[UNFINISHED] !== undefined) {
    const body = { metadata: { annotations: { [UNFINISHED]: null } }, status };
    await client.patch(resource, refOf(stored), { type: "merge", body }, { ...UNCHECKED, subresource: "status" });
  }
  return isNew;
}

async function create(
  client: KubeClient,
  resource: Resource,
  object: KubeObject,
): Promise<{ readonly stored: KubeObject; readonly isNew: boolean }> {
  try {
    return { stored: await client.create(resource, object, UNCHECKED), isNew: true };
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    return { stored: await client.get(resource, refOf(object)), isNew: false };
  }
}

function boundBy(volume: DumpedObject, uid: string): DumpedObject {
  const { claimRef, ...spec } = volume.spec as { claimRef?: Readonly<Record<string, unknown>> };
  const { resourceVersion: _, ...reference } = claimRef ?? {};
  return { ...volume, spec: { ...spec, claimRef: { ...reference, uid } } };
}

/** The kinds, when those that were just defined are among them; or when that takes too long: what is of such a kind is refused. */
async function served({ client, timers }: ImportTools, definitions: readonly DumpedObject[]): Promise<Kinds> {
  const wanted = definitions.flatMap(({ spec }) => {
    const { group, names, versions } = spec as {
      group: string;
      names: { kind: string };
      versions: readonly { name: string; served: boolean }[];
    };
    return versions.filter((each) => each.served).map(({ name }) => ({ apiVersion: `${group}/${name}`, ...names }));
  });
  const end = timers.now() + PATIENCE_MS;
  for (;;) {
    const kinds = await discoverKinds(client);
    if (wanted.every(({ apiVersion, kind }) => kinds.find(apiVersion, kind) !== undefined)) return kinds;
    if (timers.now() > end) return kinds;
    await sleep(timers, 50);
  }
}

/** What remembers that this import was made: a second one would bring back what somebody has deleted since. */
function markOf({ stages }: ImportPlan): ConfigMap & { readonly data: Readonly<Record<string, string>> } {
  const sum = createHash("sha256").update(JSON.stringify(stages)).digest("hex");
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace: "kube-system", name: `outgrow-import-${sum.slice(0, 12)}` },
    data: { objects: String(stages.flat().length) },
  };
}

async function isThere(client: KubeClient, mark: ConfigMap): Promise<boolean> {
  try {
    await client.get(CONFIG_MAPS, refOf(mark));
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: TOGETHER }, worker));
}
