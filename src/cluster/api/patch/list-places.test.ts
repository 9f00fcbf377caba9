import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../json.ts";
import { kindType } from "../schema/schema.ts";
import { placesIn } from "./list-places.ts";
import { strategicMergePatch } from "./strategic-merge-patch.ts";

describe("the place of an item", () => {
  test.each<[string, Json[], Json, number]>([
    ["is that of the first with its key", [{ name: "a" }, { name: "b", x: 1 }, { name: "b" }], { name: "b" }, 1],
    ["is none where no item has its key", [{ name: "a" }], { name: "b" }, -1],
    ["is none in an empty list, whatever it is", [], 5, -1],
    ["tells a number from the text of it", [{ name: "1" }, { name: 1 }], { name: 1 }, 1],
    ["does not mind the order of keys in a key", [{ name: { a: 1, b: 2 } }], { name: { b: 2, a: 1 } }, 0],
    ["before one without a key is found", [{ name: "a" }, { x: 1 }], { name: "a" }, 0],
  ])("%s", (_, list, item, place) => {
    expect(placesIn(list, "name")(item)).toBe(place);
  });

  test.each<[string, Json[], Json, string]>([
    ["behind one without a key", [{ x: 1 }, { name: "a" }], { name: "a" }, "map: map[x:1] does not contain declared"],
    [
      "behind a scalar",
      ["x", { name: "a" }],
      { name: "a" },
      "expected a map[string]interface {}, but received a string",
    ],
    ["of an item without a key", [{ name: "a" }], { x: 2 }, "map: map[x:2] does not contain declared merge key: name"],
  ])("%s is an error", (_, list, item, message) => {
    expect(() => placesIn(list, "name")(item)).toThrow(message);
  });

  test("of a scalar is that of its like", () => {
    expect(["b", "c", 1].map(placesIn(["a", "b", "1", "b"], undefined))).toEqual([1, -1, -1]);
  });
});

/** Items that count how often their names are read. */
function counted(count: number, more: (index: number) => JsonObject) {
  const reads = { count: 0 };
  const items = Array.from({ length: count }, (_, index) => {
    const get = (item: JsonObject, key: string): Json | undefined => {
      if (key === "name") reads.count++;
      return item[key];
    };
    return new Proxy<JsonObject>({ name: `n${index}`, ...more(index) }, { get });
  });
  return { items, reads };
}

describe("twice as many items are twice as much work", () => {
  const POD = kindType("v1", "Pod")!;
  test.each<[string, (index: number) => JsonObject]>([
    ["merged", () => ({ image: "x" })],
    ["deleted", () => ({ $patch: "delete" })],
    ["some of each", (index) => (index % 2 === 0 ? { image: "x" } : { $patch: "delete" })],
  ])("%s", (_, more) => {
    const readsFor = (count: number): number => {
      const live = counted(count, () => ({ image: "i" }));
      const patch = counted(count, more);
      patch.items.reverse();
      const order = patch.items.filter((item) => item["$patch"] === undefined);
      const spec = { containers: patch.items, "$setElementOrder/containers": order };
      strategicMergePatch({ spec: { containers: live.items } }, { spec }, POD);
      return live.reads.count + patch.reads.count;
    };
    expect(readsFor(2000) / readsFor(1000)).toBeLessThan(2.1);
  });
});
