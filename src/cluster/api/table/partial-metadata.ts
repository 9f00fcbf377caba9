/** Objects without anything but their metadata: what informers of owners and garbage collectors ask for. */
import { isList, isObject, type Json, type JsonObject } from "../json.ts";

/** The versions in which tables and metadata alone are told. They say the same in both. */
export type MetaVersion = "meta.k8s.io/v1" | "meta.k8s.io/v1beta1";

const META_VERSION: MetaVersion = "meta.k8s.io/v1";

/** One object as a PartialObjectMetadata (`as=PartialObjectMetadata`). */
export function partialMetadata(object: JsonObject, apiVersion: MetaVersion = META_VERSION): JsonObject {
  return { kind: "PartialObjectMetadata", apiVersion, metadata: object["metadata"] ?? {} };
}

/** A list as a PartialObjectMetadataList (`as=PartialObjectMetadataList`). */
export function partialMetadataList(list: JsonObject, apiVersion: MetaVersion = META_VERSION): JsonObject {
  const items = isList(list["items"]) ? list["items"] : [];
  return {
    kind: "PartialObjectMetadataList",
    apiVersion,
    metadata: list["metadata"] ?? {},
    items: items.filter((item) => isObject(item)).map((item) => partialMetadata(item, apiVersion)),
  };
}

/** A watch event, with its object so reduced. The Status of an error stays whole: it is no object of the kind. */
export function partialMetadataEvent(
  event: { readonly type: string; readonly object: JsonObject },
  apiVersion: MetaVersion = META_VERSION,
): JsonObject {
  const object: Json = event.type === "ERROR" ? event.object : partialMetadata(event.object, apiVersion);
  return { type: event.type, object };
}
