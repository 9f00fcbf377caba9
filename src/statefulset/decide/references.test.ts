import { describe, expect, it } from "vitest";
import { aClaim, aSet, ownerReference, podsFor } from "./fixtures.ts";
import { podsOf, strangersOf, withoutReferences } from "./references.ts";

const SET = aSet({ replicas: 1 });
const [POD] = podsFor(SET);

describe("the pods of a set", () => {
  const names = (...pods: Parameters<typeof podsOf>[1] extends Iterable<infer P> ? P[] : never) =>
    podsOf(SET, pods).map(({ metadata }) => metadata.name);

  it("are those that it owns", () => {
    expect(names(...podsFor(SET, { labels: {} }))).toEqual(["db-0"]);
  });

  it("are those that it would adopt: its name, its selector, no owner", () => {
    expect(names(...podsFor(SET, { ownerReferences: [] }))).toEqual(["db-0"]);
  });

  it("include one that belongs to another controller: it blocks the ordinal", () => {
    expect(names(...podsFor(SET, { ownerReferences: [ownerReference(aSet({ uid: "other" }))] }))).toEqual(["db-0"]);
  });

  it.each(["db-x", "db", "db2-0", "web-0", "db-0-0"])("are not %s", (name) => {
    expect(names(...podsFor(SET, { name }))).toEqual([]);
  });

  it("are not in another namespace", () => {
    expect(names(...podsFor(SET, { namespace: "test" }))).toEqual([]);
  });
});

describe("references of a claim that the garbage collector may act on", () => {
  const claim = (...owners: ReturnType<typeof ownerReference>[]) => aClaim("data-db-0", { owners });

  it.each([
    ["none", claim(), []],
    ["this set", claim(ownerReference(SET)), []],
    ["a pod of this set", claim(ownerReference(POD!)), []],
    ["a set of the same name that is gone", claim(ownerReference(SET, "old")), ["old"]],
    ["a pod of the same name that is gone", claim(ownerReference(POD!, "old")), ["old"]],
    [
      "a custom resource that keeps the data as long as it lives",
      claim({ apiVersion: "moco.cybozu.com/v1beta2", kind: "MySQLCluster", name: "x", uid: "mine" }),
      [],
    ],
  ])("%s", (_, claim, expected) => {
    expect(strangersOf(claim, SET, [POD!]).map(({ uid }) => uid)).toEqual(expected);
  });
});

it("references are removed by uid, and all others stay", () => {
  const other = { apiVersion: "v1", kind: "Thing", name: "t", uid: "t" };
  const claim = aClaim("data-db-0", { owners: [ownerReference(SET), other] });
  expect(withoutReferences(claim, new Set(["uid-db"])).metadata.ownerReferences).toEqual([other]);
  expect(withoutReferences(claim, new Set(["else"]))).toBe(claim);
});
