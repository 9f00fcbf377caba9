/** Selectors that the real kube-apiserver is asked for, and ours: what is found, and how a refusal is worded. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { parseFieldSelector } from "../../../src/cluster/api/selectors/field-selector.ts";
import { parseLabelSelector } from "../../../src/cluster/api/selectors/label-selector.ts";
import { StatusError } from "../../../src/cluster/api/status-error.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { openServer, type Server } from "./server.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const LABELS: Readonly<Record<string, Record<string, string>>> = {
  none: {},
  one: { app: "db", size: "3" },
  two: { app: "web", tier: "a", in: "x" },
  three: { app: "", "example.com/tier": "b", size: "many" },
};

let plane: ControlPlane;
let server: Server;
let maps: JsonObject[];

beforeAll(async () => {
  plane = await startControlPlane({ controllers: [] });
  server = openServer(plane);
  for (const [name, labels] of Object.entries(LABELS)) {
    await server.send("POST", MAPS, "application/json", { metadata: { name, labels } });
  }
  maps = await items(MAPS);
});
afterAll(async () => {
  await server?.close();
  await plane?.stop();
});

test.each([
  "",
  "app",
  "!app",
  "app=db",
  "app==db",
  "app!=db",
  "app=",
  "app in (db,web)",
  "app notin (db)",
  "app in ()",
  "app in (,)",
  "app in (db,)",
  "size>2",
  "size<4",
  "size>x",
  "in",
  "in in (in,x)",
  "notin",
  "app = db , size",
  "example.com/tier",
  "example.com/tier=b",
  "app=db,",
  ",app",
  "app=db size",
  "app in db",
  "app in (db",
  "app in (=)",
  "app=db=web",
  "app===db",
  "app~db",
  "-a",
  "a/b/c",
  "/a",
  "UPPER.com/x",
  "a/",
  "app=-",
  "app=a b",
  "!app=db",
  "!",
  "app=!",
  "app in (db web)",
  "app,,size",
  "app in (db,,web)",
  "app>=3",
  "(app)",
  ")",
  "app!db",
  "app in (a b)",
  `a=${"x".repeat(64)}`,
  `${"k".repeat(64)}=a`,
])("labels: %j", async (selector) => {
  const ours = attempt(() => {
    const { matches } = parseLabelSelector(selector);
    return names(
      maps.filter((map) => matches((map["metadata"] as { labels?: Record<string, string> } & JsonObject).labels)),
    );
  });
  expect(ours).toEqual(await theirs(`${MAPS}?labelSelector=${encodeURIComponent(selector)}`));
});

test.each([
  "",
  "metadata.name=one",
  "metadata.name==one",
  "metadata.name!=one",
  "metadata.namespace=default",
  "metadata.name=one,metadata.namespace=other",
  "metadata.labels=x",
  "data.a=b",
  "metadata.name",
  "=",
  "=one",
  "metadata.name=a\\,b",
  "metadata.name=a\\=b",
  "metadata.name=a\\b",
  "metadata.name=a\\",
  "metadata.name=a=b",
  ",",
  ",,metadata.name=one,",
  "metadata.name!one",
  "metadata.name=,metadata.namespace=default",
])("fields: %j", async (selector) => {
  const ours = attempt(() => names(maps.filter(parseFieldSelector(selector, "v1", "ConfigMap").matches)));
  expect(ours).toEqual(await theirs(`${MAPS}?fieldSelector=${encodeURIComponent(selector)}`));
});

test.each([
  ["v1", "Pod", "/api/v1/pods"],
  ["v1", "Node", "/api/v1/nodes"],
  ["v1", "Namespace", "/api/v1/namespaces"],
  ["v1", "Secret", "/api/v1/secrets"],
  ["v1", "Service", "/api/v1/services"],
  ["v1", "Event", "/api/v1/events"],
  ["events.k8s.io/v1", "Event", "/apis/events.k8s.io/v1/events"],
  ["v1", "ReplicationController", "/api/v1/replicationcontrollers"],
  ["batch/v1", "Job", "/apis/batch/v1/jobs"],
  ["apps/v1", "StatefulSet", "/apis/apps/v1/statefulsets"],
])("fields of %s %s", async (apiVersion, kind, path) => {
  const objects = await items(path);
  const fields = [
    "metadata.name",
    "metadata.namespace",
    "name",
    "type",
    "reason",
    "source",
    "reportingComponent",
    "reportingController",
    "spec.nodeName",
    "spec.host",
    "spec.hostNetwork",
    "spec.restartPolicy",
    "spec.type",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "spec.unschedulable",
    "spec.clusterIP",
    "status.phase",
    "status.podIP",
    "status.podIPs",
    "status.nominatedNodeName",
    "status.replicas",
    "status.successful",
    "involvedObject.kind",
    "involvedObject.fieldPath",
    "regarding.name",
    "regarding.uid",
    "status.other",
  ];
  for (const selector of fields.flatMap((field) => [`${field}=default`, `${field}!=kubernetes`, `${field}=Active`])) {
    const ours = attempt(() => names(objects.filter(parseFieldSelector(selector, apiVersion, kind).matches)));
    expect(ours, selector).toEqual(await theirs(`${path}?fieldSelector=${encodeURIComponent(selector)}`));
  }
});

async function items(path: string): Promise<JsonObject[]> {
  const answer = await server.send("GET", path, "application/json");
  return answer.kind === "taken" ? (answer.object["items"] as JsonObject[]) : [];
}

function names(objects: readonly JsonObject[]): string[] {
  return objects.map((object) => (object["metadata"] as { name: string } & JsonObject).name);
}

async function theirs(path: string): Promise<unknown> {
  const answer = await server.send("GET", path, "application/json");
  if (answer.kind === "refused") return { code: answer.code, message: answer.message };
  return names(answer.object["items"] as JsonObject[]);
}

function attempt(work: () => string[]): unknown {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { code: error.code, message: error.message };
  }
}
