import { expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import { prepareSigningRequest, prepareSigningRequestUpdate } from "./prepare-signing-request.ts";

const NOW = Date.UTC(2026, 0, 1);
const TODAY = "2026-01-01T00:00:00Z";
const BEFORE = "2025-01-01T00:00:00Z";
const spec = { request: "Y3Ny", signerName: "example.com/signer" };
const approved = { type: "Approved", status: "True", lastUpdateTime: BEFORE, lastTransitionTime: BEFORE };
const request = (status: JsonObject): JsonObject => ({ metadata: { name: "r" }, spec, status });

test("whoever a new one says is asking, it is who asks", () => {
  const said = { ...spec, username: "king", uid: "0", groups: ["system:masters"], extra: { crown: ["yes"] } };
  const ann = { name: "ann", uid: "", groups: ["staff"], extra: { key: ["value"] } };
  expect(prepareSigningRequest({ spec: said }, ann)).toEqual({
    spec: { ...spec, username: "ann", groups: ["staff"], extra: { key: ["value"] } },
  });
});

test("the object itself changes neither the question nor the answer", () => {
  const next = {
    ...request({ certificate: "YQ==" }),
    spec: { ...spec, signerName: "other" },
    metadata: { name: "r", labels: { a: "b" } },
  };
  expect(prepareSigningRequestUpdate(request({ conditions: [approved] }), next, undefined, NOW)).toEqual({
    metadata: { name: "r", labels: { a: "b" } },
    spec,
    status: { conditions: [approved] },
  });
});

test("an approval writes conditions, with the times that are missing, and nothing else", () => {
  const next = request({ conditions: [{ type: "Approved", status: "True" }], certificate: "YQ==" });
  expect(prepareSigningRequestUpdate(request({}), next, "approval", NOW)["status"]).toEqual({
    conditions: [{ type: "Approved", status: "True", lastUpdateTime: TODAY, lastTransitionTime: TODAY }],
  });
});

test("a condition that stays as it is keeps the time at which it came to be", () => {
  const next = request({ conditions: [{ type: "Approved", status: "True" }] });
  expect(prepareSigningRequestUpdate(request({ conditions: [approved] }), next, "approval", NOW)["status"]).toEqual({
    conditions: [{ ...approved, lastUpdateTime: TODAY }],
  });
});

test("the status gives the certificate, and leaves a decision as it was made", () => {
  const next = request({ conditions: [{ type: "Approved", status: "True", reason: "Mine" }], certificate: "YQ==" });
  expect(prepareSigningRequestUpdate(request({ conditions: [approved] }), next, "status", NOW)["status"]).toEqual({
    conditions: [approved],
    certificate: "YQ==",
  });
});
