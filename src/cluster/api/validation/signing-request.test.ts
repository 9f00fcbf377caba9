import { expect, test } from "vitest";
import { fieldErrorText } from "../../../admission/verdict.ts";
import type { JsonObject } from "../json.ts";
import { validateSigningRequestStatus } from "./signing-request.ts";

const yes = (type: string, more: JsonObject = {}): JsonObject => ({ type, status: "True", ...more });
const request = (conditions: readonly JsonObject[], certificate?: string): JsonObject => ({
  status: { conditions, ...(certificate === undefined ? {} : { certificate }) },
});

test.each<[string, string, JsonObject, JsonObject, string[]]>([
  ["a decision", "approval", request([]), request([yes("Approved")]), []],
  [
    "a decision through the status",
    "status",
    request([]),
    request([yes("Denied")]),
    ['status.conditions: Forbidden: updates may not add a condition of type "Denied"'],
  ],
  [
    "both",
    "approval",
    request([yes("Approved")]),
    request([yes("Approved"), yes("Denied")]),
    ['status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive'],
  ],
  [
    "taken back",
    "approval",
    request([yes("Approved")]),
    request([]),
    ['status.conditions: Forbidden: updates may not remove a condition of type "Approved"'],
  ],
  [
    "other words through the status",
    "status",
    request([yes("Approved")]),
    request([yes("Approved", { reason: "Mine" })]),
    ['status.conditions: Forbidden: updates may not modify a condition of type "Approved"'],
  ],
  [
    "half a decision",
    "approval",
    request([]),
    request([
      { type: "Approved", status: "False" },
      { type: "", status: "" },
    ]),
    [
      'status.conditions[0].status: Unsupported value: "False": supported values: "True"',
      "status.conditions[1].type: Required value",
      "status.conditions[1].status: Required value",
    ],
  ],
  [
    "twice",
    "approval",
    request([]),
    request([yes("Approved"), yes("Approved")]),
    ['status.conditions[1].type: Duplicate value: "Approved"'],
  ],
  ["the certificate", "status", request([]), request([], "YQ=="), []],
  [
    "another certificate",
    "status",
    request([], "YQ=="),
    request([], "Yg=="),
    ["status.certificate: Forbidden: updates may not modify existing certificate content"],
  ],
])("%s", (_, subresource, old, next, errors) => {
  expect(validateSigningRequestStatus(old, next, subresource).map(fieldErrorText)).toEqual(errors);
});
