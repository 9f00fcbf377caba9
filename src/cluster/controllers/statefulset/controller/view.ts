/** What the controller sees of the cluster: sets, their pods, claims and revisions, each found by what it belongs to. */
import { storageClasses } from "../../../../admission/storage-classes.ts";
import type { KubeObject, PersistentVolumeClaim, Pod, StatefulSet, StorageClass } from "../../../../core/types.ts";
import {
  CLAIMS,
  type Informer,
  type InformerOptions,
  identity,
  type KubeClient,
  type Logger,
  type Metrics,
  PODS,
  type Resource,
  STATEFUL_SETS,
  STORAGE_CLASSES,
  startInformer,
  type Timers,
  withoutManagedFields,
} from "../../../../kube/index.ts";
import { controllerOf } from "../../../../statefulset/decide/references.ts";
import type { GrowthFacts } from "../decide/growth.ts";
import type { ControllerRevision } from "../decide/revision.ts";
import { CONTROLLER_REVISIONS } from "../resources.ts";
import { holdClaim, holdPod } from "./held.ts";

export interface ViewOptions {
  readonly client: KubeClient;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface View {
  readonly synced: Promise<unknown>;
  readonly sets: Informer<StatefulSet, StatefulSet, "claims">;
  readonly pods: Informer<Pod, Pod, "owner">;
  readonly claims: Informer<PersistentVolumeClaim, PersistentVolumeClaim, "base">;
  readonly revisions: Informer<ControllerRevision, ControllerRevision, "owner">;
  readonly classes: Informer<StorageClass>;
  /** The pods that the set owns, and those that nobody does. */
  podsFor(set: StatefulSet): Iterable<Pod>;
  revisionsFor(set: StatefulSet): Iterable<ControllerRevision>;
  /** The claims that are called like the set's, all sets that call theirs so, and all classes. */
  growthFacts(set: StatefulSet): Pick<GrowthFacts, "claims" | "others" | "classes">;
  /** The sets that a claim may belong to, by its name. */
  setsOfClaim(claim: PersistentVolumeClaim): readonly StatefulSet[];
  /** The object as it is held; undefined when there is none of that name. */
  held(resource: Resource, object: KubeObject): KubeObject | undefined;
  /** Lets go of everything. May be called twice. */
  stop(): Promise<void>;
}

export function startView(options: ViewOptions): View {
  const { client, timers, logger, metrics } = options;
  const shared: Omit<InformerOptions<KubeObject, KubeObject, never>, "resource" | "trim"> = {
    client,
    timers,
    logger,
    metrics,
  };
  const sets = startInformer<StatefulSet, StatefulSet, "claims">({
    ...shared,
    resource: STATEFUL_SETS,
    trim: withoutManagedFields,
    indexes: { claims: basesOf },
  });
  const pods = startInformer<Pod, Pod, "owner">({
    ...shared,
    resource: PODS,
    trim: holdPod,
    indexes: { owner: ownerOf },
  });
  const claims = startInformer<PersistentVolumeClaim, PersistentVolumeClaim, "base">({
    ...shared,
    resource: CLAIMS,
    trim: holdClaim,
    indexes: { base: baseOf },
  });
  const revisions = startInformer<ControllerRevision, ControllerRevision, "owner">({
    ...shared,
    resource: CONTROLLER_REVISIONS,
    trim: withoutManagedFields,
    indexes: { owner: ownerOf },
  });
  const classes = startInformer({ ...shared, resource: STORAGE_CLASSES, trim: holdClass });
  const all = [
    [STATEFUL_SETS, sets],
    [PODS, pods],
    [CLAIMS, claims],
    [CONTROLLER_REVISIONS, revisions],
    [STORAGE_CLASSES, classes],
  ] as const;
  const synced = Promise.all(all.map(([, informer]) => informer.synced));
  synced.catch(() => {});

  const belongingTo = <T extends KubeObject>(
    informer: { byIndex(index: "owner", value: string): T[] },
    { metadata }: StatefulSet,
  ): T[] => [
    ...informer.byIndex("owner", metadata.uid ?? ""),
    ...informer.byIndex("owner", orphansIn(metadata.namespace)),
  ];

  return {
    synced,
    sets,
    pods,
    claims,
    revisions,
    classes,
    podsFor: (set) => belongingTo(pods, set),
    revisionsFor: (set) => belongingTo(revisions, set),
    growthFacts(set) {
      const bases = basesOf(set);
      return {
        claims: bases.flatMap((base) => claims.byIndex("base", base)),
        others: bases.flatMap((base) => sets.byIndex("claims", base)),
        classes: storageClasses(classes.values()),
      };
    },
    setsOfClaim: (claim) => sets.byIndex("claims", baseOf(claim) ?? ""),
    held: ({ plural }, { metadata: { namespace, name } }) =>
      all.find(([each]) => each.plural === plural)?.[1].get({ namespace, name }),
    async stop() {
      await Promise.all(all.map(([, informer]) => informer.stop()));
    },
  };
}

/** The names of a set's claims without their ordinal, with the namespace. */
function basesOf({ metadata, spec }: StatefulSet): string[] {
  return (spec.volumeClaimTemplates ?? []).map(
    (template) => `${metadata.namespace}/${template.metadata.name}-${metadata.name}`,
  );
}

function baseOf({ metadata }: PersistentVolumeClaim): string | undefined {
  const base = /^(.+)-\d+$/.exec(metadata.name)?.[1];
  return base === undefined ? undefined : `${metadata.namespace}/${base}`;
}

function ownerOf(object: KubeObject): string {
  return controllerOf(object)?.uid ?? orphansIn(object.metadata.namespace);
}

function orphansIn(namespace: string | undefined): string {
  return `orphans in ${namespace}`;
}

function holdClass({ metadata, provisioner, allowVolumeExpansion }: StorageClass): StorageClass {
  return {
    metadata: identity(metadata),
    provisioner,
    ...(allowVolumeExpansion === undefined ? {} : { allowVolumeExpansion }),
  };
}
