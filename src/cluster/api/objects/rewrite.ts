/** Changes that the server makes by itself: no admission, no owner of fields, only the object as it is at that moment. */
import type { JsonObject } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";
import { StatusError } from "../status-error.ts";
import type { ObjectStore } from "./object-store.ts";

/** Writes what `change` makes of the object, again and again until nobody came between. Throws 404 when it is gone. */
export async function rewrite(
  objects: ObjectStore,
  kind: Kind,
  namespace: string | undefined,
  name: string,
  change: (object: JsonObject) => JsonObject,
): Promise<JsonObject> {
  for (;;) {
    const stored = objects.get(kind, namespace, name);
    const next = change(stored);
    try {
      return await objects.replace(kind, stored, next);
    } catch (error) {
      // Each conflict means that somebody else has got on: this ends.
      if (!(error instanceof StatusError) || error.reason !== "Conflict") throw error;
    }
  }
}
