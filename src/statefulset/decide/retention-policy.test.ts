import { describe, expect, it } from "vitest";
import type { RetentionPolicy } from "../../core/types.ts";
import { aSet } from "./fixtures.ts";
import { isSafePolicy, isSuspended, resumePolicy, SUSPENDED_POLICY, suspendPolicy } from "./retention-policy.ts";

const DELETES: RetentionPolicy = { whenDeleted: "Delete", whenScaled: "Retain" };

describe("a policy is safe when it never ties a claim to anything", () => {
  it.each<[RetentionPolicy | undefined, boolean]>([
    [undefined, true],
    [{}, true],
    [{ whenDeleted: "Retain", whenScaled: "Retain" }, true],
    [{ whenDeleted: "Delete", whenScaled: "Retain" }, false],
    [{ whenDeleted: "Retain", whenScaled: "Delete" }, false],
    [{ whenScaled: "Delete" }, false],
  ])("%j: %s", (policy, safe) => {
    expect(isSafePolicy(policy)).toBe(safe);
  });
});

it("a safe policy is not touched", () => {
  const set = aSet();
  expect(suspendPolicy(set)).toBe(set);
  expect(resumePolicy(set)).toBe(set);
});

it.each<RetentionPolicy>([
  DELETES,
  { whenDeleted: "Retain", whenScaled: "Delete" },
  { whenDeleted: "Delete", whenScaled: "Delete" },
])("%j is suspended, noted on the set, and comes back", (policy) => {
  const set = aSet({ policy });
  const suspended = suspendPolicy(set);
  expect(suspended.spec.persistentVolumeClaimRetentionPolicy).toEqual({ whenDeleted: "Retain", whenScaled: "Retain" });
  expect(isSuspended(suspended)).toBe(true);
  expect(suspendPolicy(suspended)).toBe(suspended);
  expect(resumePolicy(suspended)).toEqual(set);
});

it("a policy that somebody sets while another is suspended is the one that counts", () => {
  const suspended = suspendPolicy(aSet({ policy: { whenDeleted: "Retain", whenScaled: "Delete" } }));
  const changed = { ...suspended, spec: { ...suspended.spec, persistentVolumeClaimRetentionPolicy: DELETES } };
  expect(resumePolicy(changed).spec.persistentVolumeClaimRetentionPolicy).toEqual(DELETES);
  expect(resumePolicy(suspendPolicy(changed)).spec.persistentVolumeClaimRetentionPolicy).toEqual(DELETES);
});

it("a note that nobody can read means Retain: in doubt nothing is deleted", () => {
  const set = aSet({ metadata: { annotations: { [SUSPENDED_POLICY]: "garbled" } } });
  expect(isSafePolicy(resumePolicy(set).spec.persistentVolumeClaimRetentionPolicy)).toBe(true);
});
