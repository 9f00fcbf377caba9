import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../json.ts";
import { establish } from "../control/establish.ts";
import { newDefinition, version } from "../testing/definition.ts";
import { resourcesOf } from "./resources-of.ts";

const text = { type: "string" };
const spec = {
  type: "object",
  properties: {
    a: { type: "integer", default: 1 },
    b: { type: "object", default: {}, properties: { a: { type: "string", default: "x" } } },
    c: { type: "array", items: { type: "object", properties: { a: text, b: { type: "boolean", default: true } } } },
    d: { type: "object", additionalProperties: { type: "object", properties: { a: { ...text, nullable: true } } } },
    e: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { a: { type: "object" } } },
  },
};
const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
const definition = newDefinition("things", "Thing", { versions: [version("v1", { schema })] });
const [resource] = resourcesOf(establish(definition, [], "2026-01-01T00:00:00Z"));

const anything = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>(null, true, 1, "x"),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c", "d", "e", "__proto__", "constructor"), tie("any"), { maxKeys: 4 }),
  ),
})).any;

test("what conforms already stays as it is, and what was sent is never changed", () => {
  fc.assert(
    fc.property(anything, (value) => {
      const sent: JsonObject = { apiVersion: "example.com/v1", kind: "Thing", metadata: { name: "a" }, spec: value };
      const before = JSON.stringify(sent);
      const once = resource!.custom!.conform(sent);
      const twice = resource!.custom!.conform(once.object);
      expect(JSON.stringify(sent)).toBe(before);
      expect(twice.object).toEqual(once.object);
      expect(twice.unknown).toEqual([]);
    }),
    { seed: 20_260_101, numRuns: 500 },
  );
});
