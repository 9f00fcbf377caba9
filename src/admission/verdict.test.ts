import { describe, expect, test } from "vitest";
import {
  aggregate,
  claimTarget,
  type FieldError,
  fieldErrorText,
  forbidden,
  invalid,
  notSupported,
  refusalText,
  required,
  statefulSetTarget,
  toStatus,
} from "./verdict.ts";

const SIZE = "spec.resources.requests.storage";

describe("a field error reads as in Kubernetes", () => {
  test.each<[string, FieldError]>([
    ["spec.resources[storage]: Required value", required("spec.resources[storage]")],
    [
      "spec.accessModes: Required value: at least 1 access mode is required",
      required("spec.accessModes", "at least 1 access mode is required"),
    ],
    [
      'spec.resources[storage]: Invalid value: "0": must be greater than zero',
      invalid("spec.resources[storage]", "0", "must be greater than zero"),
    ],
    [
      "status.capacity[storage]: Invalid value: -1: must be a valid resource quantity",
      invalid("status.capacity[storage]", -1n, "must be a valid resource quantity"),
    ],
    ["volumeMode: Invalid value: null: field is immutable", invalid("volumeMode", undefined, "field is immutable")],
    [
      `${SIZE}: Forbidden: field can not be less than status.capacity`,
      forbidden(SIZE, "field can not be less than status.capacity"),
    ],
    [
      'status.allocatedResources: Unsupported value: "cpu": supported values: "storage"',
      notSupported("status.allocatedResources", "cpu", ["storage"]),
    ],
  ])("%s", (text, error) => {
    expect(fieldErrorText(error)).toBe(text);
  });
});

test("several messages become one list, each only once; one alone stands without brackets", () => {
  expect(aggregate(["a", "b", "a"])).toBe("[a, b]");
  expect(aggregate(["a", "a"])).toBe("a");
});

describe("the answer to the client", () => {
  test("an invalid object: 422 with one cause per field", () => {
    const status = toStatus({
      kind: "invalid",
      target: claimTarget("x"),
      errors: [forbidden(SIZE, "field can not be less than status.capacity")],
    });
    expect(status).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message:
        'PersistentVolumeClaim "x" is invalid: spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
      reason: "Invalid",
      details: {
        name: "x",
        kind: "PersistentVolumeClaim",
        causes: [
          {
            reason: "FieldValueForbidden",
            message: "Forbidden: field can not be less than status.capacity",
            field: SIZE,
          },
        ],
      },
      code: 422,
    });
  });

  test("an admission check: 403, the plural in the details", () => {
    const status = toStatus({
      kind: "forbidden",
      target: claimTarget("x"),
      reason: "Only bound persistent volume claims can be expanded",
    });
    expect(status).toMatchObject({
      message: 'persistentvolumeclaims "x" is forbidden: Only bound persistent volume claims can be expanded',
      reason: "Forbidden",
      details: { name: "x", kind: "persistentvolumeclaims" },
      code: 403,
    });
  });

  test("a kind outside the core group carries its group", () => {
    const target = statefulSetTarget("db");
    expect(refusalText({ kind: "invalid", target, errors: [forbidden("spec", "no")] })).toBe(
      'StatefulSet.apps "db" is invalid: spec: Forbidden: no',
    );
    expect(toStatus({ kind: "forbidden", target, reason: "no" })).toMatchObject({
      message: 'statefulsets.apps "db" is forbidden: no',
      details: { name: "db", group: "apps", kind: "statefulsets" },
    });
  });
});
