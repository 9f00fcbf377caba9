/** The webhooks that are registered at this moment. */
import { type Entry, prefixOf } from "../../store/index.ts";
import { resourceName } from "../kinds/kind.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { type Hook, hooksOf } from "./hook.ts";

export const WEBHOOK_GROUP = "admissionregistration.k8s.io";

/**
 * All webhooks of one kind of configurations, as they are stored now: by the name of their configuration, then in the order
 * in which it lists them. Each configuration is read once per version.
 */
export function createHookList(
  objects: ObjectStore,
  plural: "mutatingwebhookconfigurations" | "validatingwebhookconfigurations",
): () => readonly Hook[] {
  const { store } = objects;
  const prefix = prefixOf(resourceName({ plural, group: WEBHOOK_GROUP }));
  const known = new WeakMap<Entry, readonly Hook[]>();
  return () => {
    // Nearly every request of a cluster without webhooks ends here.
    if (store.count(prefix) === 0) return [];
    return store.list({ prefix }).entries.flatMap((entry) => {
      const hooks = known.get(entry) ?? hooksOf(objects.read(entry));
      known.set(entry, hooks);
      return hooks;
    });
  };
}
