/** What becomes of claims and volumes before they are checked. */
import { describe, expect, test } from "vitest";
import { DEFAULT_GATES } from "../../../core/gates.ts";
import type { JsonObject } from "../json.ts";
import { prepareClaim } from "./prepare-claim.ts";
import { prepareVolume } from "./prepare-volume.ts";
import { claim, clusterObject, NOW } from "./testing/cluster.ts";

const OFF = { ...DEFAULT_GATES, RecoverExpansionFailure: false };

describe("claims", () => {
  const snapshot = { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "s" };
  const foreign = { apiGroup: "example.com", kind: "Backup", name: "b" };
  const sourced = (spec: JsonObject) => claim("x", "1Gi", { spec, status: { phase: "Pending" } });

  test.each<{ name: string; given: JsonObject; after: JsonObject }>([
    {
      name: "one in the old field is in both",
      given: { dataSource: snapshot },
      after: { dataSource: snapshot, dataSourceRef: snapshot },
    },
    {
      name: "one in the new field is in both",
      given: { dataSourceRef: foreign },
      after: { dataSource: foreign, dataSourceRef: foreign },
    },
    { name: "a strange one in the old field is none", given: { dataSource: foreign }, after: {} },
    {
      name: "one of another namespace is none",
      given: { dataSourceRef: { ...foreign, namespace: "other" } },
      after: {},
    },
  ])("the data source of a new claim: $name", ({ given, after }) => {
    expect(prepareClaim(undefined, sourced(given), undefined, DEFAULT_GATES)).toEqual(sourced(after));
  });

  test("an update keeps a source that the client left out in one field", () => {
    const stored = sourced({ dataSource: snapshot, dataSourceRef: snapshot });
    expect(prepareClaim(stored, sourced({ dataSource: snapshot }), undefined, DEFAULT_GATES)).toEqual(stored);
  });

  test("an update writes no status, and a status no spec", () => {
    const stored = claim("x", "1Gi", { status: { phase: "Bound" } });
    const sent = claim("x", "2Gi", { status: { phase: "Lost" } });
    expect(prepareClaim(stored, sent, undefined, DEFAULT_GATES)).toMatchObject({
      spec: { resources: { requests: { storage: "2Gi" } } },
      status: { phase: "Bound" },
    });
    expect(prepareClaim(stored, sent, "status", DEFAULT_GATES)).toMatchObject({
      spec: { resources: { requests: { storage: "1Gi" } } },
      status: { phase: "Lost" },
    });
  });

  test("a record of recovery is dropped while the gate is off, unless there was one before", () => {
    const recorded = claim("x", "1Gi", { status: { phase: "Bound", allocatedResources: { storage: "2Gi" } } });
    const plain = claim("x", "1Gi", { status: { phase: "Bound" } });
    expect(prepareClaim(plain, recorded, "status", OFF)).toEqual(plain);
    expect(prepareClaim(recorded, recorded, "status", OFF)).toEqual(recorded);
    expect(prepareClaim(plain, recorded, "status", DEFAULT_GATES)).toEqual(recorded);
  });
});

describe("the time of a volume's phase", () => {
  const volume = (phase: string, lastPhaseTransitionTime?: string) =>
    clusterObject("v1", "PersistentVolume", "v", {
      status: { phase, ...(lastPhaseTransitionTime !== undefined && { lastPhaseTransitionTime }) },
    });
  const [earlier, now, told] = ["2026-01-01T00:00:00Z", "2026-03-01T12:00:00Z", "2026-02-02T00:00:00Z"];

  test.each<{ name: string; old: JsonObject | undefined; next: JsonObject; after: JsonObject }>([
    { name: "begins with it", old: undefined, next: volume("Pending"), after: volume("Pending", now) },
    {
      name: "is now when it changes",
      old: volume("Pending", earlier),
      next: volume("Bound", earlier),
      after: volume("Bound", now),
    },
    {
      name: "is what the client says, if it does",
      old: volume("Pending", earlier),
      next: volume("Bound", told),
      after: volume("Bound", told),
    },
    {
      name: "stays when it does not change",
      old: volume("Bound", earlier),
      next: volume("Bound"),
      after: volume("Bound", earlier),
    },
  ])("$name", ({ old, next, after }) => {
    expect(prepareVolume(old, next, NOW)).toEqual(after);
  });
});
