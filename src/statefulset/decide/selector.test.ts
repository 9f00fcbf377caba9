import { expect, it } from "vitest";
import { selects, selectsByLabels } from "./selector.ts";

it.each([
  ["matchLabels that are all there", { matchLabels: { app: "db" } }, { app: "db", tier: "x" }, true],
  ["matchLabels that differ", { matchLabels: { app: "db" } }, { app: "web" }, false],
  ["no labels at all", { matchLabels: { app: "db" } }, undefined, false],
  ["an empty selector", {}, undefined, true],
  ["In", { matchExpressions: [{ key: "app", operator: "In", values: ["a", "db"] }] }, { app: "db" }, true],
  ["In, missing", { matchExpressions: [{ key: "app", operator: "In", values: ["db"] }] }, {}, false],
  ["NotIn", { matchExpressions: [{ key: "app", operator: "NotIn", values: ["db"] }] }, { app: "db" }, false],
  ["NotIn, missing", { matchExpressions: [{ key: "app", operator: "NotIn", values: ["db"] }] }, {}, true],
  ["Exists", { matchExpressions: [{ key: "app", operator: "Exists" }] }, { app: "" }, true],
  ["DoesNotExist", { matchExpressions: [{ key: "app", operator: "DoesNotExist" }] }, { app: "" }, false],
  ["an operator that nobody knows", { matchExpressions: [{ key: "app", operator: "Near" }] }, { app: "db" }, false],
])("%s", (_, selector, labels, expected) => {
  expect(selects(selector, labels)).toBe(expected);
});

it("a claim carries no more than matchLabels, so expressions say nothing about it", () => {
  const selector = { matchLabels: { app: "db" }, matchExpressions: [{ key: "tier", operator: "Exists" }] };
  expect(selectsByLabels(selector, { app: "db" })).toBe(true);
});
