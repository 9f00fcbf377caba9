/** What test/kube/lifecycle.test.ts holds against a real server is not repeated here: this is what needs no server. */
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import { BUILT_IN } from "../kinds/built-in.ts";
import type { Kind } from "../kinds/kind.ts";
import { generatedName, prepareCreate } from "./create.ts";
import { isFinished, prepareDelete } from "./delete.ts";
import { alreadyExists } from "./refusals.ts";
import { keepOtherHalf, prepareUpdate } from "./update.ts";

const kindOf = (name: string): Kind => BUILT_IN.find(({ kind }) => kind === name) as Kind;
const POD = kindOf("Pod");
const SET = kindOf("StatefulSet");
const NODE = kindOf("Node");
const NOW = Date.UTC(2026, 0, 1);

function pod(fields: { node?: string; phase?: string; grace?: number; metadata?: JsonObject } = {}): JsonObject {
  const { node = "n", phase = "Running", grace = 30, metadata = {} } = fields;
  return {
    metadata: { name: "p", namespace: "d", generation: 1, ...metadata },
    spec: { nodeName: node, terminationGracePeriodSeconds: grace },
    status: { phase },
  };
}

describe("deleting a pod", () => {
  test("gives it the time that it asks for", () => {
    expect(prepareDelete(POD, pod(), {}, NOW)).toEqual({
      kind: "mark",
      object: pod({
        metadata: { generation: 2, deletionTimestamp: "2026-01-01T00:00:30Z", deletionGracePeriodSeconds: 30 },
      }),
    });
  });

  test.each([
    ["runs nowhere", pod({ node: "" })],
    ["has succeeded", pod({ phase: "Succeeded" })],
    ["has failed", pod({ phase: "Failed" })],
  ])("that %s takes it away at once", (_, object) => {
    expect(prepareDelete(POD, object, {}, NOW)).toMatchObject({
      kind: "remove",
      last: { metadata: { generation: 2, deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 0 } },
    });
  });

  test("by force takes it away at once", () => {
    expect(prepareDelete(POD, pod(), { gracePeriodSeconds: 0 }, NOW)).toMatchObject({ kind: "remove" });
  });

  test("a second time can only bring the end nearer", () => {
    const marked = pod({ metadata: { deletionTimestamp: "2026-01-01T00:00:30Z", deletionGracePeriodSeconds: 30 } });
    expect(prepareDelete(POD, marked, { gracePeriodSeconds: 60 }, NOW)).toEqual({ kind: "mark", object: marked });
    expect(prepareDelete(POD, marked, { gracePeriodSeconds: 5 }, NOW)).toMatchObject({
      object: { metadata: { deletionTimestamp: "2026-01-01T00:00:05Z", deletionGracePeriodSeconds: 5 } },
    });
  });

  test("it is not finished before its time, even without finalizers", () => {
    const marked = pod({ metadata: { deletionTimestamp: "2026-01-01T00:00:30Z", deletionGracePeriodSeconds: 30 } });
    expect(isFinished(POD, marked)).toBe(false);
    expect(isFinished(POD, pod())).toBe(false);
  });
});

test("the last word about dependents counts", () => {
  const set = { metadata: { name: "s", finalizers: ["orphan", "example.com/hold"] } };
  const finalizers = (policy: "Orphan" | "Background" | "Foreground") =>
    prepareDelete(SET, set, { propagationPolicy: policy }, NOW);
  expect(finalizers("Foreground")).toMatchObject({
    object: { metadata: { finalizers: ["example.com/hold", "foregroundDeletion"] } },
  });
  expect(finalizers("Background")).toMatchObject({ object: { metadata: { finalizers: ["example.com/hold"] } } });
});

test("dependents of a kind that lets them be are orphaned, unless somebody says otherwise", () => {
  const job = { metadata: { name: "j" } };
  expect(prepareDelete(kindOf("Job"), job, {}, NOW)).toMatchObject({
    object: { metadata: { finalizers: ["orphan"] } },
  });
  expect(prepareDelete(kindOf("Job"), job, { propagationPolicy: "Background" }, NOW)).toEqual({ kind: "remove" });
});

test("an event has no dependents, whatever is said about them", () => {
  const event = { metadata: { name: "e" } };
  expect(prepareDelete(kindOf("Event"), event, { propagationPolicy: "Foreground" }, NOW)).toEqual({ kind: "remove" });
});

test("what somebody else takes away in the end says only since when it is going", () => {
  const namespace = { metadata: { name: "n" } };
  const marked = { metadata: { name: "n", deletionTimestamp: "2026-01-01T00:00:00Z" } };
  expect(prepareDelete(kindOf("Namespace"), namespace, {}, NOW, true)).toEqual({ kind: "mark", object: marked });
  expect(prepareDelete(kindOf("Namespace"), marked, {}, NOW + 5000, true)).toEqual({ kind: "mark", object: marked });
});

test("a pod's end comes nearer, but never into the past", () => {
  const metadata = { deletionTimestamp: "2026-01-01T00:00:30Z", deletionGracePeriodSeconds: 30 };
  const later = prepareDelete(POD, pod({ metadata }), { gracePeriodSeconds: 5 }, NOW + 20_000);
  expect(later).toMatchObject({
    kind: "mark",
    object: { metadata: { deletionTimestamp: "2026-01-01T00:00:20Z", deletionGracePeriodSeconds: 1 } },
  });
});

describe("updating", () => {
  const stored: JsonObject = {
    metadata: { name: "s", uid: "u", resourceVersion: "5", generation: 3, creationTimestamp: "2026-01-01T00:00:00Z" },
    spec: { replicas: 1 },
    status: { replicas: 1 },
  };

  test("what changes nothing gives the stored object itself: nothing is written", () => {
    const again = { ...stored, metadata: { name: "s" }, status: { replicas: 9 } };
    expect(prepareUpdate(SET, stored, keepOtherHalf(SET, stored, again, undefined), undefined)).toBe(stored);
  });

  test("the status is written through its own path, and the spec is not", () => {
    const sent = { metadata: { name: "s" }, spec: { replicas: 7 }, status: { replicas: 2 } };
    const halves = keepOtherHalf(SET, stored, sent, "status");
    expect(prepareUpdate(SET, stored, halves, "status")).toEqual({ ...stored, status: { replicas: 2 } });
  });

  test.each<[string, JsonObject, JsonObject]>([
    ["another uid stays, to be refused", { uid: "v" }, { uid: "v" }],
    ["so does a deletion that nobody has asked for", { deletionTimestamp: "t" }, { deletionTimestamp: "t" }],
    ["another moment of creation is the stored one", { creationTimestamp: "t" }, {}],
  ])("%s", (_, sent, expected) => {
    const metadata = { ...(stored["metadata"] as JsonObject), ...expected };
    expect(prepareUpdate(SET, stored, { ...stored, metadata: sent }, undefined)).toMatchObject({ metadata });
  });

  test("what is being deleted stays so", () => {
    const metadata = { ...(stored["metadata"] as JsonObject), deletionTimestamp: "t", deletionGracePeriodSeconds: 30 };
    const deleting = { ...stored, metadata };
    expect(prepareUpdate(SET, deleting, { ...stored, metadata: { name: "s" } }, undefined)).toBe(deleting);
    const later = { ...stored, metadata: { name: "s", deletionTimestamp: "later" } };
    expect(prepareUpdate(SET, deleting, later, undefined)).toBe(deleting);
  });

  test.each<[string, JsonObject, number | undefined]>([
    ["Deployment", { metadata: { name: "s", annotations: { a: "b" } }, spec: { replicas: 1 } }, 4],
    ["StatefulSet", { metadata: { name: "s", annotations: { a: "b" } }, spec: { replicas: 1 } }, 3],
    ["EndpointSlice", { metadata: { name: "s", labels: { a: "b" } }, spec: { replicas: 1 } }, 4],
    ["PriorityClass", { metadata: { name: "s" }, spec: { replicas: 1 }, description: "d" }, 3],
  ])("a %s counts what is a change to it", (kind, sent, generation) => {
    expect(prepareUpdate(kindOf(kind), stored, sent, undefined)).toMatchObject({ metadata: { generation } });
  });

  test("the status is no change of what is asked for", () => {
    const sent = { metadata: { name: "s", annotations: { a: "b" } }, status: { replicas: 2 } };
    expect(prepareUpdate(kindOf("Deployment"), stored, sent, "status")).toMatchObject({ metadata: { generation: 3 } });
  });

  test("a kind that counts no generations keeps none", () => {
    const node: JsonObject = { metadata: { name: "n" }, spec: {} };
    const next = prepareUpdate(NODE, node, { metadata: { name: "n" }, spec: { unschedulable: true } }, undefined);
    expect(next).toEqual({ metadata: { name: "n" }, spec: { unschedulable: true } });
  });
});

test("a kind of the whole cluster has no namespace, whatever was sent", () => {
  const request = { namespace: undefined, now: "2026-01-01T00:00:00Z", chance: { uid: () => "u", below: () => 0 } };
  const created = prepareCreate(NODE, { metadata: { name: "n", namespace: "x" } }, request);
  expect(created).toEqual({
    kind: "Node",
    apiVersion: "v1",
    metadata: { name: "n", uid: "u", creationTimestamp: "2026-01-01T00:00:00Z" },
  });
});

test("a generated name has five letters that spell no word", () => {
  let turn = 0;
  expect(generatedName("web-", { below: (below) => turn++ % below })).toBe("web-bcdfg");
});

test("a name that is taken by something on its way out says so", () => {
  expect(alreadyExists(POD, "p", true).message).toBe('object is being deleted: pods "p" already exists');
});
