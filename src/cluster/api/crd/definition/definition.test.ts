/** The whole table of definitions is in test/kube/crd, where a real server has the last word; these are its cornerstones. */
import { describe, expect, test } from "vitest";
import { fieldErrorText } from "../../../../admission/verdict.ts";
import type { JsonObject } from "../../json.ts";
import { newDefinition, version } from "../testing/definition.ts";
import { prepareDefinition } from "./prepare.ts";
import { validateDefinition } from "./validate-definition.ts";
import { warningsOf } from "./warnings.ts";

const errors = (definition: JsonObject, old?: JsonObject) => validateDefinition(definition, old).map(fieldErrorText);

function withField(field: JsonObject): JsonObject {
  const spec = { type: "object", properties: { a: field } };
  return newDefinition("things", "Thing", {
    versions: [version("v1", { schema: { openAPIV3Schema: { type: "object", properties: { spec } } } })],
  });
}

const A = "spec.validation.openAPIV3Schema.properties[spec].properties[a]";

describe("a definition is refused", () => {
  test.each<[string, JsonObject, string[]]>([
    ["for nothing", newDefinition("things", "Thing"), []],
    [
      "for another name",
      { ...newDefinition("things", "Thing"), metadata: { name: "other.example.com" } },
      ['metadata.name: Invalid value: "other.example.com": must be spec.names.plural+"."+spec.group'],
    ],
    [
      "for a field without type",
      withField({}),
      [`${A}.type: Required value: must not be empty for specified object fields`],
    ],
    [
      "for a default that does not fit",
      withField({ type: "integer", default: "a" }),
      [`${A}.default: Invalid value: "string":  in body must be of type integer: "string"`],
    ],
    [
      "for a map whose key may be missing",
      withField({
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        items: { type: "object", properties: { k: { type: "string" } } },
      }),
      [
        `${A}.items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`,
      ],
    ],
    [
      "for types inside of anyOf",
      withField({ type: "string", anyOf: [{ type: "string" }] }),
      [`${A}.anyOf[0].type: Forbidden: must be empty to be structural`],
    ],
  ])("%s", (_, definition, expected) => {
    expect(errors(definition)).toEqual(expected);
  });

  test("when a version goes in which objects may be stored", () => {
    const old = newDefinition("things", "Thing");
    const spec = { ...(old["spec"] as JsonObject), versions: [version("v2", { storage: true })] };
    const next = prepareDefinition({ ...old, spec }, old);
    expect(next).toMatchObject({ status: { storedVersions: ["v1", "v2"] } });
    expect(errors(next, old).join()).toContain(
      'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions',
    );
  });
});

describe("a client is warned", () => {
  const rule = { type: "string", "x-kubernetes-validations": [{ rule: "self != ''" }] };

  test("of formats that nobody checks, and of rules that nobody evaluates", () => {
    expect(warningsOf(withField({ type: "string", format: "odd" }))).toEqual(['unrecognized format "odd"']);
    expect(warningsOf(withField(rule))).toEqual([expect.stringContaining("not evaluated by this server")]);
  });

  test("once: an update that brings nothing new is told nothing", () => {
    expect(warningsOf(withField(rule), withField(rule))).toEqual([]);
    expect(warningsOf(withField(rule), newDefinition("things", "Thing"))).toHaveLength(1);
  });

  test("that webhooks are not asked to convert, where there is something to convert", () => {
    const conversion = { strategy: "Webhook" };
    expect(warningsOf(newDefinition("things", "Thing", { conversion }))).toEqual([]);
    expect(
      warningsOf(newDefinition("things", "Thing", { conversion, versions: [version("v1"), version("v2")] })),
    ).toHaveLength(1);
  });
});
