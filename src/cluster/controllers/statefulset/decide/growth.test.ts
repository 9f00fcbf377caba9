import { describe, expect, test } from "vitest";
import { aClaim, aClass } from "../../../../admission/fixtures.ts";
import { storageClasses } from "../../../../admission/storage-classes.ts";
import { DEFAULT_GATES } from "../../../../core/gates.ts";
import type { PersistentVolumeClaim } from "../../../../core/types.ts";
import { aSet } from "../testing/objects.ts";
import { failureMessage, type Growth, growthOf } from "./growth.ts";

const set = aSet({
  volumeClaimTemplates: [{ metadata: { name: "data" }, spec: { resources: { requests: { storage: "20Gi" } } } }],
});
const classes = storageClasses([aClass("fast"), aClass("rigid", { allowVolumeExpansion: false })]);
const grow = (claims: PersistentVolumeClaim[], more: Partial<Parameters<typeof growthOf>[0]> = {}): Growth =>
  growthOf({ set, claims, others: [], classes, gates: DEFAULT_GATES, ...more });
const sizes = ({ resizes }: Growth): string[] => resizes.map(({ name, to }) => `${name} ${to}`);

describe("claims and their template", () => {
  test("smaller ones are raised, larger ones are left alone", () => {
    const claims = [aClaim({ name: "data-db-0" }), aClaim({ name: "data-db-1", request: "30Gi", capacity: "30Gi" })];
    expect(sizes(grow(claims))).toEqual(["data-db-0 20Gi"]);
  });

  test("what was scaled away is left alone", () => {
    expect(sizes(grow([aClaim({ name: "data-db-3" })]))).toEqual([]);
  });

  test("what is not bound yet waits", () => {
    expect(grow([aClaim({ name: "data-db-0", phase: "Pending" })])).toEqual({ resizes: [], refused: [] });
  });

  test("what the class refuses is not tried, and reported", () => {
    const { resizes, refused } = grow([
      aClaim({ name: "data-db-1", spec: { storageClassName: "rigid", resources: { requests: { storage: "10Gi" } } } }),
    ]);
    expect(resizes).toEqual([]);
    expect(refused).toMatchObject([{ claim: "data-db-1", ordinal: 1 }]);
    expect(refused[0]?.message).toContain("rigid");
  });

  test("a lower template recovers a claim whose expansion failed for good", () => {
    const failed = aClaim({
      name: "data-db-0",
      request: "100Gi",
      status: { allocatedResourceStatuses: { storage: "ControllerResizeInfeasible" } },
    });
    expect(sizes(grow([failed]))).toEqual(["data-db-0 20Gi"]);
  });

  test("with the gate off nothing is started, and nothing reported", () => {
    const gates = { ...DEFAULT_GATES, StatefulSetVolumeExpansion: false };
    expect(grow([aClaim({ name: "data-db-0" })], { gates })).toEqual({ resizes: [], refused: [] });
  });

  test("the wish of the controller for other clusters counts for nothing here", () => {
    const wishing = { ...set, metadata: { ...set.metadata, annotations: { "outgrow.dev/claims": "data=90Gi" } } };
    expect(sizes(grow([aClaim({ name: "data-db-0" })], { set: wishing }))).toEqual(["data-db-0 20Gi"]);
  });
});

test("of many failures the first are told, and how many more there are", () => {
  const failures = [0, 1, 2, 3, 4].map((ordinal) => ({ claim: `data-db-${ordinal}`, ordinal, message: "no" }));
  expect(failureMessage(failures)).toBe("data-db-0: no; data-db-1: no; data-db-2: no (and 2 more)");
});
