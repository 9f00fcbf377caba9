import { expect, test } from "vitest";
import { createFollowers, type Followed } from "./followers.ts";

function followed(traits: Partial<Followed>): Followed {
  return { namespace: "prod", sets: [], setSelectors: [], claimSelectors: [], ...traits };
}

const labelled = (labels: Record<string, string>, namespace = "prod") => ({
  metadata: { name: "x", namespace, labels },
});

test("news about a set find the resources that name it, whether it exists or not", () => {
  const followers = createFollowers();
  followers.note("moco/prod/shop", followed({ sets: ["prod/moco-shop"] }));
  expect(followers.concernedBySet("prod/moco-shop", undefined)).toEqual(["moco/prod/shop"]);
  expect(followers.concernedBySet("prod/other", undefined)).toEqual([]);
});

test("a set that is new finds the resources whose labels it carries, of its own namespace", () => {
  const followers = createFollowers();
  const selector = { matchLabels: { cluster: "shop" } };
  followers.note("es/prod/shop", followed({ setSelectors: [selector] }));
  followers.note("es/test/shop", followed({ namespace: "test", setSelectors: [selector] }));
  expect(followers.concernedBySet("prod/new", labelled({ cluster: "shop" }))).toEqual(["es/prod/shop"]);
  expect(followers.concernedBySet("prod/new", labelled({ cluster: "other" }))).toEqual([]);
});

test("a claim finds those that select claims, and those alone", () => {
  const followers = createFollowers();
  const selector = { matchLabels: { cluster: "shop" } };
  followers.note("pg/prod/shop", followed({ claimSelectors: [selector] }));
  followers.note("es/prod/shop", followed({ setSelectors: [selector] }));
  expect(followers.concernedByClaim(labelled({ cluster: "shop" }))).toEqual(["pg/prod/shop"]);
});

test("who comes to speak for a set, or no longer does, matters to the others that do", () => {
  const followers = createFollowers();
  expect(followers.note("a/prod/x", followed({ sets: ["prod/s"] }))).toEqual([]);
  expect(followers.note("b/prod/x", followed({ sets: ["prod/s"] }))).toEqual(["a/prod/x"]);
  expect(followers.note("b/prod/x", followed({ sets: ["prod/s"] })), "nothing has changed").toEqual([]);
  expect(followers.ofSet("prod/s")).toEqual(["a/prod/x", "b/prod/x"]);
  expect(followers.note("b/prod/x", followed({ sets: ["prod/t"] }))).toEqual(["a/prod/x"]);
  expect(followers.ofSet("prod/s")).toEqual(["a/prod/x"]);
});

test("what is forgotten leaves nothing behind", () => {
  const followers = createFollowers();
  followers.note("a/prod/x", followed({ sets: ["prod/s"], claimSelectors: [{}] }));
  followers.note("b/prod/x", followed({ sets: ["prod/s"] }));
  expect(followers.forget("a/prod/x")).toEqual(["b/prod/x"]);
  expect(followers.forget("a/prod/x")).toEqual([]);
  expect(followers.setsOf("a/prod/x")).toEqual([]);
  expect(followers.concernedByClaim(labelled({}))).toEqual([]);
});
