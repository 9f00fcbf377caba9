/**
 * The two rounds of admission: first all plugins that change the object, then all that only look at it. Nothing is awaited
 * where no plugin has to wait, which is nearly always.
 */
import type { JsonObject } from "../json.ts";
import type { AdmissionPlugin, AdmissionRequest, WriteAdmission } from "./plugin.ts";

/** The object after all plugins that change it; the given one when none did. Throws, or rejects with, what the first that refuses throws. */
export function runMutating(
  plugins: readonly AdmissionPlugin[],
  request: WriteAdmission,
): JsonObject | Promise<JsonObject> {
  let current = request;
  for (let index = 0; index < plugins.length; index++) {
    const object = plugins[index]?.mutate?.(current) ?? current.object;
    if (object instanceof Promise) {
      const before = current;
      return object.then((changed) => runMutating(plugins.slice(index + 1), withObject(before, changed)));
    }
    current = withObject(current, object);
  }
  return current.object;
}

function withObject(request: WriteAdmission, object: JsonObject): WriteAdmission {
  return object === request.object ? request : { ...request, object };
}

/** Throws, or rejects with, what the first that refuses throws. */
export function runValidating(plugins: readonly AdmissionPlugin[], request: AdmissionRequest): void | Promise<void> {
  for (let index = 0; index < plugins.length; index++) {
    const answer = plugins[index]?.validate?.(request);
    if (answer instanceof Promise) return answer.then(() => runValidating(plugins.slice(index + 1), request));
  }
}
