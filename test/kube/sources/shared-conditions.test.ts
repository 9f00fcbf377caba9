/** The condition on kinds whose schema does not tell conditions apart: the list is one value, and the operator's. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Condition, KubeObject } from "../../../src/core/types.ts";
import {
  createClient,
  createTransport,
  defineResource,
  type KubeClient,
  loadConfig,
  silentLogger,
  systemTimers,
} from "../../../src/kube/index.ts";
import { report } from "../../../src/source/apply/report.ts";
import { createReporter } from "../../../src/source/controller/reporter.ts";
import type { FollowedSource } from "../../../src/source/controller/sources.ts";
import { parsePath } from "../../../src/source/decide/path.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { defineKind } from "../custom-kinds.ts";

interface Shelf extends KubeObject {
  status?: { conditions?: Condition[] };
}

const SHELVES = defineResource<Shelf>("example.com/v1", "Shelf", "shelves");
const CONDITIONS = parsePath(".status.conditions");
const TYPE = "VolumeResized";
const { signal } = new AbortController();

const text = { type: "string" };
const CONDITION = {
  type: "object",
  properties: {
    type: text,
    status: text,
    reason: text,
    message: text,
    lastTransitionTime: { ...text, format: "date-time" },
    observedGeneration: { type: "integer" },
  },
};
const DEFINITION = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "shelves.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { kind: "Shelf", listKind: "ShelfList", plural: "shelves", singular: "shelf" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              status: { type: "object", properties: { conditions: { type: "array", items: CONDITION } } },
            },
          },
        },
      },
    ],
  },
};

const condition = (type: string, status: string): Condition => ({
  type,
  status,
  reason: "Because",
  message: "so it is",
  lastTransitionTime: "2026-01-01T00:00:00Z",
});
const typesOf = ({ status }: Shelf) => status?.conditions?.map(({ type, status: is }) => `${type}=${is}`);

let plane: ControlPlane;
let client: KubeClient;
let shelf: Shelf;
let count = 0;
beforeAll(async () => {
  plane = await startControlPlane({ controllers: [] });
  await defineKind(plane.api, DEFINITION);
  client = createClient(createTransport(await loadConfig({ env: {}, kubeconfig: plane.admin.kubeconfig })));
});
beforeEach(async () => {
  count++;
  shelf = await client.create(SHELVES, { metadata: { name: `shelf-${count}`, namespace: "default" } });
  shelf = await operatorWrites(condition("Healthy", "True"));
});
afterAll(async () => {
  await client?.close();
  await plane?.stop();
});

/** As operators do: the whole status, over what they read. */
function operatorWrites(...conditions: Condition[]): Promise<Shelf> {
  const options = { subresource: "status", fieldManager: "operator" };
  return client.update(SHELVES, { ...shelf, status: { conditions } }, options);
}

describe("a list of conditions that is one value", () => {
  test("gets ours beside the operator's, and keeps it when the operator writes its own over what it read", async () => {
    const first = await report(client, SHELVES, shelf, CONDITIONS, condition(TYPE, "Unknown"), signal);
    if (first.kind !== "reported") throw new Error(JSON.stringify(first));
    shelf = first.resource;
    expect(typesOf(shelf)).toEqual(["Healthy=True", `${TYPE}=Unknown`]);
    shelf = await operatorWrites(condition("Healthy", "False"), condition(TYPE, "Unknown"));
    const second = await report(client, SHELVES, shelf, CONDITIONS, condition(TYPE, "True"), signal);
    expect(second.kind === "reported" && typesOf(second.resource)).toEqual(["Healthy=False", `${TYPE}=True`]);
  });

  test("is not written over what the operator wrote meanwhile", async () => {
    const stale = shelf;
    shelf = await operatorWrites(condition("Healthy", "False"));
    expect(await report(client, SHELVES, stale, CONDITIONS, condition(TYPE, "True"), signal)).toEqual({ kind: "lost" });
    expect(typesOf(await client.get(SHELVES, { name: shelf.metadata.name, namespace: "default" }))).toEqual([
      "Healthy=False",
    ]);
  });
});

test("an operator that takes the condition back each time is not fought, and the source says so", async () => {
  const told: string[] = [];
  const followed = {
    source: { metadata: { name: "shelves" }, spec: { condition: TYPE } },
    kind: SHELVES,
    watch: { missing: [], observe: () => {} },
    told: new Map(),
    notReported: undefined,
  } as unknown as FollowedSource;
  const reporter = createReporter({
    client,
    giveUp: signal,
    events: { asked: () => {}, told: () => {} },
    timers: systemTimers,
    logger: silentLogger,
    onSource: (name) => told.push(name),
  });
  const here = { name: shelf.metadata.name, namespace: "default" };
  let rounds = 0;
  while (followed.notReported === undefined && rounds < 20) {
    rounds++;
    await reporter.report(followed, shelf, { kind: "resized", message: "every claim has its size" });
    shelf = await client.get(SHELVES, here);
    if (followed.notReported === undefined) shelf = await operatorWrites(condition("Healthy", "True"));
  }
  expect(rounds).toBeLessThan(10);
  expect(followed.notReported?.why).toContain(`condition ${TYPE} is taken back again and again`);
  expect(told).toEqual(["shelves"]);
  expect(typesOf(await client.get(SHELVES, here))).toEqual(["Healthy=True"]);
});
