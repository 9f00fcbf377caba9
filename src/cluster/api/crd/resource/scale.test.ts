import { expect, test } from "vitest";
import { fieldErrorText } from "../../../../admission/verdict.ts";
import type { JsonObject } from "../../json.ts";
import { validateScaleSpec, validateScaleStatus } from "./scale.ts";

const PATHS = { specReplicas: ".spec.replicas", statusReplicas: ".status.replicas", labelSelector: ".status.selector" };

test.each<[string, JsonObject, string[]]>([
  ["there", { spec: { replicas: 3 }, status: { replicas: 2, selector: "a=b" } }, []],
  ["missing", {}, []],
  ["negative", { spec: { replicas: -1 } }, [".spec.replicas: Invalid value: -1: should be a non-negative integer"]],
  [
    "too large",
    { status: { replicas: 2 ** 31 } },
    [".status.replicas: Invalid value: 2147483648: should be less than or equal to 2147483647"],
  ],
  [
    "of another type",
    { spec: { replicas: "3" }, status: { selector: 5 } },
    [
      ".spec.replicas: Invalid value: 0: .spec.replicas accessor error: 3 is of the type string, expected int64",
      '.status.selector: Invalid value: "": .status.selector accessor error: 5 is of the type int64, expected string',
    ],
  ],
])("a scale that is %s", (_, object, expected) => {
  const errors = [...validateScaleSpec(object, PATHS), ...validateScaleStatus(object, PATHS)];
  expect(errors.map(fieldErrorText)).toEqual(expected);
});
