/** Objects without anything but their metadata: what informers of owners and garbage collectors ask for. */
import { isList, isObject, type Json, type JsonObject } from "../json.ts";

const META_VERSION = "meta.k8s.io/v1";

/** One object as a PartialObjectMetadata (`as=PartialObjectMetadata`). */
export function partialMetadata(object: JsonObject): JsonObject {
  return { kind: "PartialObjectMetadata", apiVersion: META_VERSION, metadata: object["metadata"] ?? {} };
}

/** A list as a PartialObjectMetadataList (`as=PartialObjectMetadataList`). */
export function partialMetadataList(list: JsonObject): JsonObject {
  const items = isList(list["items"]) ? list["items"] : [];
  return {
    kind: "PartialObjectMetadataList",
    apiVersion: META_VERSION,
    metadata: list["metadata"] ?? {},
    items: items.filter((item) => isObject(item)).map(partialMetadata),
  };
}

/** A watch event, with its object so reduced. The Status of an error stays whole: it is no object of the kind. */
export function partialMetadataEvent(event: { readonly type: string; readonly object: JsonObject }): JsonObject {
  const object: Json = event.type === "ERROR" ? event.object : partialMetadata(event.object);
  return { type: event.type, object };
}
