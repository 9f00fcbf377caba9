/** Owner references around a StatefulSet: who belongs to whom by uid, which is what the garbage collector goes by. */
import type { KubeObject, OwnerReference, PersistentVolumeClaim, Pod, StatefulSet } from "../../core/types.ts";
import { selects } from "./selector.ts";

/** The controller that an object names as its owner. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}

export function refersTo(object: KubeObject, uid: string): boolean {
  return object.metadata.ownerReferences?.some((reference) => reference.uid === uid) === true;
}

/** The object without its references to these uids; the same object when it has none. */
export function withoutReferences<T extends KubeObject>(object: T, uids: ReadonlySet<string>): T {
  const references = object.metadata.ownerReferences ?? [];
  const kept = references.filter((reference) => !uids.has(reference.uid));
  if (kept.length === references.length) return object;
  return { ...object, metadata: { ...object.metadata, ownerReferences: kept } };
}

/**
 * The pods that are a set's or that it would adopt: called `<set>-<ordinal>`, in its namespace, owned by it or selected
 * by it (controller_ref_manager.go). Pods of the name that belong to another controller are among them: they block the
 * ordinal.
 */
export function podsOf(set: StatefulSet, pods: Iterable<Pod>): readonly Pod[] {
  const { name, namespace = "default", uid = "" } = set.metadata;
  return [...pods].filter(
    ({ metadata }) =>
      (metadata.namespace ?? "default") === namespace &&
      metadata.name.startsWith(`${name}-`) &&
      /^\d+$/.test(metadata.name.slice(name.length + 1)) &&
      (selects(set.spec.selector, metadata.labels) ||
        metadata.ownerReferences?.some((reference) => reference.uid === uid) === true),
  );
}

/**
 * References of a claim to a StatefulSet or pod other than the set and its pods: left over from an owner that is gone,
 * or somebody else's. The garbage collector may be about to delete such a claim, and no controller repairs it. Owners of
 * other kinds (a custom resource that keeps the data as long as it lives) are none of a set's business.
 */
export function strangersOf(claim: PersistentVolumeClaim, set: StatefulSet, pods: readonly Pod[]): OwnerReference[] {
  // Asked for every claim of a set, most of which have no reference at all: nothing is prepared for them.
  const isKnown = (uid: string): boolean => uid === set.metadata.uid || pods.some((pod) => pod.metadata.uid === uid);
  return (claim.metadata.ownerReferences ?? []).filter(
    ({ apiVersion, kind, uid }) =>
      ((kind === "StatefulSet" && apiVersion.startsWith("apps/")) || (kind === "Pod" && apiVersion === "v1")) &&
      !isKnown(uid),
  );
}
