/** What the controller sees of the cluster, each thing found by the set that it belongs to. */
import { type StorageClasses, storageClasses } from "../../admission/storage-classes.ts";
import type {
  KubeObject,
  LimitRange,
  PersistentVolumeClaim,
  Pod,
  ResourceQuota,
  StatefulSet,
} from "../../core/types.ts";
import {
  CLAIMS,
  type Informer,
  type InformerOptions,
  type KubeClient,
  LIMIT_RANGES,
  type Logger,
  type Metrics,
  PODS,
  QUOTAS,
  refOfKey,
  STATEFUL_SETS,
  STORAGE_CLASSES,
  startInformer,
  type Timers,
  withoutManagedFields,
} from "../../kube/index.ts";
import { basesOf, splitOrdinal } from "../decide/claim-ownership.ts";
import { withOwnSet } from "../decide/own-set.ts";
import { heldPods } from "../decide/restart-step.ts";
import { VOLUME_EXPANSIONS } from "../resource.ts";
import type { VolumeExpansion } from "../types.ts";
import { holdClaim, holdClass, holdPod, holdSet, isNews } from "./held.ts";

export interface ViewListener {
  /** Something happened to this set, its record, pods or claims (`namespace/name`). */
  onNews(key: string): void;
  /** Something that may stand against growing has changed (a class, a quota): in one namespace, or in all. */
  onLimits(namespace?: string): void;
}

export interface ViewOptions extends ViewListener {
  readonly client: KubeClient;
  /** The namespaces to look at; none: all. */
  readonly namespaces: readonly string[];
  readonly timers: Timers;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface View {
  /** Resolves when everything was listed once; rejects when it is stopped before that. */
  readonly synced: Promise<void>;
  set(key: string): StatefulSet | undefined;
  setsIn(namespace: string): readonly StatefulSet[];
  record(key: string): VolumeExpansion | undefined;
  records(): Iterable<VolumeExpansion>;
  /** The claims that are called like the set's. */
  claimsFor(set: StatefulSet): readonly PersistentVolumeClaim[];
  /** The other sets that call claims the same. */
  rivalsOf(set: StatefulSet): readonly StatefulSet[];
  /** The pods that are called like those of the set of this key. */
  podsOf(key: string): readonly Pod[];
  readonly classes: StorageClasses;
  quotas(namespace: string): readonly ResourceQuota[];
  limitRanges(namespace: string): readonly LimitRange[];
  /** An own write, so that the next look does not see the state before it. `before`: the version that it was made on. */
  observeSet(written: StatefulSet, before: string): void;
  observeRecord(written: VolumeExpansion, before: string): void;
  observeClaim(written: PersistentVolumeClaim, before: string): void;
  /** Tells another one, too, from now on. Call the returned function to hear no more. */
  listen(listener: ViewListener): () => void;
  /** Lets go of everything. May be called twice. */
  stop(): Promise<void>;
}

export function startView(options: ViewOptions): View {
  const { client, timers, logger, metrics } = options;
  const listeners = new Set<ViewListener>([options]);
  const onNews = (key: string): void => listeners.forEach((listener) => listener.onNews(key));
  const onLimits = (namespace?: string): void => listeners.forEach((listener) => listener.onLimits(namespace));
  const shared = { client, timers, logger, metrics };
  const namespaces = options.namespaces.length === 0 ? [undefined] : options.namespaces;
  const rooms = new Map(namespaces.map((namespace) => [namespace ?? "", startRoom({ ...shared, namespace })]));
  const classes = startInformer({ ...shared, resource: STORAGE_CLASSES, trim: holdClass });
  let known: StorageClasses | undefined;

  const roomOf = (namespace: string | undefined): Room | undefined => rooms.get("") ?? rooms.get(namespace ?? "");

  for (const room of rooms.values()) {
    const tell = (object: KubeObject): void => onNews(keyFor(object));
    const tellOwners = (claim: PersistentVolumeClaim): void => {
      const base = baseOf(claim);
      for (const set of room.sets.byIndex("base", base)) tell(set);
      for (const record of room.records.byIndex("base", base)) tell(record);
    };
    hear(room.sets, (set) => {
      tell(set);
      // Whether a claim is disputed depends on both.
      for (const base of basesIn(set)) for (const rival of room.sets.byIndex("base", base)) tell(rival);
    });
    hear(room.records, tell);
    hear(room.claims, tellOwners);
    hear(room.pods, (pod) => {
      // Other pods may be called so, too.
      const ref = refOfKey(setKeyOf(pod));
      const isOurs = room.sets.get(ref) !== undefined || room.records.get(ref) !== undefined;
      if (isOurs || heldPods([pod]).length > 0) onNews(setKeyOf(pod));
    });
    hear(room.quotas, ({ metadata }) => onLimits(metadata.namespace));
    hear(room.limitRanges, ({ metadata }) => onLimits(metadata.namespace));
  }
  hear(classes, () => {
    known = undefined;
    onLimits();
  });

  const all = [classes, ...[...rooms.values()].flatMap((room) => Object.values(room) as Stoppable[])];
  const synced = Promise.all(all.map((informer) => informer.synced)).then(() => {});
  synced.catch(() => {});

  return {
    synced,
    set: (key) => roomOf(refOfKey(key).namespace)?.sets.get(refOfKey(key)),
    setsIn: (namespace) => roomOf(namespace)?.sets.byIndex("namespace", namespace) ?? [],
    record: (key) => roomOf(refOfKey(key).namespace)?.records.get(refOfKey(key)),
    *records() {
      for (const room of rooms.values()) yield* room.records.values();
    },
    claimsFor(set) {
      const room = roomOf(set.metadata.namespace);
      return room === undefined ? [] : basesIn(set).flatMap((base) => room.claims.byIndex("base", base));
    },
    rivalsOf(set) {
      const room = roomOf(set.metadata.namespace);
      const others = room === undefined ? [] : basesIn(set).flatMap((base) => room.sets.byIndex("base", base));
      return [...new Set(others)].filter(({ metadata }) => metadata.name !== set.metadata.name);
    },
    podsOf: (key) => roomOf(refOfKey(key).namespace)?.pods.byIndex("set", key) ?? [],
    get classes() {
      known ??= storageClasses(classes.values());
      return known;
    },
    quotas: (namespace) => roomOf(namespace)?.quotas.byIndex("namespace", namespace) ?? [],
    limitRanges: (namespace) => roomOf(namespace)?.limitRanges.byIndex("namespace", namespace) ?? [],
    observeSet: (written, before) => void roomOf(written.metadata.namespace)?.sets.observe(written, before),
    observeRecord: (written, before) => void roomOf(written.metadata.namespace)?.records.observe(written, before),
    observeClaim: (written, before) => void roomOf(written.metadata.namespace)?.claims.observe(written, before),
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async stop() {
      await Promise.all(all.map((informer) => informer.stop()));
    },
  };
}

/** What is watched of one namespace, or of all of them. */
interface Room {
  readonly sets: Informer<StatefulSet, StatefulSet, "base" | "namespace">;
  readonly records: Informer<VolumeExpansion, VolumeExpansion, "base">;
  readonly claims: Informer<PersistentVolumeClaim, PersistentVolumeClaim, "base">;
  readonly pods: Informer<Pod, Pod, "set">;
  readonly quotas: Informer<ResourceQuota, ResourceQuota, "namespace">;
  readonly limitRanges: Informer<LimitRange, LimitRange, "namespace">;
}

type Stoppable = Pick<Informer<KubeObject>, "synced" | "stop">;

/** Records are told again now and then: whatever was missed, nobody waits longer than this for it, in milliseconds. */
const LOOK_AGAIN = 10 * 60_000;

function startRoom(
  shared: Pick<
    InformerOptions<KubeObject, KubeObject, never>,
    "client" | "namespace" | "timers" | "logger" | "metrics"
  >,
): Room {
  const namespace = ({ metadata }: KubeObject): string | undefined => metadata.namespace;
  return {
    sets: startInformer({ ...shared, resource: STATEFUL_SETS, trim: holdSet, indexes: { base: basesIn, namespace } }),
    records: startInformer({
      ...shared,
      resource: VOLUME_EXPANSIONS,
      trim: (record: VolumeExpansion) => withOwnSet(withoutManagedFields(record)),
      indexes: { base: ({ status }) => (status?.savedStatefulSet ? basesIn(status.savedStatefulSet) : []) },
      resyncPeriod: LOOK_AGAIN,
    }),
    claims: startInformer({ ...shared, resource: CLAIMS, trim: holdClaim, indexes: { base: baseOf } }),
    pods: startInformer({ ...shared, resource: PODS, trim: holdPod, indexes: { set: setKeyOf } }),
    quotas: startInformer({
      ...shared,
      resource: QUOTAS,
      trim: withoutManagedFields<ResourceQuota>,
      indexes: { namespace },
    }),
    limitRanges: startInformer({
      ...shared,
      resource: LIMIT_RANGES,
      trim: withoutManagedFields<LimitRange>,
      indexes: { namespace },
    }),
  };
}

function hear<T extends KubeObject>(informer: Pick<Informer<T, T>, "addHandler">, tell: (object: T) => void): void {
  informer.addHandler({
    added: tell,
    updated(before, after, source) {
      if (source !== "resync" && !isNews(before, after)) return;
      tell(before);
      tell(after);
    },
    deleted: tell,
  });
}

function keyFor({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}

/** The names of a set's claims without the ordinal, with the namespace. */
function basesIn(set: StatefulSet): string[] {
  return basesOf(set).map(({ base }) => `${set.metadata.namespace}/${base}`);
}

function baseOf({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${splitOrdinal(metadata.name).base}`;
}

/** The set that a pod is called after. */
function setKeyOf(pod: Pod): string {
  return baseOf(pod);
}
