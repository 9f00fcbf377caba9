import { expect, test } from "vitest";
import { aClaim } from "../../../../admission/fixtures.ts";
import { controllerReference } from "../decide/names.ts";
import { aSet } from "../testing/objects.ts";
import { isNewsOfClaim } from "./claim-news.ts";

const before = aClaim();
const with_ = (metadata: object) => ({ ...before, metadata: { ...before.metadata, ...metadata } });

test.each([
  ["it is bound", aClaim({ phase: "Pending" }), before],
  ["it asks for more", before, aClaim({ request: "20Gi" })],
  ["it is being deleted", before, with_({ deletionTimestamp: "2026-01-01T00:00:00Z" })],
  ["it has another owner", before, with_({ ownerReferences: [controllerReference("StatefulSet", aSet())] })],
  ["it has other labels", before, with_({ labels: { app: "db" } })],
  [
    "its growth has failed",
    before,
    aClaim({ status: { allocatedResourceStatuses: { storage: "ControllerResizeInfeasible" } } }),
  ],
])("that %s is news", (_, old, now) => {
  expect(isNewsOfClaim(old, now)).toBe(true);
});

test.each([
  ["it grows", aClaim({ status: { allocatedResourceStatuses: { storage: "ControllerResizeInProgress" } } })],
  ["it has grown", aClaim({ capacity: "20Gi" })],
  ["somebody wrote a note on it", aClaim({ annotations: { note: "x" } })],
  ["the same size is written in another way", aClaim({ request: "10240Mi" })],
])("that %s is none", (_, now) => {
  expect(isNewsOfClaim(before, now)).toBe(false);
});
