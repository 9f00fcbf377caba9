/** What every new claim and volume gets: the default class, and the finalizer that keeps it while it is in use. */
import { classNameOf } from "../../../core/claim.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../../../core/types.ts";
import type { JsonObject } from "../json.ts";
import { finalizersOf, withMetadata } from "../lifecycle/metadata.ts";
import { type KnownKind, read, write } from "./known-kind.ts";
import { type Lookup, storedClasses } from "./lookup.ts";
import type { AdmissionPlugin } from "./plugin.ts";
import { isNew } from "./request.ts";

const CLAIM: KnownKind<PersistentVolumeClaim> = { apiVersion: "v1", kind: "PersistentVolumeClaim" };
const VOLUME: KnownKind<PersistentVolume> = { apiVersion: "v1", kind: "PersistentVolume" };

/**
 * A claim that names no class gets the default one, as it is at this moment. An empty name is a name: it asks for no
 * class (upstream plugin/pkg/admission/storage/storageclass/setdefault).
 */
export function defaultStorageClass(lookup: Lookup): AdmissionPlugin {
  const classes = storedClasses(lookup);
  return {
    name: "DefaultStorageClass",
    mutate(request) {
      if (!isNew(request, CLAIM)) return request.object;
      const claim = read(CLAIM, request.object);
      const chosen = classNameOf(claim) === undefined ? classes.defaultClass : undefined;
      if (chosen === undefined) return request.object;
      return write({ ...claim, spec: { ...claim.spec, storageClassName: chosen.metadata.name } });
    },
  };
}

/** Upstream plugin/pkg/admission/storage/storageobjectinuseprotection. Who takes the finalizer off is a controller. */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: "StorageObjectInUseProtection",
  mutate(request) {
    if (isNew(request, CLAIM)) return withFinalizer(request.object, "kubernetes.io/pvc-protection");
    if (isNew(request, VOLUME)) return withFinalizer(request.object, "kubernetes.io/pv-protection");
    return request.object;
  },
};

function withFinalizer(object: JsonObject, finalizer: string): JsonObject {
  const before = finalizersOf(object);
  return before.includes(finalizer) ? object : withMetadata(object, { finalizers: [...before, finalizer] });
}
