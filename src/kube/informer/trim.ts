/** Parts to build a `trim` from: what of an object's metadata is worth holding. */
import type { KubeObject, ObjectMeta } from "../../core/types.ts";

/** Who the object is and which version of it: what every held object must have, and nothing else. */
export function identity({ namespace, name, uid, resourceVersion }: ObjectMeta): ObjectMeta {
  return {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}

/** The whole object, without the record of who owns which field: often half of its size, and never looked at. */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  const { managedFields: _, ...metadata } = object.metadata as ObjectMeta & { managedFields?: unknown };
  return { ...object, metadata };
}
