import { expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import { withoutGatedFields } from "./gated-fields.ts";

const lease = (spec: JsonObject): JsonObject => ({ apiVersion: "coordination.k8s.io/v1", kind: "Lease", spec });
const pod = (lifecycle: JsonObject): JsonObject => ({
  apiVersion: "v1",
  kind: "Pod",
  spec: { containers: [{ name: "a" }, { name: "b", lifecycle }] },
});

test("what is behind a gate is taken away, and nothing beside it", () => {
  expect(withoutGatedFields(lease({ strategy: "s", holderIdentity: "me" }))).toEqual(lease({ holderIdentity: "me" }));
  expect(withoutGatedFields(pod({ stopSignal: "SIGINT", preStop: {} }))).toEqual(pod({ preStop: {} }));
});

test.each([lease({ holderIdentity: "me" }), pod({}), { kind: "Odd", apiVersion: "v1" }, {}, lease([] as never)])(
  "an object without any stays the same: %j",
  (object) => {
    expect(withoutGatedFields(object)).toBe(object);
  },
);
