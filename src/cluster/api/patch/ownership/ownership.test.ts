import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { semanticallyEqual } from "../../../../core/semantic-equal.ts";
import type { Json, JsonObject } from "../../json.ts";
import { StatusError } from "../../status-error.ts";
import { arbitraryObject } from "../testing/arbitrary-object.ts";
import { applyConfiguration, keepTimes, trackUpdate, type WriteRequest } from "./index.ts";
import { managedFieldsOf, withoutManaged } from "./managed-fields.ts";

const NOW = Date.UTC(2026, 10, 15, 12, 0, 0);
const LATER = NOW + 60_000;
const by = (manager: string, more: Partial<WriteRequest> = {}): WriteRequest => ({
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  manager,
  now: NOW,
  ...more,
});
const set = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  metadata: { name: "db", namespace: "prod", ...metadata },
  spec,
});
const create = (object: JsonObject, manager = "creator") => trackUpdate(undefined, object, by(manager));

interface Entry extends JsonObject {
  readonly manager: string;
  readonly operation: string;
  readonly fieldsV1: JsonObject;
}
const entries = (object: JsonObject) => (managedFieldsOf(object) ?? []) as readonly Entry[];
const owned = (object: JsonObject) =>
  Object.fromEntries(entries(object).map(({ manager, operation, fieldsV1 }) => [`${manager} ${operation}`, fieldsV1]));

/** What is thrown, as a client sees it. */
function refusal(work: () => unknown): Pick<StatusError, "code" | "reason" | "message" | "causes"> | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { code: error.code, reason: error.reason, message: error.message, causes: error.causes };
  }
}

describe("updates", () => {
  test("who creates owns all that it said, but what the server keeps", () => {
    const created = create(set({ replicas: 1, serviceName: "db" }, { labels: { app: "db" }, uid: "u", generation: 1 }));
    expect(managedFieldsOf(created)).toEqual([
      {
        manager: "creator",
        operation: "Update",
        apiVersion: "apps/v1",
        time: "2026-11-15T12:00:00Z",
        fieldsType: "FieldsV1",
        fieldsV1: {
          "f:metadata": { "f:labels": { ".": {}, "f:app": {} } },
          "f:spec": { "f:replicas": {}, "f:serviceName": {} },
        },
      },
    ]);
  });

  test("who changes a field takes it; who changes nothing gets no entry", () => {
    const created = create(set({ replicas: 1, minReadySeconds: 2 }));
    const changed = trackUpdate(created, set({ replicas: 3, minReadySeconds: 2 }), by("editor", { now: LATER }));
    expect(owned(changed)).toEqual({
      "creator Update": { "f:spec": { "f:minReadySeconds": {} } },
      "editor Update": { "f:spec": { "f:replicas": {} } },
    });
    expect(trackUpdate(created, withoutManaged(created), by("idler", { now: LATER }))).toEqual(created);
  });

  test("a field that is removed is nobody's", () => {
    const gone = trackUpdate(create(set({ replicas: 1, minReadySeconds: 2 })), set({ replicas: 1 }), by("editor"));
    expect(owned(gone)).toEqual({ "creator Update": { "f:spec": { "f:replicas": {} } } });
  });

  test("a write through status owns no spec, and says where it came in", () => {
    const created = create(set({ replicas: 1 }));
    const next = { ...withoutManaged(created), spec: { replicas: 9 }, status: { replicas: 1 } };
    const written = trackUpdate(created, next, by("controller", { subresource: "status" }));
    expect(entries(written)).toContainEqual({
      manager: "controller",
      operation: "Update",
      apiVersion: "apps/v1",
      time: "2026-11-15T12:00:00Z",
      fieldsType: "FieldsV1",
      subresource: "status",
      fieldsV1: { "f:status": { ".": {}, "f:replicas": {} } },
    });
    expect(owned(written)["creator Update"]).toEqual({ "f:spec": { "f:replicas": {} } });
  });

  test("nobody owns status through the main endpoint", () => {
    const created = create({ ...set({ replicas: 1 }), status: { replicas: 5 } });
    expect(owned(created)).toEqual({ "creator Update": { "f:spec": { "f:replicas": {} } } });
  });

  test.each<[string, Json]>([
    ["an empty list", []],
    ["one empty entry", [{}]],
  ])("%s resets managedFields, and the object stays without", (_, managedFields) => {
    const created = create(set({ replicas: 1 }));
    const reset = trackUpdate(created, set({ replicas: 1 }, { managedFields }), by("editor"));
    expect(managedFieldsOf(reset)).toBeUndefined();
    expect(managedFieldsOf(trackUpdate(reset, set({ replicas: 2 }), by("editor")))).toBeUndefined();
  });

  test.each<[string, Json]>([
    ["of an unknown operation", [{ operation: "Guess", apiVersion: "apps/v1", fieldsType: "FieldsV1" }]],
    ["without a version", [{ operation: "Update", fieldsType: "FieldsV1" }]],
    ["of another type", [{ operation: "Update", apiVersion: "apps/v1", fieldsType: "FieldsV2" }]],
    [
      "with fields that cannot be read",
      [{ operation: "Update", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: { x: {} } }],
    ],
  ])("entries %s are ignored: the ones before stay", (_, managedFields) => {
    const created = create(set({ replicas: 1 }));
    expect(trackUpdate(created, set({ replicas: 1 }, { managedFields }), by("editor"))).toEqual(created);
  });

  test("more than ten updaters are merged, the oldest first", () => {
    let object = create(set({ replicas: 1 }));
    for (let index = 0; index < 12; index++) {
      const labels = Object.fromEntries(Array.from({ length: index + 1 }, (_, each) => [`l${each}`, "x"]));
      object = trackUpdate(
        object,
        set({ replicas: 1 }, { labels }),
        by(`m${index}`, { now: NOW + (index + 1) * 1000 }),
      );
    }
    expect(entries(object)).toHaveLength(10);
    expect(owned(object)["ancient-changes Update"]).toEqual({
      "f:metadata": { "f:labels": { ".": {}, "f:l0": {}, "f:l1": {}, "f:l2": {} } },
      "f:spec": { "f:replicas": {} },
    });
  });

  test("entries of a version that is no longer served are dropped", () => {
    const old = {
      manager: "old",
      operation: "Update",
      apiVersion: "apps/v1beta1",
      fieldsType: "FieldsV1",
      fieldsV1: {},
    };
    const created = create(set({ replicas: 1 }));
    const live = set({ replicas: 1 }, { managedFields: [...entries(created), old] });
    expect(Object.keys(owned(trackUpdate(live, set({ replicas: 2 }), by("editor"))))).toEqual(["editor Update"]);
  });
});

describe("applies", () => {
  const live = create(set({ replicas: 1, minReadySeconds: 5 }));

  test("an object that is not there is created by it", () => {
    const made = applyConfiguration(undefined, set({ replicas: 2 }), false, by("alice"));
    expect(made["spec"]).toMatchObject({ replicas: 2 });
    expect(owned(made)).toEqual({ "alice Apply": { "f:spec": { "f:replicas": {} } } });
  });

  test("an equal value is shared, another one is a conflict", () => {
    const shared = applyConfiguration(live, set({ replicas: 1 }), false, by("alice"));
    expect(Object.keys(owned(shared))).toEqual(["alice Apply", "creator Update"]);
    expect(refusal(() => applyConfiguration(live, set({ replicas: 2 }), false, by("alice")))).toEqual({
      code: 409,
      reason: "Conflict",
      message: 'Apply failed with 1 conflict: conflict with "creator" using apps/v1: .spec.replicas',
      causes: [
        { reason: "FieldManagerConflict", message: 'conflict with "creator" using apps/v1', field: ".spec.replicas" },
      ],
    });
  });

  test("several conflicts are listed by manager", () => {
    const both = applyConfiguration(live, set({ replicas: 1 }), false, by("alice"));
    expect(
      refusal(() => applyConfiguration(both, set({ replicas: 2, minReadySeconds: 6 }), false, by("bob")))?.message,
    ).toBe(
      [
        'Apply failed with 3 conflicts: conflicts with "alice":',
        "- .spec.replicas",
        'conflicts with "creator" using apps/v1:',
        "- .spec.minReadySeconds",
        "- .spec.replicas",
      ].join("\n"),
    );
  });

  test("force takes a field over", () => {
    const forced = applyConfiguration(live, set({ replicas: 2 }), true, by("alice", { now: LATER }));
    expect(forced["spec"]).toEqual({ replicas: 2, minReadySeconds: 5 });
    expect(owned(forced)).toEqual({
      "alice Apply": { "f:spec": { "f:replicas": {} } },
      "creator Update": { "f:spec": { "f:minReadySeconds": {} } },
    });
  });

  test("a field that is applied no longer goes, unless another owns it too", () => {
    const applied = applyConfiguration(live, set({ replicas: 1, revisionHistoryLimit: 3 }), false, by("alice"));
    const less = applyConfiguration(applied, set({}), false, by("alice"));
    expect(less["spec"]).toEqual({ replicas: 1, minReadySeconds: 5 });
    expect(owned(less)).toMatchObject({
      "creator Update": { "f:spec": { "f:replicas": {}, "f:minReadySeconds": {} } },
    });
  });

  test("items of keyed lists belong to those who apply them, each with its own fields", () => {
    const podOf = (...containers: JsonObject[]) => set({ template: { spec: { containers } } });
    const first = applyConfiguration(undefined, podOf({ name: "a", image: "1" }), false, by("alice"));
    const second = applyConfiguration(
      first,
      podOf({ name: "b", image: "2" }, { name: "a", tty: true }),
      false,
      by("bob"),
    );
    expect(second).toMatchObject(podOf({ name: "b", image: "2" }, { name: "a", image: "1", tty: true }));
    const third = applyConfiguration(second, podOf({ name: "a", tty: true }), false, by("bob"));
    expect(third).toMatchObject(podOf({ name: "a", image: "1", tty: true }));
  });

  test("lists that are atomic belong to one applier", () => {
    const tolerating = (...keys: string[]) =>
      set({ template: { spec: { tolerations: keys.map((key) => ({ key })) } } });
    const first = applyConfiguration(undefined, tolerating("a"), false, by("alice"));
    expect(refusal(() => applyConfiguration(first, tolerating("b"), false, by("bob")))?.message).toBe(
      'Apply failed with 1 conflict: conflict with "alice": .spec.template.spec.tolerations',
    );
  });

  test("nothing changed: nothing is new, not even a time", () => {
    const once = applyConfiguration(live, set({ replicas: 1 }), false, by("alice"));
    expect(applyConfiguration(once, set({ replicas: 1 }), false, by("alice", { now: LATER }))).toEqual(once);
  });

  test("an object without owners was there before the first apply", () => {
    const unowned = set({ replicas: 1 }, { uid: "u" });
    expect(refusal(() => applyConfiguration(unowned, set({ replicas: 2 }), false, by("alice")))?.message).toBe(
      'Apply failed with 1 conflict: conflict with "before-first-apply" using apps/v1: .spec.replicas',
    );
  });

  test.each<[string, JsonObject, number, string]>([
    ["another kind", { ...set({}), kind: "Secret" }, 400, "invalid object type: apps/v1, Kind=Secret"],
    ["another version", { ...set({}), apiVersion: "v1" }, 400, "invalid object type: /v1, Kind=StatefulSet"],
    ["with managedFields", set({}, { managedFields: [] }), 400, "metadata.managedFields must be nil"],
    ["a field that does not exist", set({ foo: 1 }), 500, ".spec.foo: field not declared in schema"],
    ["a text for a number", set({ replicas: "3" }), 500, ".spec.replicas: expected numeric (int or float), got string"],
    [
      "a number for a text",
      set({ serviceName: 3 }),
      500,
      ".spec.serviceName: expected string, got &value.valueUnstructured{Value:3}",
    ],
    [
      "a map for a list",
      set({ volumeClaimTemplates: {} }),
      500,
      ".spec.volumeClaimTemplates: expected list, got &{map[]}",
    ],
    [
      "an item twice",
      set({}, { finalizers: ["a", "a"] }),
      500,
      '.metadata.finalizers: duplicate entries for key [="a"]',
    ],
  ])("%s is refused", (_, config, code, message) => {
    const prefix = code === 500 ? "failed to create typed patch object (prod/db; apps/v1, Kind=StatefulSet): " : "";
    expect(refusal(() => applyConfiguration(live, config, false, by("alice")))).toMatchObject({
      code,
      message: prefix + message,
    });
  });
});

describe("from client-side to server-side apply", () => {
  const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
  const config = set({ replicas: 1 });
  const live = create(
    set({ replicas: 1 }, { annotations: { [LAST_APPLIED]: JSON.stringify(config) } }),
    "kubectl-client-side-apply",
  );

  test("kubectl takes over what it wrote and nobody changed, and keeps the annotation up to date", () => {
    const moved = applyConfiguration(live, set({ replicas: 2 }), false, by("kubectl"));
    expect(moved).toMatchObject({ spec: { replicas: 2 } });
    expect(moved["metadata"]).toMatchObject({
      annotations: {
        [LAST_APPLIED]:
          '{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"db","namespace":"prod"},"spec":{"replicas":2}}\n',
      },
    });
  });

  test("what somebody else changed since is still a conflict", () => {
    const scaled = trackUpdate(live, { ...withoutManaged(live), spec: { replicas: 7 } }, by("scaler"));
    expect(refusal(() => applyConfiguration(scaled, set({ replicas: 2 }), false, by("kubectl")))?.code).toBe(409);
  });

  test("other appliers get no such favour", () => {
    expect(refusal(() => applyConfiguration(live, set({ replicas: 2 }), false, by("argo")))?.code).toBe(409);
  });
});

test("times alone are no change", () => {
  const live = create(set({ replicas: 1 }));
  const again = trackUpdate(undefined, set({ replicas: 1 }), by("creator", { now: LATER }));
  expect(again).not.toEqual(live);
  expect(keepTimes(live, again)).toBe(live);
  const other = trackUpdate(undefined, set({ replicas: 2 }), by("creator", { now: LATER }));
  expect(keepTimes(live, other)).toBe(other);
});

describe("for any objects", () => {
  const RUNS = { seed: 20_261_115, numRuns: 150 };
  const pods = arbitraryObject("core.v1.Pod", 5);
  const request = (manager: string): WriteRequest => ({ ...by(manager), apiVersion: "v1", kind: "Pod" });
  const named = ({ spec }: { readonly spec?: Json }): JsonObject => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "x" },
    ...(spec !== undefined && { spec }),
  });

  test("applying the same again changes nothing", () => {
    fc.assert(
      fc.property(pods, pods, (base, config) => {
        const live = trackUpdate(undefined, named(base), request("creator"));
        const once = applyConfiguration(live, named(config), true, request("alice"));
        expect(applyConfiguration(once, named(config), true, request("alice"))).toEqual(once);
      }),
      RUNS,
    );
  });

  test("applying and then applying nothing gives back what others own", () => {
    fc.assert(
      fc.property(pods, pods, (base, config) => {
        const live = trackUpdate(undefined, named(base), request("creator"));
        fc.pre(refusal(() => applyConfiguration(live, named(config), false, request("alice"))) === undefined);
        const applied = applyConfiguration(live, named(config), false, request("alice"));
        const back = applyConfiguration(applied, named({}), false, request("alice"));
        expect(semanticallyEqual(withoutManaged(back), withoutManaged(live))).toBe(true);
        expect(owned(back)["creator Update"]).toEqual(owned(live)["creator Update"]);
      }),
      RUNS,
    );
  });
});
