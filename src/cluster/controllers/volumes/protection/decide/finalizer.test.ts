import { expect, test } from "vitest";
import { aClaim } from "../../testing/objects.ts";
import { protectedBy, protectionStep, unprotectedBy } from "./finalizer.ts";

const OURS = "kubernetes.io/pvc-protection";
const GOING = { deletionTimestamp: "2026-01-01T00:00:00Z" };

test.each([
  [{}, "add"],
  [{ finalizers: ["other"] }, "add"],
  [{ finalizers: [OURS] }, "none"],
  [{ ...GOING, finalizers: ["other", OURS] }, "remove-when-unused"],
  [{ ...GOING, finalizers: ["other"] }, "none"],
])("%j: %s", (metadata, expected) => {
  expect(protectionStep({ name: "data", ...metadata }, OURS)).toBe(expected);
});

test("other finalizers stay", () => {
  const claim = aClaim("data", { metadata: { finalizers: ["other"] } });
  expect(protectedBy(claim, OURS).metadata.finalizers).toEqual(["other", OURS]);
  expect(unprotectedBy(protectedBy(claim, OURS), OURS)).toEqual(claim);
});
