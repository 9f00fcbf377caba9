/** What plugins look at besides the request: objects of the cluster, as they are at this moment. */
import { type StorageClasses, storageClasses } from "../../../admission/storage-classes.ts";
import type { KubeObject, StorageClass } from "../../../core/types.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Kind } from "../kinds/kind.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { type KnownKind, read } from "./known-kind.ts";

export interface Lookup {
  /** Undefined when there is none. Shared: look, don't touch. */
  one<T extends KubeObject>(kind: KnownKind<T>, namespace: string | undefined, name: string): T | undefined;
  /** All of a namespace, or of the cluster, by name. */
  all<T extends KubeObject>(kind: KnownKind<T>, namespace?: string): readonly T[];
  /** Whether a kind is there: one that is not built in has to be defined first. */
  serves(kind: KnownKind<KubeObject>): boolean;
}

export function createLookup(objects: ObjectStore, catalog: Catalog): Lookup {
  return {
    one(kind, namespace, name) {
      const found = objects.find(rowOf(catalog, kind), namespace, name);
      return found === undefined ? undefined : read(kind, found);
    },
    all: (kind, namespace) => objects.all(rowOf(catalog, kind), namespace).map((object) => read(kind, object)),
    serves: ({ apiVersion, kind }) => catalog.findKind(apiVersion, kind) !== undefined,
  };
}

/** The row of a kind that is served. Throws for one that is not: who asks knows what is. */
export function rowOf(catalog: Catalog, { apiVersion, kind }: KnownKind<KubeObject>): Kind {
  const found = catalog.findKind(apiVersion, kind);
  if (found === undefined) throw new Error(`no kind ${kind} is served in ${apiVersion}`);
  return found.kind;
}

const STORAGE_CLASS: KnownKind<StorageClass> = { apiVersion: "storage.k8s.io/v1", kind: "StorageClass" };

/** The storage classes as they are whenever one is asked for; only the default takes looking at all of them. */
export function storedClasses(lookup: Lookup): StorageClasses {
  return {
    named: (name) => lookup.one(STORAGE_CLASS, undefined, name),
    get defaultClass() {
      return storageClasses(lookup.all(STORAGE_CLASS)).defaultClass;
    },
  };
}
