import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../json.ts";
import { cellsByName, made } from "../fixtures.ts";
import { roleBindings } from "./access.ts";
import { configMaps, leases, priorityClasses, resourceQuotas, secrets, webhookConfigurations } from "./basics.ts";
import { coreEvents, events } from "./events.ts";
import { nodes } from "./nodes.ts";

test("a quota tells use and limit of each resource, those of limits apart", () => {
  const hard = { "requests.storage": "1Ti", persistentvolumeclaims: "10", "limits.cpu": "4", limits: "1" };
  const used = { "requests.storage": "100Gi", "limits.cpu": "0.5" };
  expect(cellsByName(resourceQuotas, made({ status: { hard, used } }))).toMatchObject({
    Request: "limits: 0/1, persistentvolumeclaims: 0/10, requests.storage: 100Gi/1Ti",
    Limit: "limits.cpu: 500m/4",
  });
  expect(cellsByName(resourceQuotas, made({ spec: { hard } }))).toMatchObject({ Request: "", Limit: "" });
});

test("data is counted, not shown", () => {
  expect(cellsByName(secrets, made({ type: "Opaque", data: { a: "eA==" } }))).toMatchObject({
    Type: "Opaque",
    Data: 1,
  });
  expect(cellsByName(configMaps, made({ data: { a: "1" }, binaryData: { b: "AAAA" } }))["Data"]).toBe(2);
  expect(cellsByName(configMaps, made({}))["Data"]).toBe(0);
});

test("a lease names its holder", () => {
  expect(cellsByName(leases, made({ spec: { holderIdentity: "me" } }))["Holder"]).toBe("me");
  expect(cellsByName(leases, made({}))["Holder"]).toBe("");
});

test("a priority class and a webhook configuration", () => {
  const shown = { Value: 7, "Global-Default": true, PreemptionPolicy: "Never" };
  const priority = made({ value: 7, globalDefault: true, preemptionPolicy: "Never" });
  expect(cellsByName(priorityClasses, priority)).toMatchObject(shown);
  expect(cellsByName(webhookConfigurations, made({ webhooks: [{}, {}] }))["Webhooks"]).toBe(2);
});

test("a binding lists its subjects by kind", () => {
  const binding = made({
    roleRef: { kind: "ClusterRole", name: "view" },
    subjects: [
      { kind: "User", name: "ann" },
      { kind: "User", name: "bob" },
      { kind: "Group", name: "ops" },
      { kind: "ServiceAccount", name: "robot", namespace: "prod" },
    ],
  });
  const shown = { Role: "ClusterRole/view", Users: "ann, bob", Groups: "ops", ServiceAccounts: "prod/robot" };
  expect(cellsByName(roleBindings, binding)).toMatchObject(shown);
});

describe("a node", () => {
  const ready = (status: string): JsonObject => ({ conditions: [{ type: "Ready", status }] });
  test.each([
    [{}, {}, "Unknown"],
    [{}, ready("True"), "Ready"],
    [{}, ready("Unknown"), "NotReady"],
    [{ unschedulable: true }, ready("True"), "Ready,SchedulingDisabled"],
  ])("with %j %j is %s", (spec, status, shown) => {
    expect(cellsByName(nodes, made({ spec, status }))["Status"]).toBe(shown);
  });

  test("has roles from its labels, each once", () => {
    const labels = { "node-role.kubernetes.io/worker": "", "node-role.kubernetes.io/": "", "kubernetes.io/role": "db" };
    expect(cellsByName(nodes, made({}, { labels }))["Roles"]).toBe("db,worker");
    expect(cellsByName(nodes, made({}))["Roles"]).toBe("<none>");
  });

  test("tells what it runs on", () => {
    const nodeInfo = { kubeletVersion: "v1.36.3", kernelVersion: "6.12", architecture: "amd64" };
    const addresses = [{ type: "InternalIP", address: "10.0.0.1" }];
    expect(cellsByName(nodes, made({ status: { nodeInfo, addresses } }))).toMatchObject({
      Version: "v1.36.3",
      "Internal-IP": "10.0.0.1",
      "External-IP": "<none>",
      "OS-Image": "<unknown>",
      "Kernel-Version": "6.12 (amd64)",
    });
  });
});

describe("an event", () => {
  const about = { kind: "PersistentVolumeClaim", name: "data", fieldPath: "spec" };
  const counted = {
    type: "Warning",
    firstTimestamp: "2026-03-01T08:55:00Z",
    lastTimestamp: "2026-03-01T11:58:30Z",
    count: 4,
  };
  test("that was counted tells when it was seen first and last", () => {
    const event = made({
      involvedObject: about,
      message: " full\n",
      source: { component: "resizer", host: "node-a" },
      ...counted,
    });
    expect(cellsByName(coreEvents, event)).toMatchObject({
      "Last Seen": "90s",
      Type: "Warning",
      Object: "persistentvolumeclaim/data",
      Subobject: "spec",
      Source: "resizer, node-a",
      Message: "full",
      "First Seen": "3h5m",
      Count: 4,
      Name: "it",
    });
  });

  test("that is a series goes by it, under either group", () => {
    const common = {
      eventTime: "2026-03-01T08:55:00.000000Z",
      series: { count: 9, lastObservedTime: "2026-03-01T11:58:30.000000Z" },
      reportingInstance: "resizer-0",
    };
    const shown = { "Last Seen": "90s", "First Seen": "3h5m", Count: 9, Source: "resizer, resizer-0", Message: "x" };
    const core = made({ ...common, involvedObject: about, message: "x", reportingComponent: "resizer" });
    const modern = made({ ...common, regarding: about, note: "x", reportingController: "resizer" });
    expect(cellsByName(coreEvents, core)).toMatchObject(shown);
    expect(cellsByName(events, modern)).toMatchObject({ ...shown, Object: "persistentvolumeclaim/data" });
  });

  test("that happened once counts as one, and may not know when", () => {
    const shown = { "Last Seen": "<unknown>", "First Seen": "<unknown>", Count: 1, Object: "node", Source: "" };
    expect(cellsByName(coreEvents, made({ involvedObject: { kind: "Node" } }))).toMatchObject(shown);
  });
});
