/** One expression, compiled once per version of what it stands in. */
import { type FieldError, internalField, invalid } from "../../../admission/verdict.ts";
import {
  BOOL,
  DYN,
  type Environment,
  type Failure,
  listOf,
  mapOf,
  NULL,
  type Program,
  STRING,
  struct,
  type Type,
} from "../cel/index.ts";

export interface NamedExpression {
  readonly name: string;
  readonly expression: string;
}

export interface Expression {
  readonly text: string;
  /** Undefined: it does not compile. */
  readonly program: Program | undefined;
  readonly type: Type;
  /** Why it does not compile, in Kubernetes' words; empty where it does. */
  readonly failure: string;
  /** It has a meaning, and yet cannot be run: to Kubernetes that is nobody's fault. */
  readonly isSenseless: boolean;
}

/** What an expression must be of; none: it may be anything. */
export const TRUTH: readonly Type[] = [BOOL];
export const TEXT: readonly Type[] = [STRING];
export const TEXT_OR_NULL: readonly Type[] = [STRING, NULL];

/** How much it is to compile an expression, as a step among others: however short it is, there is something to do. */
export function effortOf(text: string): number {
  return 32 + text.length;
}

export function compile(environment: Environment, text: string, expected: readonly Type[] = []): Expression {
  const compiled = environment.compile(text, ...expected);
  if (compiled.program !== undefined) {
    return { text, program: compiled.program, type: compiled.checked.type, failure: "", isSenseless: false };
  }
  const { failure } = compiled;
  return { text, program: undefined, type: DYN, failure: whyNot(failure), isSenseless: failure.kind === "program" };
}

/** What is wrong with the expression in this field; `shown` is what the client is shown of it. */
export function expressionErrors({ failure, isSenseless }: Expression, path: string, shown: string): FieldError[] {
  if (failure === "") return [];
  return [isSenseless ? internalField(path, failure) : invalid(path, shown, failure)];
}

function whyNot({ kind, text }: Failure): string {
  switch (kind) {
    case "issues":
      return `compilation failed: ${text}`;
    case "program":
      return `program instantiation failed: ${text}`;
    case "type":
      return text;
  }
}

/** Variables that are compiled one after the other: each may use those before it. */
export interface Composition {
  /** The type of `variables`; it has a field for each that was added. */
  readonly type: Type;
  readonly variables: ReadonlyMap<string, Expression>;
  add(variable: NamedExpression): Expression;
}

/** `environment` gives what they may use, `variables` being of this type. */
export function compose(environment: (variables: Type) => Environment): Composition {
  const variables = new Map<string, Expression>();
  const type = struct("kubernetes.variables", (name) => {
    const variable = variables.get(name);
    return variable === undefined ? undefined : fieldType(variable.type);
  });
  const used = environment(type);
  return {
    type,
    variables,
    add({ name, expression }) {
      const compiled = compile(used, expression);
      variables.set(name, compiled);
      return compiled;
    },
  };
}

/** What the checker knows of a variable's type: plain values, and what is made of them. */
function fieldType(type: Type): Type {
  switch (type.kind) {
    case "list":
      return listOf(fieldType(type.params[0] ?? DYN));
    case "map":
      return mapOf(fieldType(type.params[0] ?? DYN), fieldType(type.params[1] ?? DYN));
    case "struct":
    case "opaque":
    case "type":
    case "param":
    case "error":
      return DYN;
    case "bool":
    case "bytes":
    case "double":
    case "duration":
    case "dyn":
    case "int":
    case "null":
    case "string":
    case "timestamp":
    case "uint":
      return type;
  }
}
