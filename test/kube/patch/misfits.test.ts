/** Configurations that do not fit the schema: the real kube-apiserver and ours refuse them in the same words. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { applyConfiguration } from "../../../src/cluster/api/patch/ownership/index.ts";
import { StatusError } from "../../../src/cluster/api/status-error.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { openServer, type Server } from "./server.ts";

const PATH = "/apis/apps/v1/namespaces/default/statefulsets/x?fieldManager=alice";

let plane: ControlPlane;
let server: Server;

beforeAll(async () => {
  plane = await startControlPlane({ controllers: [] });
  server = openServer(plane);
});
afterAll(async () => {
  await server?.close();
  await plane?.stop();
});

const pod = (spec: JsonObject): JsonObject => ({ spec: { template: { spec } } });

test.each<JsonObject>([
  { foo: 1 },
  { spec: { foo: 1 } },
  { spec: [] },
  { spec: "x" },
  { spec: { replicas: "3" } },
  { spec: { replicas: true } },
  { spec: { replicas: {} } },
  { spec: { replicas: [1] } },
  { spec: { serviceName: 3 } },
  { spec: { serviceName: 1.5 } },
  { spec: { serviceName: true } },
  { spec: { serviceName: { a: "b" } } },
  { spec: { serviceName: ["a", 1] } },
  { spec: { volumeClaimTemplates: {} } },
  { spec: { volumeClaimTemplates: "x" } },
  { spec: { volumeClaimTemplates: [{ spec: { foo: 1 } }] } },
  { spec: { selector: 1 } },
  pod({ hostNetwork: "yes" }),
  pod({ hostNetwork: 1 }),
  pod({ hostNetwork: { a: [1, null] } }),
  pod({ containers: [{ name: "a" }, { name: "a" }] }),
  pod({ containers: [{ name: 1 }] }),
  pod({ containers: ["a"] }),
  pod({ containers: [null] }),
  pod({ containers: [{ name: "a", ports: [{ protocol: "TCP" }, {}] }] }),
  pod({ containers: [{ name: "a", env: [{ name: "A", value: 1 }] }] }),
  pod({ containers: [{ name: "a", ports: [{ containerPort: 80, foo: 1 }] }] }),
  pod({ nodeSelector: { a: 1 } }),
  { metadata: { name: "x", namespace: "default", finalizers: ["a", "a"] } },
  { metadata: { name: "x", namespace: "default", finalizers: [{ a: 1 }] } },
  { metadata: { name: "x", namespace: "default", finalizers: [null] } },
])("%j", async (part) => {
  const metadata = { name: "x", namespace: "default" };
  const config: JsonObject = { apiVersion: "apps/v1", kind: "StatefulSet", metadata, ...part };
  const theirs = await server.send("PATCH", PATH, "application/apply-patch+yaml", config);
  expect(ourAnswer(config)).toEqual(theirs.kind === "refused" ? theirs : "taken");
});

function ourAnswer(config: JsonObject): unknown {
  try {
    applyConfiguration(undefined, config, false, {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      manager: "alice",
      now: 0,
    });
    return "taken";
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { kind: "refused", code: error.code, reason: error.reason, message: error.message };
  }
}
