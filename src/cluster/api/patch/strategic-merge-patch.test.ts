import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import { kindType } from "../schema/schema.ts";
import { strategicMergePatch } from "./strategic-merge-patch.ts";
import { arbitraryObject } from "./testing/arbitrary-object.ts";
import { strategicDiff } from "./testing/strategic-diff.ts";

const POD = kindType("v1", "Pod")!;
const patchSpec = (spec: JsonObject, patch: JsonObject) => strategicMergePatch({ spec }, { spec: patch }, POD)["spec"];
const patchMeta = (metadata: JsonObject, patch: JsonObject) =>
  strategicMergePatch({ metadata }, { metadata: patch }, POD)["metadata"];
const named = (...names: string[]) => names.map((name) => ({ name }));

describe("maps", () => {
  test.each<[string, JsonObject, JsonObject, JsonObject]>([
    ["a value replaces", { hostname: "a" }, { hostname: "b" }, { hostname: "b" }],
    ["null removes", { hostname: "a", nodeName: "n" }, { hostname: null }, { nodeName: "n" }],
    ["null removes nothing that is not there", { nodeName: "n" }, { hostname: null }, { nodeName: "n" }],
    ["nulls in what is new are dropped", {}, { dnsConfig: { options: null } }, { dnsConfig: {} }],
    [
      "$patch: replace takes the patch as it is",
      { securityContext: { runAsUser: 1 } },
      { securityContext: { fsGroup: 2, $patch: "replace" } },
      { securityContext: { fsGroup: 2 } },
    ],
    [
      "$patch: delete leaves an empty map",
      { securityContext: { runAsUser: 1 } },
      { securityContext: { $patch: "delete" } },
      { securityContext: {} },
    ],
    ["$patch on what is not there leaves nothing", {}, { securityContext: { $patch: "delete" } }, {}],
    [
      "$retainKeys clears the other keys",
      { securityContext: { runAsUser: 1, fsGroup: 2 } },
      { securityContext: { $retainKeys: ["fsGroup"], fsGroup: 3 } },
      { securityContext: { fsGroup: 3 } },
    ],
  ])("%s", (_, before, patch, after) => {
    expect(patchSpec(before, patch)).toEqual(after);
  });
});

describe("lists with a merge key", () => {
  const containers = [
    { name: "a", image: "1" },
    { name: "b", image: "2" },
  ];

  test.each<[string, JsonObject, JsonObject[]]>([
    [
      "an item merges with the one of the same key",
      { containers: [{ name: "b", image: "3" }] },
      [
        { name: "a", image: "1" },
        { name: "b", image: "3" },
      ],
    ],
    [
      "a new item comes first where nothing else says so",
      { containers: [{ name: "c" }] },
      [{ name: "c" }, ...containers],
    ],
    [
      "$patch: delete takes an item out",
      { containers: [{ name: "a", $patch: "delete" }] },
      [{ name: "b", image: "2" }],
    ],
    ["$patch: replace takes all others out", { containers: [{ name: "c" }, { $patch: "replace" }] }, [{ name: "c" }]],
    ["$setElementOrder orders", { "$setElementOrder/containers": named("b", "a") }, [...containers].reverse()],
    [
      "$setElementOrder keeps what it does not name where it was",
      { "$setElementOrder/containers": named("c", "a"), containers: [{ name: "c" }] },
      [{ name: "c" }, { name: "a", image: "1" }, { name: "b", image: "2" }],
    ],
  ])("%s", (_, patch, after) => {
    expect(patchSpec({ containers }, patch)).toEqual({ containers: after });
  });

  test("lists without one are replaced", () => {
    const before = { tolerations: [{ key: "a" }] };
    expect(patchSpec(before, { tolerations: [{ key: "b" }] })).toEqual({ tolerations: [{ key: "b" }] });
  });
});

describe("lists of scalars that merge", () => {
  test.each<[string, JsonObject, string[]]>([
    ["are joined, each item once", { finalizers: ["b", "c"] }, ["a", "b", "c"]],
    ["$deleteFromPrimitiveList takes items out", { "$deleteFromPrimitiveList/finalizers": ["a", "z"] }, ["b"]],
    ["$setElementOrder orders them", { "$setElementOrder/finalizers": ["b", "a"] }, ["b", "a"]],
  ])("%s", (_, patch, finalizers) => {
    expect(patchMeta({ finalizers: ["a", "b"] }, patch)).toEqual({ finalizers });
  });
});

describe("a patch that does not fit is refused in Kubernetes' words", () => {
  const containers = [{ name: "a" }];
  test.each<[JsonObject, number, string]>([
    [{ containers: [{ image: "x" }] }, 500, "map: map[image:x] does not contain declared merge key: name"],
    [{ containers: [{ name: "a", $patch: "merge" }] }, 500, "merging lists cannot yet be specified in the patch"],
    [{ containers: [{ name: "a", $patch: "keep" }] }, 500, "unknown patch type: keep in map: map[$patch:keep name:a]"],
    [{ containers: ["a"] }, 500, "list element types are not identical: [[map[name:a]] [a]]"],
    [{ $patch: "merge" }, 500, "unknown patch type: merge in map: map[$patch:merge]"],
    [{ $retainKeys: "containers" }, 400, "invalid patch format of retainKeys"],
    [{ $retainKeys: ["containers"], hostname: "x" }, 400, "invalid patch format of retainKeys"],
    [{ $deleteFromPrimitiveList: ["x"] }, 400, "invalid patch format of primitive list"],
    [{ $setElementOrder: ["x"] }, 400, "invalid patch format of setElementOrder list"],
    [{ "$setElementOrder/containers": "a" }, 500, "expected a []interface {}, but received a string"],
    [
      { "$setElementOrder/nothing": [{ name: "a" }] },
      500,
      'unable to find api field in struct PodSpec for the json field "nothing"',
    ],
    [
      { "$setElementOrder/containers": named("a"), containers: named("b") },
      500,
      "The order in patch list:\n[map[name:b]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n",
    ],
  ])("%j", (patch, code, message) => {
    expect(() => patchSpec({ containers }, patch)).toThrow(expect.objectContaining({ code, message }));
  });
});

test("the given objects are left as they are", () => {
  const before = { metadata: { labels: { a: "1" } }, spec: { containers: [{ name: "a" }] } };
  const patch = { spec: { containers: [{ name: "a", $patch: "delete" }] }, metadata: { labels: { a: null } } };
  const copies = structuredClone([before, patch]);
  strategicMergePatch(before, patch, POD);
  expect([before, patch]).toEqual(copies);
});

test.each(["core.v1.Pod", "core.v1.PodSpec", "core.v1.Container", "apps.v1.StatefulSet", "core.v1.Service"])(
  "the difference of any two of %s makes one of the other",
  (ref) => {
    const type = { ref };
    fc.assert(
      fc.property(arbitraryObject(ref), arbitraryObject(ref), (before, after) => {
        const patch = strategicDiff(before, after, type);
        expect(strategicMergePatch(before, patch, type)).toEqual(after);
      }),
      { seed: 20_261_115, numRuns: 200 },
    );
  },
);
