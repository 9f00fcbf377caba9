import { describe, expect, test } from "vitest";
import { classNameOf, describe as describeObject, readClaim, readSize } from "./claim.ts";
import { BETA_STORAGE_CLASS } from "./names.ts";
import type { Condition, PersistentVolumeClaim } from "./types.ts";

function claim(overrides: Partial<PersistentVolumeClaim> = {}): PersistentVolumeClaim {
  return {
    kind: "PersistentVolumeClaim",
    metadata: { name: "data-db-0", namespace: "prod" },
    spec: { resources: { requests: { storage: "10Gi" } } },
    ...overrides,
  };
}

const withConditions = (...conditions: Condition[]) => readClaim(claim({ status: { conditions } })).conditions;

test("a claim with everything on it", () => {
  const view = readClaim(
    claim({
      metadata: {
        name: "data-db-0",
        namespace: "prod",
        uid: "u1",
        annotations: { team: "db" },
        deletionTimestamp: "2026-11-15T07:08:09Z",
      },
      spec: {
        accessModes: ["ReadWriteMany"],
        resources: { requests: { storage: "20Gi" } },
        storageClassName: "fast",
        volumeMode: "Block",
        volumeName: "pv-1",
      },
      status: {
        phase: "Bound",
        capacity: { storage: "10Gi" },
        allocatedResources: { storage: "20Gi" },
        allocatedResourceStatuses: { storage: "NodeResizePending" },
      },
    }),
  );
  expect(view).toMatchObject({
    namespace: "prod",
    name: "data-db-0",
    uid: "u1",
    phase: "Bound",
    volumeName: "pv-1",
    className: "fast",
    state: "node-pending",
    annotations: { team: "db" },
    volumeMode: "Block",
    accessModes: ["ReadWriteMany"],
    deleting: true,
  });
  expect([view.request, view.capacity, view.allocated].map(String)).toEqual(["20Gi", "10Gi", "20Gi"]);
});

test("a claim with nothing on it reads as Kubernetes reads it: request zero, no capacity, a file system", () => {
  const view = readClaim({ metadata: { name: "x" }, spec: {} });
  expect(view).toMatchObject({
    namespace: "default",
    uid: "",
    phase: "",
    volumeName: "",
    className: undefined,
    capacity: undefined,
    allocated: undefined,
    state: "none",
    annotations: {},
    volumeMode: "Filesystem",
    accessModes: [],
    deleting: false,
  });
  expect(view.request.toString()).toBe("0");
  expect(view.conditions.size).toBe(0);
});

describe("conditions", () => {
  test("count only when they are True, and are known by kind whatever dialect wrote them", () => {
    const conditions = withConditions(
      { type: "ResizeStarted", status: "True", message: "started" },
      { type: "FileSystemResizePending", status: "False" },
      { type: "NodeResizeError", status: "True" },
      { type: "SomethingElse", status: "True" },
    );
    expect([...conditions.keys()].sort()).toEqual(["node-error", "resizing"]);
    expect(conditions.get("resizing")).toEqual({ message: "started", at: undefined });
  });

  test("ResizeFailed of the first text stands for the controller's error and the node's", () => {
    expect([...withConditions({ type: "ResizeFailed", status: "True" }).keys()]).toEqual([
      "controller-error",
      "node-error",
    ]);
  });

  test("of two that mean the same, the first is read", () => {
    const conditions = withConditions(
      { type: "Resizing", status: "True", message: "first" },
      { type: "ResizeStarted", status: "True", message: "second" },
    );
    expect(conditions.get("resizing")?.message).toBe("first");
  });

  test.each([
    ["2026-11-15T00:00:02Z", "2026-11-15T00:00:01Z", 2],
    [null, "2026-11-15T00:00:01Z", 1],
    [undefined, undefined, undefined],
  ])("probed %s and changed %s: last seen at second %s", (lastProbeTime, lastTransitionTime, second) => {
    const condition = { type: "Resizing", status: "True", lastProbeTime, lastTransitionTime } as Condition;
    const at = second === undefined ? undefined : Date.UTC(2026, 10, 15, 0, 0, second);
    expect(withConditions(condition).get("resizing")?.at).toBe(at);
  });
});

describe("the class of a claim", () => {
  test.each([
    [{ [BETA_STORAGE_CLASS]: "old" }, "new", "old"],
    [{ [BETA_STORAGE_CLASS]: "" }, "new", ""],
    [{}, "new", "new"],
    [undefined, "", ""],
    [undefined, undefined, undefined],
  ])("annotation %j and field %j: %j", (annotations, storageClassName, expected) => {
    const made = claim();
    if (annotations !== undefined) made.metadata.annotations = annotations;
    if (storageClassName !== undefined) made.spec.storageClassName = storageClassName;
    expect(classNameOf(made)).toBe(expected);
  });
});

describe("a size", () => {
  const read = (storage: unknown) => readSize(claim(), { storage } as never, "status.capacity.storage")?.toString();

  test.each([
    ["10Gi", "10Gi"],
    [" 10Gi\n", "10Gi"],
    [1_073_741_824, "1073741824"],
    [0, "0"],
    [null, undefined],
    [undefined, undefined],
  ])("%j in the object is %j", (storage, expected) => {
    expect(read(storage)).toBe(expected);
  });

  test.each([
    ["", '""'],
    ["lots", '"lots"'],
    [{}, '"{}"'],
    [true, '"true"'],
  ])("%j is an error that names the claim, the field and the text", (storage, shown) => {
    expect(() => read(storage)).toThrow(
      expect.objectContaining({
        code: "OBJECT_MALFORMED",
        message: expect.stringContaining(
          `PersistentVolumeClaim prod/data-db-0: status.capacity.storage: ${shown} is not a quantity`,
        ),
      }),
    );
  });

  test.each([
    ["spec.resources.requests.storage", { spec: { resources: { requests: { storage: "x" } } } }],
    ["status.capacity.storage", { status: { capacity: { storage: "x" } } }],
    ["status.allocatedResources.storage", { status: { allocatedResources: { storage: "x" } } }],
  ])("%s that cannot be read is an error, never a missing one", (field, overrides) => {
    expect(() => readClaim(claim(overrides))).toThrow(`${field}: "x" is not a quantity`);
  });
});

test.each([
  [{ kind: "StorageClass", metadata: { name: "fast" } }, "StorageClass fast"],
  [{ kind: "Pod", metadata: { name: "db-0", namespace: "prod" } }, "Pod prod/db-0"],
  [{ metadata: { name: "db-0", namespace: "prod" } }, "prod/db-0"],
])("a message names %j as %s", (object, name) => {
  expect(describeObject(object)).toBe(name);
});
