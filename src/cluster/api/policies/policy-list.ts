/** The policies that count at this moment. */
import { type Entry, prefixOf } from "../../store/index.ts";
import { resourceName } from "../kinds/kind.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { oncePer } from "../once-per.ts";
import { type BoundPolicy, POLICY_GROUP, type PolicyType, readBinding, readPolicy } from "./policy.ts";

/**
 * All policies of a type that are bound, as they are stored now: by name, and each with its bindings by name. Each is read
 * once per version, and they are brought together anew only when one of them was written.
 */
export function createPolicyList(objects: ObjectStore, type: PolicyType): () => readonly BoundPolicy[] {
  const { store } = objects;
  const name = type.toLowerCase();
  const policies = prefixOf(resourceName({ plural: `${name}admissionpolicies`, group: POLICY_GROUP }));
  const bindings = prefixOf(resourceName({ plural: `${name}admissionpolicybindings`, group: POLICY_GROUP }));
  const policyOf = oncePer((entry: Entry) => readPolicy(objects.read(entry)));
  const bindingOf = oncePer((entry: Entry) => readBinding(objects.read(entry)));
  let revision = -1;
  let known: { readonly [prefix: string]: readonly Entry[] } = {};
  let list: readonly BoundPolicy[] = [];

  /** An entry stays the same object while it is current. */
  const isCurrent = (prefix: string): boolean => {
    const entries = known[prefix] ?? [];
    return entries.length === store.count(prefix) && entries.every((entry) => store.get(entry.key) === entry);
  };

  return () => {
    // Nearly every request of a cluster without policies ends here.
    if (store.count(bindings) === 0) return [];
    if (store.revision === revision) return list;
    revision = store.revision;
    if (isCurrent(policies) && isCurrent(bindings)) return list;
    known = Object.fromEntries([policies, bindings].map((prefix) => [prefix, store.list({ prefix }).entries]));
    const bound = Map.groupBy((known[bindings] ?? []).map(bindingOf), ({ spec }) => spec.policyName ?? "");
    list = (known[policies] ?? []).map(policyOf).flatMap((policy) => {
      const its = bound.get(policy.name);
      return its === undefined ? [] : [{ policy, bindings: its }];
    });
    return list;
  };
}
