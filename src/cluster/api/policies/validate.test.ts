/** The texts are held against a real server's in test/kube/policy-engine. */
import { beforeAll, describe, expect, test } from "vitest";
import { fieldErrorText } from "../../../admission/verdict.ts";
import { withDefaults } from "../defaults/defaults.ts";
import type { JsonObject } from "../json.ts";
import { atOnce } from "../steps.ts";
import { engine } from "./lazy-engine.ts";
import { bindingRules, policyErrors } from "./rules.ts";
import { bindingOf, policyOf } from "./testing/policy-objects.ts";

beforeAll(() => engine.use(() => {}));

const errors = (spec: JsonObject, old?: JsonObject): string[] => {
  const policy = (each: JsonObject) => withDefaults(policyOf("Validating", "p", each));
  const found = policyErrors("Validating")(policy(spec), old === undefined ? undefined : policy(old));
  return atOnce(found).map(fieldErrorText);
};
const met = { validations: [{ expression: "true" }] };

describe("a policy", () => {
  test("that means something is fine", () => {
    expect(errors(met)).toEqual([]);
  });

  test("must do something", () => {
    const why = "Required value: validations or auditAnnotations must contain at least one item";
    expect(errors({})).toEqual([`spec.validations: ${why}`, `spec.auditAnnotations: ${why}`]);
  });

  test("says where its expression is wrong", () => {
    expect(errors({ validations: [{ expression: "object.a && " }] })).toEqual([
      expect.stringContaining(
        'spec.validations[0].expression: Invalid value: "object.a && ": compilation failed: ERROR: <input>:1:',
      ),
    ]);
  });

  test("may use variables only behind where they are made", () => {
    const variables = [
      { name: "a", expression: "variables.b" },
      { name: "b", expression: "1" },
    ];
    expect(errors({ ...met, variables })).toEqual([expect.stringContaining("undefined field 'b'")]);
  });

  test("is not asked again about conditions that it had before", () => {
    const bad = { ...met, matchConditions: [{ name: "x", expression: "1" }] };
    expect(errors(bad)).toHaveLength(1);
    expect(errors(bad, bad)).toEqual([]);
  });
});

test("a mutating policy cannot be for deletions, and its binding neither", () => {
  const deletions = {
    resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations: ["DELETE"] }],
  };
  const mutations = [{ patchType: "ApplyConfiguration", applyConfiguration: { expression: "Object{}" } }];
  const policy = policyOf("Mutating", "p", { reinvocationPolicy: "Never", mutations, matchConstraints: deletions });
  const unsupported = `Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"`;
  expect(atOnce(policyErrors("Mutating")(withDefaults(policy), undefined)).map(fieldErrorText)).toEqual([
    `spec.matchConstraints.resourceRules.operations: ${unsupported}`,
  ]);
  const binding = withDefaults(bindingOf("Mutating", "p", { matchResources: deletions }));
  expect(bindingRules("Mutating").create(binding).map(fieldErrorText)).toEqual([
    `spec.matchResources.resourceRules.operations: ${unsupported}`,
  ]);
});

test("a binding says what is to be done, and where its params are", () => {
  const binding = bindingOf("Validating", "p", { validationActions: ["Deny", "Warn"], paramRef: {} });
  expect(bindingRules("Validating").create(withDefaults(binding)).map(fieldErrorText)).toEqual([
    "spec.paramRef: Required value: one of name or selector must be specified",
    "spec.paramRef.parameterNotFoundAction: Required value",
    expect.stringContaining("spec.validationActions: Invalid value:"),
  ]);
});
