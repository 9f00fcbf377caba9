import { get, type JsonObject } from "../json.ts";

/** `apps/v1/StatefulSet`: under which tables of kinds know the object; empty for one that does not say what it is. */
export function kindKey(object: JsonObject): string {
  const [apiVersion, kind] = [get(object, "apiVersion"), get(object, "kind")];
  return typeof apiVersion === "string" && typeof kind === "string" ? `${apiVersion}/${kind}` : "";
}
