import { describe, expect, test } from "vitest";
import type { OwnerReference, PersistentVolumeClaim } from "../../../../core/types.ts";
import { aPod, aSet } from "../testing/objects.ts";
import { controllerReference } from "./names.ts";
import { changedTies, hasForeignController, isLeaving } from "./retention.ts";

const set = aSet();
const pod = aPod(set, { ordinal: 0 });
const BY_SET = controllerReference("StatefulSet", set);
const BY_POD = controllerReference("Pod", pod);
const FORMER_SET = { ...BY_SET, uid: "former" };
const FORMER_POD = { ...BY_POD, uid: "former" };
const STRANGER: OwnerReference = { apiVersion: "x/v1", kind: "Backup", name: "b", uid: "b", controller: true };
const KEEPER: OwnerReference = { apiVersion: "x/v1", kind: "Keeper", name: "k", uid: "k" };

const claim = (...ownerReferences: OwnerReference[]): PersistentVolumeClaim => ({
  metadata: { name: "data-db-0", namespace: "prod", ownerReferences },
  spec: {},
});
const withPolicy = (whenScaled: string, whenDeleted: string) =>
  aSet({ persistentVolumeClaimRetentionPolicy: { whenScaled, whenDeleted } });

describe("owner references by retention policy", () => {
  test.each([
    ["Retain", "Retain", true, []],
    ["Retain", "Retain", false, []],
    ["Retain", "Delete", true, [BY_SET]],
    ["Retain", "Delete", false, [BY_SET]],
    ["Delete", "Retain", true, []],
    ["Delete", "Retain", false, [BY_POD]],
    ["Delete", "Delete", true, [BY_SET]],
    ["Delete", "Delete", false, [BY_POD]],
  ] as const)("whenScaled %s, whenDeleted %s, in range %s", (whenScaled, whenDeleted, inRange, wanted) => {
    const policy = withPolicy(whenScaled, whenDeleted);
    for (const before of [[], [BY_SET], [BY_POD], [KEEPER], [KEEPER, BY_POD]]) {
      const others = before.filter((reference) => reference === KEEPER);
      const after = changedTies(claim(...before), policy, { pod, inRange }) ?? before;
      expect(after).toEqual([...others, ...wanted]);
      expect(changedTies(claim(...after), policy, { pod, inRange })).toBeUndefined();
    }
  });

  test("no policy at all keeps claims", () => {
    expect(changedTies(claim(BY_SET), set, { pod, inRange: true })).toEqual([]);
  });

  test("a reference that is no controller's becomes one", () => {
    const { controller: _, ...loose } = BY_SET;
    expect(changedTies(claim(loose), withPolicy("Retain", "Delete"), { pod, inRange: true })).toEqual([BY_SET]);
  });

  test.each([
    ["a former set", FORMER_SET],
    ["a former pod", FORMER_POD],
  ])("a claim of %s is left to the garbage collector", (_, reference) => {
    for (const policy of [withPolicy("Delete", "Delete"), withPolicy("Retain", "Retain")]) {
      for (const before of [claim(reference), claim(reference, BY_SET), claim(reference, BY_POD)]) {
        expect(changedTies(before, policy, { pod, inRange: true })).toBeUndefined();
      }
    }
  });

  test("another controller's claim is let go, and not taken", () => {
    const policy = withPolicy("Delete", "Delete");
    expect(hasForeignController(claim(STRANGER), policy, pod)).toBe(true);
    expect(changedTies(claim(STRANGER), policy, { pod, inRange: true })).toBeUndefined();
    const ours = { ...BY_SET, controller: false };
    expect(changedTies(claim(STRANGER, ours), policy, { pod, inRange: true })).toEqual([STRANGER]);
    expect(hasForeignController(claim(STRANGER), withPolicy("Retain", "Retain"), pod)).toBe(false);
  });
});

test("a claim that goes with a former pod holds up the new one, but only where scaling down deletes", () => {
  expect(isLeaving(claim(FORMER_POD), withPolicy("Delete", "Retain"), pod)).toBe(true);
  expect(isLeaving(claim(FORMER_POD), withPolicy("Retain", "Delete"), pod)).toBe(false);
  expect(isLeaving(claim(BY_POD), withPolicy("Delete", "Retain"), pod)).toBe(false);
});
