/** How a volume names its claim and its class. */
import { BETA_STORAGE_CLASS } from "../../../../core/names.ts";
import type { ObjectReference, PersistentVolume, PersistentVolumeClaim } from "../../../../core/types.ts";

/** The claim that the volume is bound to or kept for, as `namespace/name`; undefined when anybody may have it. */
export function claimKeyOf({ spec }: PersistentVolume): string | undefined {
  if (spec.claimRef === undefined) return undefined;
  const { namespace = "", name = "" } = spec.claimRef;
  return `${namespace}/${name}`;
}

/** The class that Kubernetes goes by: the old annotation wins over the field. Empty when it has none. */
export function classNameOfVolume({ metadata, spec }: PersistentVolume): string {
  return metadata.annotations?.[BETA_STORAGE_CLASS] ?? spec.storageClassName ?? "";
}

/** What the volume of this claim has in `spec.claimRef`. */
export function claimRefOf({ metadata }: PersistentVolumeClaim): ObjectReference & { resourceVersion: string } {
  const { namespace = "", name, uid = "", resourceVersion = "" } = metadata;
  return { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name, uid, resourceVersion };
}
