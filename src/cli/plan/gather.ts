/**
 * Everything that a plan needs, from a live cluster: one list per kind, all at once, then the volumes of the claims in
 * question and what the API server says to the edit. Claims must be readable; whatever else is not is noted.
 */
import { OutgrowError } from "../../core/errors.ts";
import type { KubeObject, PersistentVolumeClaim, StatefulSet } from "../../core/types.ts";
import {
  apiVersionOf,
  CLAIMS,
  CSI_DRIVERS,
  ifThere,
  type KubeClient,
  LIMIT_RANGES,
  PODS,
  QUOTAS,
  type Resource,
  STATEFUL_SETS,
  STORAGE_CLASSES,
  VOLUMES,
} from "../../kube/index.ts";
import { claimsOf } from "../../statefulset/decide/claim-ownership.ts";
import type { DesiredSize } from "../../statefulset/decide/desired-sizes.ts";
import { templateTarget } from "../../statefulset/decide/template-target.ts";
import type { Wish } from "../../statefulset/decide/wish.ts";
import { VOLUME_EXPANSIONS } from "../../statefulset/resource.ts";
import type { Connection } from "../cluster/connect.ts";
import { type AllowedReader, readAllowed } from "../cluster/read-allowed.ts";
import { ifInstalled } from "../cluster/records.ts";
import type { KindName } from "../input/kinds.ts";
import { keyOf, type Snapshot } from "../input/snapshot.ts";
import { askServer } from "./ask-server.ts";
import type { Evidence } from "./evidence.ts";
import { desiredWith } from "./plan-set.ts";
import { findTarget, type TargetName } from "./target.ts";

/** Of more volumes than this all are listed: one long answer is then less work than many short ones. */
const ONE_BY_ONE = 20;

/** `asked` are the sizes that the API server is to be asked about; for a claim on its own there are none. */
export async function gather(
  { client, namespace }: Connection,
  target: TargetName,
  asked: Wish,
  now: number,
): Promise<Evidence> {
  const allowed = readAllowed();
  const list = <T extends KubeObject>(resource: Resource<T>, where: { namespace?: string } = {}) =>
    allowed.read(resource.plural, () => client.listAll(resource, where));
  const ref = { namespace, name: target.name };
  const isSet = target.kind === "StatefulSet";
  const [claims, listed, pods, quotas, limitRanges, classes, drivers, record] = await Promise.all([
    client.listAll(CLAIMS, { namespace }),
    list(STATEFUL_SETS, { namespace }),
    list(PODS, { namespace }),
    list(QUOTAS, { namespace }),
    list(LIMIT_RANGES, { namespace }),
    list(STORAGE_CLASSES),
    list(CSI_DRIVERS),
    isSet ? allowed.read("volumeexpansions", () => ifInstalled(client, client.get(VOLUME_EXPANSIONS, ref))) : undefined,
  ]);
  // Whoever may not list sets may still see one.
  const sets = listed ?? (isSet ? [await client.get(STATEFUL_SETS, ref)] : undefined);
  if (record?.status?.savedStatefulSet !== undefined && !sets?.some(({ metadata }) => metadata.name === target.name)) {
    throw new OutgrowError(
      "OBJECT_MISSING",
      `sts/${target.name} is being re-created at this moment, with its pods running; try again in a few seconds`,
    );
  }
  const set = isSet ? findTarget(target, namespace, typed(STATEFUL_SETS, sets)) : undefined;
  const concerned = claimsInQuestion(target, set, claims, sets ?? []);
  const volumes = await volumesOf(client, concerned, allowed);
  const answer =
    set && (await askAbout(client, set, desiredWith(set, record, asked), claims, sets ?? [], allowed, now));
  const read = {
    StatefulSet: [STATEFUL_SETS, sets],
    PersistentVolumeClaim: [CLAIMS, claims],
    PersistentVolume: [VOLUMES, volumes],
    StorageClass: [STORAGE_CLASSES, classes],
    CSIDriver: [CSI_DRIVERS, drivers],
    ResourceQuota: [QUOTAS, quotas],
    LimitRange: [LIMIT_RANGES, limitRanges],
    Pod: [PODS, pods],
  } as const satisfies { [K in KindName]: readonly [Resource, readonly KubeObject[] | undefined] };
  return { ...snapshotOf(read), notRead: allowed.notRead(), record, answer };
}

function claimsInQuestion(
  target: TargetName,
  set: StatefulSet | undefined,
  claims: readonly PersistentVolumeClaim[],
  sets: readonly StatefulSet[],
): readonly PersistentVolumeClaim[] {
  if (set === undefined) return claims.filter(({ metadata }) => metadata.name === target.name);
  const { owned, disputed } = claimsOf(set, claims, sets);
  return [...owned, ...disputed].map(({ claim }) => claim);
}

async function volumesOf(client: KubeClient, claims: readonly PersistentVolumeClaim[], allowed: AllowedReader) {
  const names = claims.map(({ spec }) => spec.volumeName ?? "").filter((name) => name !== "");
  const read = (name: string) => ifThere(client.get(VOLUMES, { name }));
  return allowed.read(VOLUMES.plural, async () => {
    if (names.length > ONE_BY_ONE) return client.listAll(VOLUMES);
    // Whoever may not read one may read none: the first tells.
    const [first, ...others] = names;
    const found = first === undefined ? [] : [await read(first), ...(await Promise.all(others.map(read)))];
    return found.filter((volume) => volume !== undefined);
  });
}

async function askAbout(
  client: KubeClient,
  set: StatefulSet,
  desired: readonly DesiredSize[],
  claims: readonly PersistentVolumeClaim[],
  sets: readonly StatefulSet[],
  allowed: AllowedReader,
  now: number,
) {
  const { owned, disputed } = claimsOf(set, claims, sets);
  const sizes = templateTarget(desired, [...owned, ...disputed]);
  return askServer(client, set, sizes, allowed, now);
}

function snapshotOf(
  read: Readonly<Record<KindName, readonly [Resource, readonly KubeObject[] | undefined]>>,
): Pick<Evidence, "snapshot" | "known"> {
  const kinds = Object.entries(read) as [KindName, (typeof read)[KindName]][];
  const snapshot = Object.fromEntries(
    kinds.map(([kind, [resource, objects]]) => [
      kind,
      new Map(typed(resource, objects).map((object) => [keyOf(kind, object), object])),
    ]),
  ) as unknown as Snapshot;
  return { snapshot, known: new Set(kinds.filter(([, [, objects]]) => objects !== undefined).map(([kind]) => kind)) };
}

/** Objects out of lists do not say what they are; messages name them by their kind. */
function typed<T extends KubeObject>(resource: Resource<T>, objects: readonly T[] | undefined): readonly T[] {
  return (objects ?? []).map((object) => ({ apiVersion: apiVersionOf(resource), kind: resource.kind, ...object }));
}
