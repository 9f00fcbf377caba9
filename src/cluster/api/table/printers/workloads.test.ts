import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../json.ts";
import { cellsByName, made } from "../fixtures.ts";
import {
  controllerRevisions,
  cronJobs,
  daemonSets,
  deployments,
  jobs,
  podTemplates,
  replicaSets,
  replicationControllers,
  statefulSets,
} from "./workloads.ts";

const template: JsonObject = {
  metadata: { labels: { b: "2", a: "1" } },
  spec: {
    containers: [
      { name: "db", image: "db:1" },
      { name: "log", image: "log:2" },
    ],
    nodeSelector: { disk: "ssd" },
  },
};
const selector: JsonObject = { matchLabels: { app: "db" } };

test("a StatefulSet tells how many are ready of how many are wanted", () => {
  expect(cellsByName(statefulSets, made({ spec: { replicas: 3, template }, status: { readyReplicas: 2 } }))).toEqual({
    Name: "it",
    Ready: "2/3",
    Age: "5d12h",
    Containers: "db,log",
    Images: "db:1,log:2",
  });
});

test("a Deployment tells of its rollout", () => {
  const status = { readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1 };
  const shown = { Ready: "1/3", "Up-to-date": 2, Available: 1, Selector: "app=db" };
  expect(cellsByName(deployments, made({ spec: { replicas: 3, template, selector }, status }))).toMatchObject(shown);
});

describe("a selector that", () => {
  const wrong = { matchExpressions: [{ key: "a", operator: "Near", values: ["b"] }] };
  test.each([
    ["is empty", {}, "<none>", ""],
    ["makes no sense", wrong, "<error>", "<invalid>"],
  ])("%s is told by a ReplicaSet and by a Deployment in their own ways", (_, given, replicaSet, deployment) => {
    const object = made({ spec: { selector: given } });
    expect(cellsByName(replicaSets, object)["Selector"]).toBe(replicaSet);
    expect(cellsByName(deployments, object)["Selector"]).toBe(deployment);
  });
});

test("a ReplicationController selects by plain labels", () => {
  const object = made({ spec: { replicas: 2, selector: { b: "2", a: "1" } }, status: { replicas: 1 } });
  const shown = { Desired: 2, Current: 1, Ready: 0, Selector: "a=1,b=2" };
  expect(cellsByName(replicationControllers, object)).toMatchObject(shown);
});

test("a DaemonSet counts nodes", () => {
  const status = { desiredNumberScheduled: 5, currentNumberScheduled: 4, numberReady: 3, numberAvailable: 1 };
  const shown = { Desired: 5, Current: 4, Ready: 3, "Up-to-date": 0, Available: 1, "Node Selector": "disk=ssd" };
  expect(cellsByName(daemonSets, made({ spec: { template, selector }, status }))).toMatchObject(shown);
  expect(cellsByName(daemonSets, made({}))["Node Selector"]).toBe("<none>");
});

test("a PodTemplate shows its labels in order, and no age", () => {
  const shown = { Name: "it", Containers: "db,log", Images: "db:1,log:2", "Pod Labels": "a=1,b=2" };
  expect(cellsByName(podTemplates, made({ template }))).toEqual(shown);
});

describe("the controller of a ControllerRevision", () => {
  const owner = { kind: "StatefulSet", name: "db", controller: true };
  test.each([
    ["with a group", [{ ...owner, apiVersion: "apps/v1" }], "statefulset.apps/db"],
    ["of the core group", [{ ...owner, apiVersion: "v1" }], "statefulset/db"],
    ["is not just any owner", [{ ...owner, apiVersion: "apps/v1", controller: false }], "<none>"],
    ["may be missing", [], "<none>"],
  ])("%s", (_, ownerReferences, shown) => {
    const revision = made({ revision: 3 }, { ownerReferences });
    expect(cellsByName(controllerRevisions, revision)).toMatchObject({ Controller: shown, Revision: 3 });
  });
});

describe("a Job", () => {
  const holds = (...types: string[]): JsonObject => ({ conditions: types.map((type) => ({ type, status: "True" })) });
  test.each([
    [holds(), {}, "Running"],
    [holds("SuccessCriteriaMet", "Complete"), {}, "Complete"],
    [holds("FailureTarget", "Failed"), {}, "Failed"],
    [holds("FailureTarget"), {}, "FailureTarget"],
    [holds("SuccessCriteriaMet"), {}, "SuccessCriteriaMet"],
    [holds("Suspended"), {}, "Suspended"],
    [holds("Suspended"), { deletionTimestamp: "2026-03-01T11:59:00Z" }, "Terminating"],
    [holds("Complete"), { deletionTimestamp: "2026-03-01T11:59:00Z" }, "Complete"],
  ])("with %j %j is %s", (status, metadata, shown) => {
    expect(cellsByName(jobs, made({ status }, metadata))["Status"]).toBe(shown);
  });

  test.each([
    [{ completions: 5 }, "2/5"],
    [{ parallelism: 1 }, "2/1"],
    [{ parallelism: 4 }, "2/1 of 4"],
    [{}, "2/1"],
  ])("with %j has completions %s", (spec, shown) => {
    expect(cellsByName(jobs, made({ spec, status: { succeeded: 2 } }))["Completions"]).toBe(shown);
  });

  test.each([
    [{}, ""],
    [{ startTime: "2026-03-01T08:55:00Z" }, "3h5m"],
    [{ startTime: "2026-03-01T08:55:00Z", completionTime: "2026-03-01T08:56:30Z" }, "90s"],
  ])("with %j takes %s", (status, shown) => {
    expect(cellsByName(jobs, made({ status }))["Duration"]).toBe(shown);
  });
});

test("a CronJob tells its schedule, when it ran last and whether it is paused", () => {
  const spec = { schedule: "@daily", suspend: false, jobTemplate: { spec: { template } } };
  expect(cellsByName(cronJobs, made({ spec }))).toMatchObject({
    Schedule: "@daily",
    Timezone: "<none>",
    Suspend: "False",
    Active: 0,
    "Last Schedule": "<none>",
    Containers: "db,log",
    Selector: "<none>",
  });
  const busy = made({
    spec: { ...spec, suspend: true, timeZone: "Europe/Berlin" },
    status: { active: [{}, {}], lastScheduleTime: "2026-03-01T00:00:00Z" },
  });
  const shown = { Timezone: "Europe/Berlin", Suspend: "True", Active: 2, "Last Schedule": "12h" };
  expect(cellsByName(cronJobs, busy)).toMatchObject(shown);
  expect(cellsByName(cronJobs, made({}))["Suspend"]).toBe("<unset>");
});
