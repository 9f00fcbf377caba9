import { expect, test } from "vitest";
import type { ObjectMeta } from "../../../../../core/types.ts";
import { decideFate, type Fate, type OwnerState } from "./fate.ts";
import type { Node } from "./graph.ts";

const object = (more: Partial<ObjectMeta> = {}): ObjectMeta => ({ name: "x", uid: "x", ...more });
const owners = (...states: readonly OwnerState[]) =>
  states.map((state, index) => ({
    reference: { apiVersion: "v1", kind: "ConfigMap", name: `o${index}`, uid: `u${index}` },
    state,
  }));
const resource = { group: "", version: "v1", kind: "ConfigMap", plural: "configmaps", namespaced: true };
const child: Node = { resource, metadata: { name: "child", uid: "child" } };
const goingChild: Node = {
  resource,
  metadata: { ...child.metadata, deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["foregroundDeletion"] },
};
const remove = (policy: "Orphan" | "Background" | "Foreground", unblock = false): Fate => ({
  kind: "delete",
  policy,
  unblock,
});
const STAYS: Fate = { kind: "stays" };

test.each<[string, ObjectMeta, ReturnType<typeof owners>, readonly Node[], Fate]>([
  ["nobody owns it", object(), [], [], STAYS],
  ["its owner is there", object(), owners("solid"), [], STAYS],
  ["all its owners are gone", object(), owners("absent", "absent"), [], remove("Background")],
  ["one owner is left", object(), owners("absent", "solid"), [], { kind: "drop-references", uids: ["u0"] }],
  ["one owner is left, one waits", object(), owners("solid", "waiting"), [], { kind: "drop-references", uids: ["u1"] }],
  ["its owner waits for it", object(), owners("waiting"), [], remove("Background")],
  ["its owner waits, and it has children", object(), owners("waiting"), [child], remove("Foreground")],
  ["they wait for each other", object(), owners("waiting"), [goingChild], remove("Foreground", true)],
  ["its owner is gone, and it has children", object(), owners("absent"), [child], remove("Background")],
  ["its children were to be orphaned", object({ finalizers: ["orphan"] }), owners("absent"), [], remove("Orphan")],
  ["an owner is impossible", object(), owners("absent", "impossible"), [], STAYS],
  ["it is being deleted", object({ deletionTimestamp: "2026-01-01T00:00:00Z" }), owners("absent"), [], STAYS],
])("%s", (_, given, judged, dependents, fate) => {
  expect(decideFate(given, judged, dependents)).toEqual(fate);
});
