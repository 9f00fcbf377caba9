/** The whole table of definitions is in test/kube/crd, where a real server has the last word; these are its cornerstones. */
import { beforeAll, describe, expect, test } from "vitest";
import { fieldErrorText } from "../../../../admission/verdict.ts";
import type { JsonObject } from "../../json.ts";
import { rules } from "../lazy-rules.ts";
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
  const odd = { type: "string", format: "odd" };

  test("of formats that nobody checks, and not of rules", () => {
    expect(warningsOf(withField(odd))).toEqual(['unrecognized format "odd"']);
    expect(warningsOf(withField({ type: "string", "x-kubernetes-validations": [{ rule: "self != ''" }] }))).toEqual([]);
  });

  test("once: an update that brings nothing new is told nothing", () => {
    expect(warningsOf(withField(odd), withField(odd))).toEqual([]);
    expect(warningsOf(withField(odd), newDefinition("things", "Thing"))).toHaveLength(1);
  });

  test("that webhooks are not asked to convert, where there is something to convert", () => {
    const conversion = { strategy: "Webhook" };
    expect(warningsOf(newDefinition("things", "Thing", { conversion }))).toEqual([]);
    expect(
      warningsOf(newDefinition("things", "Thing", { conversion, versions: [version("v1"), version("v2")] })),
    ).toHaveLength(1);
  });
});

describe("a rule in CEL", () => {
  beforeAll(() => rules.use(() => {}));

  const withRule = (schema: JsonObject, ...rules: JsonObject[]) =>
    errors(withField({ ...schema, "x-kubernetes-validations": rules }));

  test.each<[string, JsonObject, JsonObject, string]>([
    [
      "that does not compile",
      { type: "integer" },
      { rule: "self.a" },
      "compilation failed: ERROR: <input>:1:5: type 'int' does not support field selection",
    ],
    ["that is no question", { type: "integer" }, { rule: "self" }, "cel expression must evaluate to a bool"],
    [
      "with a message that is no text",
      { type: "integer" },
      { rule: "self > 0", messageExpression: "self" },
      "messageExpression must evaluate to a string",
    ],
    [
      "that may cost too much",
      { type: "array", items: { type: "string" } },
      { rule: "self.all(a, self.all(b, a != b))" },
      "estimated rule cost exceeds budget by factor of more than 100x",
    ],
    [
      "with a field that is not there",
      { type: "object", properties: { a: { type: "string" } } },
      { rule: "true", fieldPath: ".b" },
      "must be a valid path",
    ],
    [
      "that is optional about nothing",
      { type: "integer" },
      { rule: "self > 0", optionalOldSelf: true },
      "may not be set if oldSelf is not used in rule",
    ],
  ])("%s is refused", (_, schema, rule, message) => {
    expect(withRule(schema, rule).join()).toContain(message);
  });

  test("about what was there before is refused where that cannot be told", () => {
    const items = { type: "string", "x-kubernetes-validations": [{ rule: "self == oldSelf" }] };
    expect(errors(withField({ type: "array", maxItems: 5, items })).join()).toContain(
      "oldSelf cannot be used on the uncorrelatable portion of the schema within",
    );
  });

  test("is taken when all is well with it", () => {
    expect(withRule({ type: "string", maxLength: 10 }, { rule: "self.size() > 2 && self == oldSelf" })).toEqual([]);
  });
});
