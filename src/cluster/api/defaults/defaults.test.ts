import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import { prepareForCreate } from "./creation.ts";
import { withDefaults } from "./defaults.ts";

const statefulSet = (spec: JsonObject) => ({
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  metadata: { name: "db" },
  spec,
});
const pod = (spec: JsonObject) => ({ apiVersion: "v1", kind: "Pod", metadata: { name: "db-0" }, spec });

describe("a StatefulSet", () => {
  test("has what its controllers cannot do without", () => {
    expect(withDefaults(statefulSet({}))).toMatchObject({
      spec: {
        replicas: 1,
        revisionHistoryLimit: 10,
        podManagementPolicy: "OrderedReady",
        updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0 } },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Retain" },
      },
    });
  });

  test("keeps zeros that say something, and takes null for nothing", () => {
    expect(withDefaults(statefulSet({ replicas: 0, revisionHistoryLimit: null }))).toMatchObject({
      spec: { replicas: 0, revisionHistoryLimit: 10 },
    });
  });

  test("has templates that are whole claims", () => {
    const template = { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"] } };
    expect(withDefaults(statefulSet({ volumeClaimTemplates: [template] }))).toMatchObject({
      spec: {
        volumeClaimTemplates: [
          {
            apiVersion: "v1",
            kind: "PersistentVolumeClaim",
            metadata: { name: "data" },
            spec: { accessModes: ["ReadWriteOnce"], volumeMode: "Filesystem" },
            status: { phase: "Pending" },
          },
        ],
      },
    });
  });

  test.each([
    ["rolls where a type is named, but no more is said", { type: "RollingUpdate" }, { type: "RollingUpdate" }],
    ["does not roll on delete", { type: "OnDelete" }, { type: "OnDelete" }],
    [
      "rolls from a partition",
      { rollingUpdate: { partition: 2 } },
      { type: "RollingUpdate", rollingUpdate: { partition: 2 } },
    ],
  ])("%s", (_, updateStrategy, expected) => {
    expect(withDefaults(statefulSet({ updateStrategy }))["spec"]).toMatchObject({ updateStrategy: expected });
  });
});

describe("an image", () => {
  test.each([
    ["db", "Always"],
    ["db:latest", "Always"],
    ["registry.example.com:5000/db", "Always"],
    ["registry.example.com:5000/db:1", "IfNotPresent"],
    ["db@sha256:00", "IfNotPresent"],
    ["db:latest@sha256:00", "Always"],
    ["", "IfNotPresent"],
  ])("%s is pulled: %s", (image, imagePullPolicy) => {
    expect(withDefaults(pod({ containers: [{ name: "a", image }] }))).toMatchObject({
      spec: { containers: [{ imagePullPolicy }] },
    });
  });
});

describe("creation", () => {
  test("drops a status that was sent", () => {
    const claim = { apiVersion: "v1", kind: "PersistentVolumeClaim", status: { phase: "Bound", capacity: {} } };
    expect(prepareForCreate(claim)).toEqual({ ...claim, status: { phase: "Pending" } });
    expect(prepareForCreate({ ...statefulSet({}), status: { replicas: 3 } })).not.toHaveProperty("status");
  });

  test("leaves custom resources alone: some have no status of the server's", () => {
    const thing = { apiVersion: "example.com/v1", kind: "Thing", status: { phase: "Mine" } };
    expect(prepareForCreate(thing)).toBe(thing);
  });

  test("keeps the status of a node: who registers it knows", () => {
    const node = { apiVersion: "v1", kind: "Node", status: { capacity: { cpu: "1" } } };
    expect(prepareForCreate(node)).toBe(node);
  });

  test.each([
    ["BestEffort", {}],
    ["Burstable", { requests: { memory: "1Gi" } }],
    ["Burstable", { limits: { memory: "1Gi" }, requests: { memory: "1Gi" } }],
    ["Guaranteed", { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "1", memory: "1Gi" } }],
    ["Guaranteed", { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "1000m", memory: "1024Mi" } }],
    ["BestEffort", { requests: { cpu: "0m" } }],
  ])("gives a pod its class of service: %s", (qosClass, resources) => {
    expect(prepareForCreate(pod({ containers: [{ name: "a", resources }] }))).toMatchObject({ status: { qosClass } });
  });
});

test.each<[JsonObject, JsonObject]>([
  [{}, { completions: 1, parallelism: 1 }],
  [{ completions: 3 }, { completions: 3, parallelism: 1 }],
  [{ parallelism: 0 }, { parallelism: 0 }],
])("a Job of %j runs %j", (spec, expected) => {
  const job = withDefaults({ apiVersion: "batch/v1", kind: "Job", metadata: {}, spec });
  const { completions, parallelism } = job["spec"] as JsonObject;
  expect({ completions, parallelism }).toEqual(expected);
});

test("what is of a wrong type is left alone, for others to refuse", () => {
  for (const spec of [7, "text", [1], true]) {
    expect(withDefaults({ ...statefulSet({}), spec })).toMatchObject({ spec });
    expect(withDefaults({ ...pod({}), spec: { containers: spec, volumes: [spec] } })).toMatchObject({
      spec: { containers: spec },
    });
  }
});

test("defaults are added once: what has them is not changed", () => {
  const once = withDefaults(
    statefulSet({ template: { spec: { containers: [{ name: "a" }], volumes: [{ name: "v" }] } } }),
  );
  expect(withDefaults(once)).toEqual(once);
});

test("a kind without defaults is the same object", () => {
  const object = { apiVersion: "example.com/v1", kind: "Thing" };
  expect(withDefaults(object)).toBe(object);
});
