import { describe, expect, test } from "vitest";
import { fieldErrorText } from "../../../../admission/verdict.ts";
import type { Resource } from "../../catalog/resource.ts";
import type { JsonObject } from "../../json.ts";
import { establish } from "../control/establish.ts";
import { newDefinition, version } from "../testing/definition.ts";
import { resourcesOf } from "./resources-of.ts";

const NOW = "2026-01-01T00:00:00Z";

function resources(versions: readonly JsonObject[], spec: JsonObject = {}): Resource[] {
  return resourcesOf(establish(newDefinition("things", "Thing", { versions, ...spec }), [], NOW));
}

describe("the resources of a definition", () => {
  test("are none before it is established", () => {
    expect(resourcesOf(newDefinition("things", "Thing"))).toEqual([]);
  });

  test("are its versions that are served", () => {
    const found = resources([version("v1"), version("v2"), version("v3", { served: false })]);
    expect(found.map(({ kind }) => kind.version)).toEqual(["v1", "v2"]);
  });

  test("count generations by the spec where the status has an endpoint of its own, by everything otherwise", () => {
    const [plain, split] = resources([version("v1"), version("v2", { subresources: { status: {} } })]);
    expect([plain?.kind.generation, split?.kind.generation]).toEqual(["content", "spec"]);
    expect([plain?.custom?.hasStatus, split?.custom?.hasStatus]).toEqual([false, true]);
    expect(split?.kind.subresources.map(({ name }) => name)).toEqual(["status"]);
  });

  test("have a scale, fields to select by, and a word of deprecation where it says so", () => {
    const scale = { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" };
    const [one, other] = resources([
      version("v1", { subresources: { scale }, selectableFields: [{ jsonPath: ".spec.size" }], deprecated: true }),
      version("v2", { deprecated: true, deprecationWarning: "use v3" }),
    ]);
    expect(one?.custom).toMatchObject({
      scale: { specReplicas: ".spec.size", statusReplicas: ".status.size" },
      selectableFields: ["spec.size"],
      deprecation: "example.com/v1 Thing is deprecated",
    });
    expect(other?.custom?.deprecation).toBe("use v3");
  });

  test("are of the whole cluster where it says so", () => {
    expect(resources([version("v1")], { scope: "Cluster" })[0]?.kind.namespaced).toBe(false);
  });
});

describe("an object", () => {
  const status = { type: "object", required: ["phase"], properties: { phase: { type: "string" } } };
  const schema = {
    openAPIV3Schema: {
      type: "object",
      properties: { spec: { type: "object", properties: { size: { type: "integer" } } }, status },
    },
  };
  const [resource] = resources([version("v1", { schema, subresources: { status: {} } })]);
  const errors = (next: JsonObject, old: JsonObject | undefined, subresource?: string) =>
    resource?.custom?.validate(next, old, subresource).map(fieldErrorText);

  test("is validated as a whole, and through its status as far as that goes", () => {
    const wrong = { spec: { size: "a" }, status: {} };
    expect(errors(wrong, undefined)).toEqual([
      'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
      "status.phase: Required value",
    ]);
    expect(errors(wrong, { spec: { size: "a" } }, "status")).toEqual(["status.phase: Required value"]);
    expect(errors({ status: { phase: 1 } }, {}, "status")).toEqual([
      'status.phase: Invalid value: "integer": phase in body must be of type string: "integer"',
    ]);
  });
});
