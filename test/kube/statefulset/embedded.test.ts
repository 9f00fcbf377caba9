/** The growth of StatefulSets on a cluster whose API server does not take edits of templates, as stock Kubernetes. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_GATES, type Gates } from "../../../src/core/gates.ts";
import { WISH_ANNOTATION } from "../../../src/core/names.ts";
import { STATEFUL_SETS, systemTimers, type Timers } from "../../../src/kube/index.ts";
import { type GrowthController, startGrowth, type VolumeExpansion } from "../../../src/statefulset/index.ts";
import { waitFor } from "../wait.ts";
import { NAMESPACE, openStage, type Stage } from "./embedded-stage.ts";

const OFF: Gates = { ...DEFAULT_GATES, StatefulSetVolumeExpansion: false };
/** A set must be a minute old before it is re-created. */
const LATER: Timers = { ...systemTimers, now: () => systemTimers.now() + 120_000 };

let stage: Stage;
let growth: GrowthController;

const begin = async (gates: Gates = DEFAULT_GATES): Promise<void> => {
  growth = startGrowth({ client: stage.client, gates, timers: LATER });
  await growth.synced;
};
beforeAll(async () => {
  stage = await openStage({ gates: OFF, without: ["growth"] });
  await begin();
});
afterAll(async () => {
  await growth?.stop();
  await stage?.stop();
});

const conditions = ({ status }: VolumeExpansion): string[] =>
  (status?.conditions ?? []).filter(({ status }) => status === "True").map(({ type, reason }) => `${type} ${reason}`);
const rows = ({ status }: VolumeExpansion): string[] =>
  (status?.claims ?? []).map(({ name, from, to, state }) => `${name} ${from} ${to} ${state}`);

test("a wish grows the claims and the template, and nobody is restarted", async () => {
  const policy = { whenDeleted: "Delete", whenScaled: "Retain" };
  const before = await stage.create("db", { spec: { persistentVolumeClaimRetentionPolicy: policy } });
  const members = await stage.uids("db");
  await stage.wish("db", "data=2Gi");
  const record = await stage.done("db");
  expect(record.spec).toEqual({ statefulSetName: "db", claims: [{ template: "data", storage: "2Gi" }] });
  expect(rows(record)).toEqual(["data-db-0 1Gi 2Gi Done", "data-db-1 1Gi 2Gi Done", "data-db-2 1Gi 2Gi Done"]);
  expect(record.status?.done).toBe("3/3");
  expect(conditions(record)).toEqual(["Ready Grown"]);
  expect(record.metadata.ownerReferences).toBeUndefined();

  const after = await stage.set("db");
  expect(after.metadata.uid).not.toBe(before.metadata.uid);
  expect(await stage.uids("db")).toEqual(members);
  expect(await stage.sizes("db")).toEqual(["2Gi/2Gi", "2Gi/2Gi", "2Gi/2Gi"]);
  expect(after.spec.volumeClaimTemplates?.[0]?.spec.resources?.requests).toEqual({ storage: "2Gi" });
  expect(after.spec.persistentVolumeClaimRetentionPolicy).toEqual(policy);
  expect(after.metadata.annotations).toBeUndefined();
  expect(after.status?.currentRevision).toBe(before.status?.currentRevision);

  await waitFor("the events", async () => {
    const reasons = async (name: string) => (await stage.events(name)).map(({ reason }) => reason);
    return (await reasons("data-db-0")).includes("Growing") && (await reasons("db")).includes("Grown");
  });
});

test("a wish that cannot be read is told on the set and in the record, and nothing is done; mended, it grows", async () => {
  await stage.create("slip", { replicas: 1 });
  await stage.wish("slip", "data=lots");
  const record = await stage.says("slip", "that it is refused", (each) => conditions(each).includes("Stalled Refused"));
  expect(record.status?.phase).toBe("Stopped");
  expect(record.status?.conditions?.[0]?.message).toContain('"lots" is not a size');
  await waitFor("the event", async () =>
    (await stage.events("slip")).some(
      ({ type, involvedObject }) => type === "Warning" && involvedObject.kind === "StatefulSet",
    ),
  );
  expect(await stage.sizes("slip")).toEqual(["1Gi/1Gi"]);
  await stage.wish("slip", "data=2Gi");
  await stage.done("slip");
  expect(await stage.sizes("slip")).toEqual(["2Gi/2Gi"]);
});

describe("a size that the storage does not have", () => {
  test("stops one by one at the first; a smaller wish recovers it, and the others follow", async () => {
    await stage.create("flaky", { className: "flaky-infeasible" });
    await stage.order("flaky", { rollout: { mode: "OneByOne" } });
    await stage.wish("flaky", "data=20Gi");
    const stopped = await stage.says("flaky", "that it has stopped", ({ status }) => status?.phase === "Stopped");
    expect(rows(stopped)).toEqual([
      "data-flaky-0 1Gi 20Gi Pending",
      "data-flaky-1 1Gi 20Gi Pending",
      "data-flaky-2 1Gi 20Gi Failed",
    ]);
    expect(conditions(stopped)).toEqual(["Stalled ClaimFailed"]);
    await stage.wish("flaky", "data=5Gi");
    const done = await stage.done("flaky");
    expect(await stage.sizes("flaky")).toEqual(["5Gi/5Gi", "5Gi/5Gi", "5Gi/5Gi"]);
    expect(done.spec.rollout).toEqual({ mode: "OneByOne" });
  });
});

test("volumes that grow only when they are not in use: pods are restarted, one after the other", async () => {
  await stage.create("offline", { replicas: 2, className: "flaky-offline" });
  const before = await stage.uids("offline");
  await stage.wish("offline", "data=2Gi");
  const stalled = await stage.says("offline", "that a pod is in the way", (each) =>
    conditions(each).includes("Stalled VolumeInUse"),
  );
  expect(stalled.status?.conditions?.[0]?.message).toContain("set restartPods: WhenNeeded");
  await stage.order("offline", { restartPods: "WhenNeeded" });
  await stage.done("offline");
  expect(await stage.sizes("offline")).toEqual(["2Gi/2Gi", "2Gi/2Gi"]);
  const after = await stage.uids("offline");
  expect(after.filter((each) => before.includes(each))).toEqual(before.filter((each) => each.startsWith("data-")));
});

test("the gate: off, nothing new starts; on again, what was missed is made up for", async () => {
  await stage.create("gated", { replicas: 1 });
  await growth.stop();
  await begin(OFF);
  await stage.wish("gated", "data=2Gi");
  const told = await stage.says("gated", "that the gate is off", (each) =>
    conditions(each).includes("Stalled Refused"),
  );
  expect(told.status?.conditions?.[0]?.message).toContain("feature gate StatefulSetVolumeExpansion is off");
  expect(await stage.sizes("gated")).toEqual(["1Gi/1Gi"]);
  await growth.stop();
  await begin();
  await stage.done("gated");
  expect(await stage.sizes("gated")).toEqual(["2Gi/2Gi"]);
});

test("a record that somebody made for a set that is not there says so, and is kept", async () => {
  await stage.order("nobody", { restartPods: "Never" });
  const record = await stage.says("nobody", "that there is none", (each) =>
    conditions(each).includes("Stalled Refused"),
  );
  expect(record.status?.conditions?.[0]?.message).toContain("there is no StatefulSet nobody");
});

test("a wish that somebody keeps in a manifest stays on the set", async () => {
  await stage.create("kept", { replicas: 1 });
  const body = {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name: "kept", annotations: { [WISH_ANNOTATION]: "data=2Gi" } },
    spec: { replicas: 1 },
  };
  const patch = { type: "apply", body, force: true } as const;
  await stage.client.patch(STATEFUL_SETS, { namespace: NAMESPACE, name: "kept" }, patch, { fieldManager: "argocd" });
  await stage.done("kept");
  const set = await stage.set("kept");
  expect(set.metadata.annotations).toEqual({ [WISH_ANNOTATION]: "data=2Gi" });
  expect(set.spec.volumeClaimTemplates?.[0]?.spec.resources?.requests).toEqual({ storage: "2Gi" });
});
