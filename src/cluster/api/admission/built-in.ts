/** The plugins that every cluster of ours has: upstream's, in its order (pkg/kubeapiserver/options/plugins.go), and one of our own. */
import type { Clock } from "../../../core/clock.ts";
import type { Gates } from "../../../core/gates.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { persistentVolumeClaimResize } from "./claim-resize.ts";
import { defaultIngressClass } from "./default-ingress-class.ts";
import { expansionSources } from "./expansion-sources.ts";
import { limitRanger } from "./limit-ranger.ts";
import { createLookup, rowOf } from "./lookup.ts";
import { namespaceLifecycle } from "./namespace-lifecycle.ts";
import { defaultTolerationSeconds, taintNodesByCondition } from "./nodes.ts";
import type { AdmissionPlugin } from "./plugin.ts";
import { priority } from "./priority.ts";
import { createLedger, QUOTA } from "./quota/ledger.ts";
import { resourceQuota } from "./quota/resource-quota.ts";
import { serviceAccount } from "./service-account.ts";
import { defaultStorageClass, storageObjectInUseProtection } from "./storage-defaults.ts";

export interface AdmissionDeps {
  readonly objects: ObjectStore;
  readonly catalog: Catalog;
  readonly gates: Gates;
  readonly clock: Clock;
}

/**
 * One set per server: the quota plugin remembers who waits for what. `more` are plugins that ask policies and webhooks; they
 * come behind all that only look at the cluster, which they are made from, and before quota, which charges what nobody has
 * refused.
 */
export function builtInPlugins(
  { objects, catalog, gates, clock }: AdmissionDeps,
  more: (own: readonly AdmissionPlugin[]) => readonly AdmissionPlugin[] = () => [],
): readonly AdmissionPlugin[] {
  const lookup = createLookup(objects, catalog);
  const own = [
    namespaceLifecycle(lookup),
    limitRanger(lookup),
    serviceAccount(lookup),
    taintNodesByCondition,
    priority(lookup),
    defaultTolerationSeconds,
    defaultStorageClass(lookup),
    storageObjectInUseProtection,
    persistentVolumeClaimResize(lookup),
    defaultIngressClass(lookup),
    expansionSources(lookup),
  ];
  const quota = resourceQuota(createLedger(objects, rowOf(catalog, QUOTA)), gates, clock);
  return [...own, ...more(own), quota];
}
