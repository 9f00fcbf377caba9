import { expect, test } from "vitest";
import type { LabelSelector } from "../../core/types.ts";
import { selectorText } from "./read-fresh.ts";

test.each<[LabelSelector, string | undefined]>([
  [{}, undefined],
  [{ matchLabels: { app: "db", tier: "back" } }, "app=db,tier=back"],
  [{ matchExpressions: [{ key: "app", operator: "In", values: ["db", "cache"] }] }, "app in (db,cache)"],
  [{ matchExpressions: [{ key: "app", operator: "NotIn", values: ["web"] }] }, "app notin (web)"],
  [{ matchExpressions: [{ key: "app", operator: "Exists" }] }, "app"],
  [{ matchLabels: { a: "b" }, matchExpressions: [{ key: "old", operator: "DoesNotExist" }] }, "a=b,!old"],
])("a list request takes the selector %j as %j", (selector, text) => {
  expect(selectorText(selector)).toBe(text);
});
