/** The two rounds of admission: first all plugins that change the object, then all that only look at it. */
import type { JsonObject } from "../json.ts";
import type { AdmissionPlugin, AdmissionRequest, WriteAdmission } from "./plugin.ts";

/** The object after all plugins that change it; the given one when none did. Rejects with what the first that refuses throws. */
export async function runMutating(plugins: readonly AdmissionPlugin[], request: WriteAdmission): Promise<JsonObject> {
  let current = request;
  for (const plugin of plugins) {
    if (plugin.mutate === undefined) continue;
    const changed = plugin.mutate(current);
    const object = changed instanceof Promise ? await changed : changed;
    if (object !== current.object) current = { ...current, object };
  }
  return current.object;
}

/** Rejects with what the first that refuses throws. */
export async function runValidating(plugins: readonly AdmissionPlugin[], request: AdmissionRequest): Promise<void> {
  for (const plugin of plugins) {
    const answer = plugin.validate?.(request);
    if (answer instanceof Promise) await answer;
  }
}
