/**
 * Expressions, evaluated for one request (upstream admission/plugin/cel/activation.go): what they see, and what
 * they may cost together.
 */
import { type Activation, type CelError, error, fromJson, isError, type Value } from "../cel/index.ts";
import type { JsonObject } from "../json.ts";
import type { Expression } from "./expression.ts";

/** What the expressions see. Undefined is null to them. */
export interface Scene {
  readonly object: JsonObject | undefined;
  readonly old: JsonObject | undefined;
  readonly request: () => JsonObject;
  readonly namespace: JsonObject | undefined;
  readonly params: JsonObject | undefined;
  readonly authorizer: () => { readonly itself: Value; readonly requestResource: Value };
}

/** No more is evaluated: all that was allowed is spent. */
export class OutOfBudget extends Error {
  override readonly name = "OutOfBudget";

  constructor() {
    super("validation failed due to running out of cost budget, no further validation rules will be run");
  }
}

export type Result =
  | { readonly value: Value; readonly failure?: undefined }
  /** In Kubernetes' words. */
  | { readonly failure: string };

export interface Evaluation {
  /** Throws `OutOfBudget`. */
  evaluate(expression: Expression): Result;
  /** What is left to spend. */
  readonly budget: number;
}

/** Variables are evaluated when they are first asked for, once for all that is evaluated here. */
export function beginEvaluation(scene: Scene, variables: ReadonlyMap<string, Expression>, allowed: number): Evaluation {
  let budget = allowed;
  let spentOnVariables = 0;
  const known = new Map<string, Value | CelError>();
  const object = fromJson(scene.object ?? null);
  const old = fromJson(scene.old ?? null);
  const composed: Value = { kind: "map", size: variables.size, find: variable, keys: () => [...variables.keys()] };

  const activation: Activation = (name) => {
    switch (name) {
      case "object":
        return object;
      case "oldObject":
        return old;
      case "request":
        return fromJson(scene.request());
      case "namespaceObject":
        return fromJson(scene.namespace ?? null);
      case "params":
        return fromJson(scene.params ?? null);
      case "variables":
        return composed;
      case "authorizer":
        return scene.authorizer().itself;
      case "authorizer.requestResource":
        return scene.authorizer().requestResource;
      default:
        return undefined;
    }
  };

  function variable(key: Value): Value | CelError | undefined {
    const expression = typeof key === "string" ? variables.get(key) : undefined;
    if (typeof key !== "string" || expression === undefined) return undefined;
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = valueOf(key, expression);
    known.set(key, value);
    return value;
  }

  function valueOf(name: string, { program, failure }: Expression): Value | CelError {
    const called = `composited variable ${JSON.stringify(name)}`;
    if (program === undefined) return error(`${called} fails to compile: ${failure}`);
    const { value, cost } = program.evaluate(activation);
    spentOnVariables += cost;
    return isError(value) ? error(`${called} fails to evaluate: ${value.message}`) : value;
  }

  function spend(cost: number): void {
    if (cost > budget) throw new OutOfBudget();
    budget -= cost;
  }

  return {
    evaluate({ text, program, failure }) {
      if (program === undefined) return { failure: `compilation error: ${failure}` };
      const { value, cost } = program.evaluate(activation);
      spend(spentOnVariables);
      spentOnVariables = 0;
      spend(cost);
      return isError(value) ? { failure: `expression '${text}' resulted in error: ${value.message}` } : { value };
    },
    get budget() {
      return budget;
    },
  };
}
