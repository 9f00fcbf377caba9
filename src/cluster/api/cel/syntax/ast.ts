/** An expression as a tree, macros written out. Every part has a number; the place of each number is kept beside the tree. */

export type Literal =
  | { readonly type: "bool"; readonly value: boolean }
  | { readonly type: "int"; readonly value: bigint }
  | { readonly type: "uint"; readonly value: bigint }
  | { readonly type: "double"; readonly value: number }
  | { readonly type: "string"; readonly value: string }
  | { readonly type: "bytes"; readonly value: Uint8Array }
  | { readonly type: "null" };

export interface Entry {
  readonly id: number;
  readonly key: Expression;
  readonly value: Expression;
  readonly optional: boolean;
}

export interface Field {
  readonly id: number;
  readonly name: string;
  readonly value: Expression;
  readonly optional: boolean;
}

export type Expression = { readonly id: number } & (
  | { readonly kind: "literal"; readonly literal: Literal }
  | { readonly kind: "ident"; readonly name: string }
  /** `testOnly`: whether the field is there, of `has()`. */
  | { readonly kind: "select"; readonly operand: Expression; readonly field: string; readonly testOnly: boolean }
  | {
      readonly kind: "call";
      readonly function: string;
      readonly target: Expression | undefined;
      readonly args: readonly Expression[];
    }
  | { readonly kind: "list"; readonly elements: readonly Expression[]; readonly optional: ReadonlySet<number> }
  | { readonly kind: "map"; readonly entries: readonly Entry[] }
  | { readonly kind: "struct"; readonly type: string; readonly fields: readonly Field[] }
  | Comprehension
  /** What stands where something was complained about. */
  | { readonly kind: "broken" }
);

/** A loop: `accumulator` begins as `init` and becomes `step` for each item of `range`, as long as `condition` is not false. */
export interface Comprehension {
  readonly kind: "comprehension";
  readonly range: Expression;
  readonly variable: string;
  /** With two, the first is the index or the key. */
  readonly variable2: string | undefined;
  readonly accumulator: string;
  readonly init: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** The accumulator of macros; cannot be written in an expression. */
export const ACCUMULATOR = "@result";

/** The names of operators, as functions. */
export const OPERATORS = {
  "?": "_?_:_",
  "||": "_||_",
  "&&": "_&&_",
  "==": "_==_",
  "!=": "_!=_",
  "<": "_<_",
  "<=": "_<=_",
  ">": "_>_",
  ">=": "_>=_",
  in: "@in",
  "+": "_+_",
  "-": "_-_",
  "*": "_*_",
  "/": "_/_",
  "%": "_%_",
  "!": "!_",
  negate: "-_",
  index: "_[_]",
  optionalIndex: "_[?_]",
  optionalSelect: "_?._",
  notStrictlyFalse: "@not_strictly_false",
} as const;

/** `a.b.c` as a name, where the expression is nothing but that. */
export function qualifiedName(expression: Expression): string | undefined {
  if (expression.kind === "ident") return expression.name;
  if (expression.kind !== "select" || expression.testOnly) return undefined;
  const operand = qualifiedName(expression.operand);
  return operand === undefined ? undefined : `${operand}.${expression.field}`;
}

/** The parts of an expression, in the order in which they are checked. */
export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "literal":
    case "ident":
    case "broken":
      return [];
    case "select":
      return [expression.operand];
    case "call":
      return expression.target === undefined ? expression.args : [expression.target, ...expression.args];
    case "list":
      return expression.elements;
    case "map":
      return expression.entries.flatMap(({ key, value }) => [key, value]);
    case "struct":
      return expression.fields.map(({ value }) => value);
    case "comprehension":
      return [expression.range, expression.init, expression.condition, expression.step, expression.result];
  }
}
