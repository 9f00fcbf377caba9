/** In which order objects are created: kinds first that others need, owners before what they own, quota last. */
import { identityOf, type PreparedObject } from "./types.ts";

/** Apart, so that owners find room in between. What is not named here comes in the middle. */
const RANKS: ReadonlyMap<string, number> = new Map([
  ["CustomResourceDefinition", 0],
  ["Namespace", 100],
  ["StorageClass", 200],
  ["PriorityClass", 200],
  ["VolumeAttributesClass", 200],
  ["ServiceAccount", 300],
  ["StatefulSet", 500],
  ["Pod", 600],
  ["PersistentVolumeClaim", 700],
  // They carry the uid of their claim.
  ["PersistentVolume", 800],
  // What was there before them may be more than they allow.
  ["LimitRange", 900],
  ["ResourceQuota", 900],
]);
const MIDDLE = 400;

export function inStages(objects: readonly PreparedObject[]): PreparedObject[][] {
  const byIdentity = new Map(objects.map((each) => [identityOfObject(each), each]));
  const ranks = new Map<PreparedObject, number>();

  function rankOf(prepared: PreparedObject): number {
    const known = ranks.get(prepared);
    if (known !== undefined) return known;
    const { object, owners } = prepared;
    let rank = RANKS.get(object.kind) ?? MIDDLE;
    // For owners that own each other: nobody can be first then.
    ranks.set(prepared, rank);
    for (const { apiVersion, kind, name } of owners) {
      const owner =
        byIdentity.get(identityOf(apiVersion, kind, object.metadata.namespace, name)) ??
        byIdentity.get(identityOf(apiVersion, kind, undefined, name));
      if (owner !== undefined) rank = Math.max(rank, rankOf(owner) + 1);
    }
    ranks.set(prepared, rank);
    return rank;
  }
  const groups = [...Map.groupBy(objects, rankOf)].sort(([a], [b]) => a - b);
  return groups.map(([, group]) => group);
}

function identityOfObject({ object: { apiVersion, kind, metadata } }: PreparedObject): string {
  return identityOf(apiVersion, kind, metadata.namespace, metadata.name);
}
