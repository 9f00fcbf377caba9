import { expect, test } from "vitest";
import { auditIdOf } from "./audit-id.ts";

test("a request without a name gets one of its own", () => {
  const [one, another] = [auditIdOf({}), auditIdOf({ "audit-id": "" })];
  expect(one).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(another).not.toBe(one);
});

test("what the client calls it is its name", () => {
  expect(auditIdOf({ "audit-id": "mine" })).toBe("mine");
});
