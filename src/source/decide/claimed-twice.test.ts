import { expect, test } from "vitest";
import type { KubeObject } from "../../core/types.ts";
import { conflictsBetween, conflictText, type Following } from "./claimed-twice.ts";

const SET = "StatefulSet prod/moco-shop";

function source(name: string, creationTimestamp?: string): KubeObject {
  return { metadata: { name, ...(creationTimestamp !== undefined && { creationTimestamp }) } };
}

function cluster(name: string, creationTimestamp = "2026-01-01T00:00:00Z"): KubeObject {
  return { kind: "MySQLCluster", metadata: { name, namespace: "prod", creationTimestamp } };
}

function following(from: KubeObject, resource = cluster("shop"), follower = SET): Following {
  return { source: from, resource, follower };
}

const names = (followings: Following[]) =>
  conflictsBetween(followings).map(
    ({ winner, loser }) => `${winner.source.metadata.name} over ${loser.source.metadata.name}`,
  );

const old = source("old", "2026-01-01T00:00:00Z");
const young = source("a-young-one", "2026-02-01T00:00:00Z");

test("two sources that claim the same set: the second is refused with the name of the first", () => {
  const [conflict, ...rest] = conflictsBetween([following(young), following(old)]);
  expect(rest).toEqual([]);
  expect(conflict && conflictText(conflict)).toBe(
    'StatefulSet prod/moco-shop follows source "old" (MySQLCluster prod/shop) already, and not this source (MySQLCluster prod/shop)',
  );
});

test("of the same age, the first by name wins, in whatever order they come", () => {
  const twin = source("b", "2026-01-01T00:00:00Z");
  expect(names([following(old), following(twin)])).toEqual(["b over old"]);
  expect(names([following(twin), following(old)])).toEqual(["b over old"]);
});

test("one that was not stored yet is the youngest", () => {
  expect(names([following(source("a")), following(young)])).toEqual(["a-young-one over a"]);
});

test("three: the oldest wins over each of the others", () => {
  const third = source("third", "2026-03-01T00:00:00Z");
  expect(names([following(third), following(old), following(young)])).toEqual([
    "old over a-young-one",
    "old over third",
  ]);
});

test("different sets, and one that a resource names twice, are no conflict", () => {
  expect(conflictsBetween([following(old), following(young, cluster("shop"), "StatefulSet prod/other")])).toEqual([]);
  expect(conflictsBetween([following(old), following(old)])).toEqual([]);
});

test("two resources of one source: the older one wins", () => {
  const [conflict] = conflictsBetween([
    following(old, cluster("a", "2026-02-01T00:00:00Z")),
    following(old, cluster("b", "2026-01-01T00:00:00Z")),
  ]);
  expect(conflict && conflictText(conflict)).toBe(
    "StatefulSet prod/moco-shop follows MySQLCluster prod/b already, and not MySQLCluster prod/a",
  );
});
