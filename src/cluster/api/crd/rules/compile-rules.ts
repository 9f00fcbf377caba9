/** The rules of one schema, compiled: apiextensions-apiserver pkg/apiserver/schema/cel/compilation.go. */
import {
  BOOL,
  type Checked,
  createEnvironment,
  declaredType,
  type Environment,
  type Failure,
  optionalOf,
  type Program,
  STRING,
  type Type,
} from "../../cel/index.ts";
import { effortOf as effortOfOne } from "../../expressions/expression.ts";
import type { Rule, Schema } from "../schema/schema.ts";
import { fieldPathOf } from "./field-path.ts";

export interface CompiledRule {
  readonly rule: Rule;
  /** Undefined for a rule that is empty or cannot be compiled. */
  readonly program: Program | undefined;
  readonly checked: Checked | undefined;
  /** Why it cannot be compiled, in Kubernetes' words. */
  readonly error: string | undefined;
  readonly usesOldSelf: boolean;
  readonly message: { readonly program: Program; readonly checked: Checked } | undefined;
  readonly messageError: string | undefined;
  /** Where its errors show, from here on; empty: here. */
  readonly path: string;
}

/** How much it is to compile these, as a step among others. */
export function effortOf(rules: readonly Rule[]): number {
  let effort = 0;
  for (const { rule, messageExpression } of rules) effort += effortOfOne(rule) + effortOfOne(messageExpression);
  return effort;
}

/** `type` is what the schema declares. */
export function compileRules(schema: Schema, type: Type): readonly CompiledRule[] {
  const plain = createEnvironment({ variables: { self: type, oldSelf: type } });
  const optional = createEnvironment({ variables: { self: type, oldSelf: optionalOf(type) } });
  return schema.validations.map((rule) => {
    const environment = rule.optionalOldSelf === true ? optional : plain;
    const nothing = { rule, checked: undefined, program: undefined, error: undefined, usesOldSelf: false };
    const without = { message: undefined, messageError: undefined, path: "" };
    if (rule.rule.trim() === "") return { ...nothing, ...without };
    const compiled = environment.compile(rule.rule, BOOL);
    if (compiled.program === undefined)
      return {
        ...nothing,
        ...without,
        error: complaint(compiled.failure, "compilation failed: ", "cel expression must evaluate to a bool"),
      };
    const { program, checked } = compiled;
    const usesOldSelf = [...checked.references.values()].some(
      (each) => each.kind === "variable" && each.name === "oldSelf",
    );
    const path = rule.fieldPath === "" ? "" : (fieldPathOf(rule.fieldPath, schema) ?? "");
    return { rule, program, checked, error: undefined, usesOldSelf, path, ...compiledMessage(rule, environment) };
  });
}

function compiledMessage(
  { messageExpression }: Rule,
  environment: Environment,
): Pick<CompiledRule, "message" | "messageError"> {
  if (messageExpression === "") return { message: undefined, messageError: undefined };
  const compiled = environment.compile(messageExpression, STRING);
  const wrongType = "messageExpression must evaluate to a string";
  if (compiled.program === undefined)
    return {
      message: undefined,
      messageError: complaint(compiled.failure, "messageExpression compilation failed: ", wrongType),
    };
  const { program, checked } = compiled;
  return { message: { program, checked }, messageError: undefined };
}

function complaint({ kind, text }: Failure, prefix: string, wrongType: string): string {
  if (kind === "issues") return prefix + text;
  return kind === "type"
    ? wrongType
    : `${prefix.startsWith("message") ? "messageExpression" : "program"} instantiation failed: ${text}`;
}

/** What upstream names the type of an object by: a name that nobody can write. */
export function selfType(schema: Schema, isRoot: boolean): Type | undefined {
  return declaredType(schema, "selfType", isRoot);
}
