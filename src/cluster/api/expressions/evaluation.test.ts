import { describe, expect, test } from "vitest";
import { compileConditions, meetsConditions } from "./conditions.ts";
import { environmentOf } from "./environments.ts";
import { beginEvaluation, OutOfBudget, type Scene } from "./evaluation.ts";
import { compile, compose } from "./expression.ts";

const scene: Scene = {
  object: { data: { a: "b" } },
  old: undefined,
  request: () => ({ operation: "CREATE" }),
  namespace: { metadata: { name: "default" } },
  params: undefined,
  authorizer: () => ({ itself: null, requestResource: null }),
};
const declared = { hasParams: false, hasAuthorizer: true };

describe("variables", () => {
  const composition = compose((variables) => environmentOf({ ...declared, variables }));
  for (const [name, expression] of [
    ["letters", "object.data.map(k, object.data[k])"],
    ["first", "variables.letters[0]"],
    ["bad", "object.data.missing"],
  ] as const)
    composition.add({ name, expression });
  const environment = environmentOf({ ...declared, variables: composition.type });
  const evaluate = (text: string, allowed = 10_000) =>
    beginEvaluation(scene, composition.variables, allowed).evaluate(compile(environment, text));

  test("are made of those before them", () => {
    expect(evaluate("variables.first + variables.first")).toEqual({ value: "bb" });
  });

  test("that nobody asks for do no harm, and those that are asked for say what is wrong", () => {
    expect(evaluate("true || variables.bad == 'x'")).toEqual({ value: true });
    expect(evaluate("variables.bad == 'x'")).toEqual({
      failure: `expression 'variables.bad == 'x'' resulted in error: composited variable "bad" fails to evaluate: no such key: missing`,
    });
  });

  test("are evaluated once: the second time costs nothing", () => {
    const evaluation = beginEvaluation(scene, composition.variables, 10_000);
    const expression = compile(environment, "variables.letters.size() == 1");
    const spent = [0, 1, 2].map(() => {
      const before = evaluation.budget;
      evaluation.evaluate(expression);
      return before - evaluation.budget;
    });
    expect(spent[0]).toBeGreaterThan(spent[1] ?? 0);
    expect(spent[1]).toBe(spent[2]);
  });

  test("count for the budget of who asks for them", () => {
    expect(() => evaluate("variables.first == 'b'", 3)).toThrow(OutOfBudget);
  });
});

describe("conditions", () => {
  const verdict = (...all: string[]) =>
    meetsConditions(compileConditions(all.map((expression, index) => ({ name: `c${index}`, expression }))), scene);

  test.each([
    [["true", "object.data.a == 'b'"], { kind: "met" }],
    [["true", "object.data.a == 'c'"], { kind: "unmet" }],
    [["object.data.missing == 'b'", "false"], { kind: "unmet" }],
    [
      ["true", "object.data.missing == 'b'"],
      {
        kind: "failed",
        message: "expression 'object.data.missing == 'b'' resulted in error: no such key: missing",
      },
    ],
    [["namespaceObject == null"], { kind: "met" }],
  ])("%j", (all, expected) => {
    expect(verdict(...all)).toEqual(expected);
  });
});
