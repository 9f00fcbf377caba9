import { expect, test } from "vitest";
import { KubeError } from "../../../../kube/index.ts";
import { aSet } from "../testing/objects.ts";
import { setEvents } from "./events.ts";

const refusal = new KubeError("Forbidden", 'create pods prod/db-0: pods "db-0" is forbidden: no', { status: 403 });

test.each([
  ["Normal SuccessfulCreate: Create Pod db-0 in StatefulSet db successful", "pod", "create", undefined],
  ["Normal SuccessfulDelete: Delete Pod db-0 in StatefulSet db successful", "pod", "delete", undefined],
  [
    'Warning FailedCreate: Create Pod db-0 in StatefulSet db failed error: pods "db-0" is forbidden: no',
    "pod",
    "create",
    refusal,
  ],
  ["Normal SuccessfulCreate: Create Claim data-db-0 Pod db-0 in StatefulSet db success", "claim", "create", undefined],
  [
    "Warning FailedUpdate: Update Claim data-db-0 for Pod db-0 in StatefulSet db failed error: out of luck",
    "claim",
    "update",
    new Error("out of luck"),
  ],
] as const)("%s", (expected, what, verb, error) => {
  const told: string[] = [];
  const events = setEvents({
    event: ({ kind, name }, type, reason, message) => {
      expect([kind, name]).toEqual(["StatefulSet", "db"]);
      told.push(`${type} ${reason}: ${message}`);
    },
  });
  if (what === "pod") events.pod(aSet(), verb, "db-0", error);
  else events.claim(aSet(), verb, "data-db-0", "db-0", error);
  expect(told).toEqual([expected]);
});
