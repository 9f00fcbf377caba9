import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PersistentVolumeClaim, StatefulSet } from "../../core/types.ts";
import { claimsOf } from "./claim-ownership.ts";
import { aClaim, aSet, claimsFor } from "./fixtures.ts";

function owned(set: StatefulSet, claims: PersistentVolumeClaim[], others: StatefulSet[] = []): string[] {
  return claimsOf(set, claims, others).owned.map(
    ({ claim, inRange }) => `${claim.metadata.name}${inRange ? "" : " (left behind)"}`,
  );
}

describe("the claims of a set", () => {
  it("are named after template, set and ordinal, and come by ordinal and template", () => {
    const set = aSet({ replicas: 2 });
    expect(owned(set, claimsFor(set).reverse())).toEqual(["data-db-0", "wal-db-0", "data-db-1", "wal-db-1"]);
  });

  it("do not include names that only look alike", () => {
    const names = [
      "data-db",
      "data-db-",
      "data-db-x",
      "data-db-00",
      "data-db-01",
      "xdata-db-0",
      "data-dbx-0",
      "log-db-0",
    ];
    expect(
      owned(
        aSet(),
        names.map((name) => aClaim(name)),
      ),
    ).toEqual([]);
  });

  it("do not include those of another namespace", () => {
    expect(owned(aSet(), [aClaim("data-db-0", { metadata: { namespace: "test" } })])).toEqual([]);
  });

  it("are found by name within the ordinals, whatever their labels: the pod mounts them", () => {
    expect(owned(aSet(), [aClaim("data-db-0", { labels: {} })])).toEqual(["data-db-0"]);
  });

  it("above the replicas are those that scaling down left behind, if their labels say so", () => {
    const claims = [aClaim("data-db-3"), aClaim("data-db-4", { labels: { app: "else" } })];
    expect(owned(aSet({ replicas: 3 }), claims)).toEqual(["data-db-3 (left behind)"]);
  });

  it("begin at ordinals.start", () => {
    const claims = [aClaim("data-db-4"), aClaim("data-db-5"), aClaim("data-db-6"), aClaim("data-db-7")];
    expect(owned(aSet({ start: 5, replicas: 2 }), claims)).toEqual([
      "data-db-4 (left behind)",
      "data-db-5",
      "data-db-6",
      "data-db-7 (left behind)",
    ]);
  });

  it("of a set without replicas are all left behind", () => {
    expect(owned(aSet({ replicas: 0 }), [aClaim("data-db-0")])).toEqual(["data-db-0 (left behind)"]);
  });
});

describe("claims that do not exist yet", () => {
  it("are those within the ordinals", () => {
    const { missing } = claimsOf(aSet({ replicas: 2, start: 1 }), [aClaim("data-db-1"), aClaim("wal-db-2")]);
    expect(missing.map(({ name }) => name)).toEqual(["wal-db-1", "data-db-2"]);
  });
});

describe("a name that fits two sets: data-b-a-0 is template data of set b-a, or data-b of set a", () => {
  const a = aSet({ name: "a", templates: { "data-b": "1Gi" }, replicas: 1 });
  const ba = aSet({ name: "b-a", templates: { data: "1Gi" }, replicas: 1 });
  const claim = (labels: Record<string, string>) => aClaim("data-b-a-0", { labels });

  it.each([
    ["belongs to a when it is labelled for a", { app: "a" }, ["data-b-a-0"], []],
    ["belongs to b-a when it is labelled for b-a", { app: "b-a" }, [], ["data-b-a-0"]],
  ])("%s", (_, labels, toA, toBA) => {
    expect(owned(a, [claim(labels)], [a, ba])).toEqual(toA);
    expect(owned(ba, [claim(labels)], [a, ba])).toEqual(toBA);
  });

  it("is disputed when its labels do not tell", () => {
    const { owned, disputed, missing } = claimsOf(a, [claim({})], [a, ba]);
    expect(owned).toEqual([]);
    expect(disputed.map(({ claim, rivals }) => [claim.metadata.name, rivals])).toEqual([["data-b-a-0", ["b-a"]]]);
    expect(missing).toEqual([]);
  });

  it("is nobody else's where the other set has no such template, or lives in another namespace", () => {
    const elsewhere = { ...ba, metadata: { ...ba.metadata, namespace: "test" } };
    expect(owned(a, [claim({})], [aSet({ name: "b-a", templates: { wal: "1Gi" } }), elsewhere])).toEqual([
      "data-b-a-0",
    ]);
  });
});

it("no claim is ever owned by two sets", () => {
  const name = fc.constantFrom("a", "b", "a-b", "b-a", "a-b-a");
  const aSetOf = fc
    .tuple(name, fc.uniqueArray(name, { minLength: 1, maxLength: 3 }), fc.integer({ min: 0, max: 3 }))
    .map(([set, templates, replicas]) =>
      aSet({ name: set, replicas, templates: Object.fromEntries(templates.map((template) => [template, "1Gi"])) }),
    );
  const aClaimOf = fc
    .tuple(
      fc.array(fc.constantFrom("a", "b"), { minLength: 2, maxLength: 5 }),
      fc.integer({ min: 0, max: 3 }),
      fc.option(name),
    )
    .map(([parts, ordinal, label]) =>
      aClaim(`${parts.join("-")}-${ordinal}`, { labels: label === null ? {} : { app: label } }),
    );
  const sets = fc.uniqueArray(aSetOf, { selector: (set) => set.metadata.name, minLength: 2, maxLength: 5 });
  fc.assert(
    fc.property(sets, fc.uniqueArray(aClaimOf, { selector: (claim) => claim.metadata.name }), (sets, claims) => {
      const owners = sets.flatMap((set) => claimsOf(set, claims, sets).owned.map(({ claim }) => claim.metadata.name));
      expect(new Set(owners).size).toBe(owners.length);
    }),
    { seed: 661, numRuns: 500 },
  );
});
