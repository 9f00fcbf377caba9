/** Finds the type of every part of an expression, and which overloads its calls may mean. Complains in cel-go's words. */
import { type Expression, OPERATORS, qualifiedName } from "../syntax/ast.ts";
import { TooLarge } from "../syntax/builder.ts";
import type { Parsed } from "../syntax/index.ts";
import { type Complaint, NOWHERE } from "../syntax/source.ts";
import type { FunctionDeclaration, Overload } from "./declarations.ts";
import { moreGeneral, Substitutions } from "./substitutions.ts";
import {
  BOOL,
  BYTES,
  DOUBLE,
  DYN,
  ERROR,
  INT,
  isExactly,
  isOptional,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  STRING,
  shownType,
  type Type,
  typeOf,
  UINT,
  unwrapped,
} from "./types.ts";

/** What names mean outside of the expression. */
export interface Names {
  variable(name: string): Type | undefined;
  /** A type that is named: `int`, `net.IP`, or a struct that may be built. */
  type(name: string): Type | undefined;
  function(name: string): FunctionDeclaration | undefined;
}

export interface Call {
  readonly function: FunctionDeclaration;
  /** Those that fit what is known of the arguments. */
  readonly overloads: readonly Overload[];
  /** Whether what stands before the dot is an argument; otherwise it is part of the name. */
  readonly hasTarget: boolean;
}

export type Reference =
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "type"; readonly type: Type };

export interface Checked {
  readonly parsed: Parsed;
  readonly type: Type;
  typeOf(id: number): Type;
  /** What a name, or names with dots, stand for as a whole. */
  readonly references: ReadonlyMap<number, Reference>;
  readonly calls: ReadonlyMap<number, Call>;
  readonly complaints: readonly Complaint[];
}

const LITERALS = {
  bool: BOOL,
  int: INT,
  uint: UINT,
  double: DOUBLE,
  string: STRING,
  bytes: BYTES,
  null: NULL,
} as const;

export function check(parsed: Parsed, names: Names): Checked {
  const types = new Map<number, Type>();
  const references = new Map<number, Reference>();
  const calls = new Map<number, Call>();
  const complaints: Complaint[] = [];
  const known = new Substitutions();
  /** Variables of the loops around, innermost last. */
  const scopes: Map<string, Type>[] = [];

  const complain = (id: number, message: string) => complaints.push({ place: parsed.placeOf(id), message });
  const typeAt = ({ id }: Expression) => types.get(id) ?? ERROR;
  const undeclared = (id: number, name: string) => complain(id, `undeclared reference to '${name}' (in container '')`);
  const mismatch = (id: number, expected: Type, actual: Type) =>
    complain(id, `expected type '${shownType(expected)}' but found '${shownType(actual)}'`);

  function lookUp(name: string): { type: Type; reference: Reference } | undefined {
    const plain = withoutDot(name);
    const local = scopes.findLast((scope) => scope.has(plain))?.get(plain);
    const variable = local ?? names.variable(plain);
    if (variable !== undefined) return { type: variable, reference: { kind: "variable", name: plain } };
    const type = names.type(plain);
    return type === undefined ? undefined : { type: typeOf(type), reference: { kind: "type", type } };
  }

  function visit(expression: Expression): Type {
    const type = find(expression);
    types.set(expression.id, type);
    return type;
  }

  function find(expression: Expression): Type {
    switch (expression.kind) {
      case "literal":
        return LITERALS[expression.literal.type];
      case "ident": {
        const found = lookUp(expression.name);
        if (found === undefined) undeclared(expression.id, expression.name);
        else references.set(expression.id, found.reference);
        return found?.type ?? ERROR;
      }
      case "select":
        return ofSelect(expression);
      case "call":
        return ofCall(expression);
      case "list":
        return ofList(expression);
      case "map":
        return ofMap(expression);
      case "struct":
        return ofStruct(expression);
      case "comprehension":
        return ofComprehension(expression);
      case "broken":
        return ERROR;
    }
  }

  function ofSelect(expression: Extract<Expression, { kind: "select" }>): Type {
    const name = qualifiedName(expression);
    const found = name === undefined ? undefined : lookUp(name);
    if (found !== undefined) {
      references.set(expression.id, found.reference);
      return found.type;
    }
    const type = ofField(expression.id, expression.operand, expression.field, false);
    return expression.testOnly ? BOOL : known.resolve(type, false);
  }

  function ofField(id: number, operand: Expression, field: string, optional: boolean): Type {
    const operandType = known.resolve(visit(operand), false);
    const target = unwrapped(operandType);
    let result: Type = ERROR;
    switch (target.kind as string) {
      case "map":
        result = target.params[1] as Type;
        break;
      case "struct":
        result = target.field?.(field) ?? ERROR;
        if (target.field === undefined) complain(id, `unexpected failed resolution of '${target.name}'`);
        else if (result === ERROR) complain(id, `undefined field '${field}'`);
        break;
      case "param":
        known.assign(DYN, target);
        result = DYN;
        break;
      default:
        if (target.kind !== "dyn" && target.kind !== "error")
          complain(id, `type '${shownType(target)}' does not support field selection`);
        result = DYN;
    }
    return isOptional(operandType) || optional ? optionalOf(result) : result;
  }

  function ofCall(expression: Extract<Expression, { kind: "call" }>): Type {
    const { id, target, args } = expression;
    if (expression.function === OPERATORS.optionalSelect) {
      const [operand, field] = args as [Expression, Expression];
      visit(field);
      const name = field.kind === "literal" && field.literal.type === "string" ? field.literal.value : "";
      return known.resolve(ofField(id, operand, name, true), false);
    }
    for (const each of args) visit(each);
    const prefix = target === undefined ? undefined : qualifiedName(target);
    const plain = withoutDot(expression.function);
    const whole = prefix === undefined ? undefined : names.function(`${withoutDot(prefix)}.${plain}`);
    if (whole !== undefined) return resolveOverload(expression, whole, undefined);
    if (target !== undefined) visit(target);
    const found = names.function(plain);
    if (found !== undefined) return resolveOverload(expression, found, target);
    undeclared(id, expression.function);
    return ERROR;
  }

  function resolveOverload(
    { id, args }: Extract<Expression, { kind: "call" }>,
    declaration: FunctionDeclaration,
    target: Expression | undefined,
  ): Type {
    const given = (target === undefined ? args : [target, ...args]).map(typeAt);
    if (declaration.name === OPERATORS["&&"] || declaration.name === OPERATORS["||"])
      return ofLogic(id, args, declaration);
    const fitting: Overload[] = [];
    let result: Type | undefined;
    for (const overload of declaration.overloads) {
      if (overload.isMember !== (target !== undefined)) continue;
      // Also where there are more or less of them: what is yet to be found out is numbered, and complaints show that.
      const { args: wanted, result: promised } = instantiated(overload);
      if (!known.assignAll(given, wanted)) continue;
      fitting.push(overload);
      const type = known.resolve(promised, false);
      if (result === undefined) result = type;
      else if (result.kind !== "dyn" && !isExactly(type, result)) result = DYN;
    }
    if (result === undefined) {
      const shown = given.map((each) => shownType(known.resolve(each, true)));
      const signature = target === undefined ? `(${shown.join(", ")})` : `${shown[0]}.(${shown.slice(1).join(", ")})`;
      complain(id, `found no matching overload for '${declaration.name}' applied to '${signature}'`);
      return ERROR;
    }
    calls.set(id, { function: declaration, overloads: fitting, hasTarget: target !== undefined });
    return result;
  }

  function ofLogic(id: number, args: readonly Expression[], declaration: FunctionDeclaration): Type {
    const wrong = args.filter((each) => !known.assign(typeAt(each), BOOL));
    for (const each of wrong) mismatch(each.id, BOOL, typeAt(each));
    if (wrong.length > 0) return ERROR;
    calls.set(id, { function: declaration, overloads: declaration.overloads, hasTarget: false });
    return BOOL;
  }

  /** The overload with fresh names for what it leaves open. */
  function instantiated(overload: Overload): { args: readonly Type[]; result: Type } {
    const fresh = new Map<string, Type>();
    const rename = (type: Type): Type => renamed(type, fresh, () => known.fresh());
    return { args: overload.args.map(rename), result: rename(overload.result) };
  }

  function join(previous: Type | undefined, current: Type): Type {
    if (previous === undefined) return current;
    // That all are of one type is for `validate` to say: formats may be given values of many.
    return known.assign(previous, current) ? moreGeneral(previous, current) : DYN;
  }

  function unwrappedValue(value: Expression, optional: boolean): Type {
    const type = typeAt(value);
    if (!optional) return type;
    if (!isOptional(type) && type.kind !== "dyn") mismatch(value.id, optionalOf(type), type);
    return unwrapped(type);
  }

  function ofList({ elements, optional }: Extract<Expression, { kind: "list" }>): Type {
    let item: Type | undefined;
    for (const [index, each] of elements.entries()) {
      visit(each);
      item = join(item, unwrappedValue(each, optional.has(index)));
    }
    return listOf(item ?? known.fresh());
  }

  function ofMap({ entries }: Extract<Expression, { kind: "map" }>): Type {
    let key: Type | undefined;
    let value: Type | undefined;
    for (const entry of entries) {
      key = join(key, visit(entry.key));
      visit(entry.value);
      value = join(value, unwrappedValue(entry.value, entry.optional));
    }
    return mapOf(key ?? known.fresh(), value ?? known.fresh());
  }

  function ofStruct({ id, type: name, fields }: Extract<Expression, { kind: "struct" }>): Type {
    const found = lookUp(name);
    if (found === undefined) {
      undeclared(id, name);
      return ERROR;
    }
    let result: Type = ERROR;
    if (found.reference.kind !== "type") complain(id, `'${found.type.name}' is not a type`);
    else if (found.reference.type.kind !== "struct" || found.reference.type.build === undefined)
      complain(id, `'${found.reference.type.name}' is not a message type`);
    else result = found.reference.type;
    references.set(id, found.reference);
    for (const field of fields) {
      visit(field.value);
      const declared = result.field?.(field.name);
      if (result.field === undefined) complain(field.id, `unexpected failed resolution of '${withoutDot(name)}'`);
      else if (declared === undefined) complain(field.id, `undefined field '${field.name}'`);
      const given = unwrappedValue(field.value, field.optional);
      if (declared !== undefined && !known.assign(declared, given)) {
        const [wanted, got] = [shownType(declared), shownType(given)];
        complain(field.id, `expected type of field '${field.name}' is '${wanted}' but provided type is '${got}'`);
      }
    }
    return result;
  }

  function ofComprehension(loop: Extract<Expression, { kind: "comprehension" }>): Type {
    visit(loop.range);
    const accumulated = visit(loop.init);
    const range = known.resolve(typeAt(loop.range), false);
    const [first, second] = itemsOf(loop.range, range, loop.variable2 !== undefined);
    scopes.push(new Map([[loop.accumulator, accumulated]]));
    scopes.push(new Map([[loop.variable, first]]));
    if (loop.variable2 !== undefined) scopes.at(-1)?.set(loop.variable2, second);
    visit(loop.condition);
    assertType(loop.condition, BOOL);
    visit(loop.step);
    assertType(loop.step, accumulated);
    scopes.pop();
    visit(loop.result);
    scopes.pop();
    return known.resolve(typeAt(loop.result), false);
  }

  function itemsOf(expression: Expression, range: Type, isPair: boolean): readonly [Type, Type] {
    switch (range.kind as string) {
      case "list":
        return isPair ? [INT, range.params[0] as Type] : [range.params[0] as Type, ERROR];
      case "map":
        return [range.params[0] as Type, range.params[1] as Type];
      case "dyn":
      case "error":
      case "param":
        known.assign(DYN, range);
        return [DYN, DYN];
      default:
        complain(
          expression.id,
          `expression of type '${shownType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
        return [ERROR, ERROR];
    }
  }

  function assertType(expression: Expression, wanted: Type): void {
    if (!known.assign(wanted, typeAt(expression))) mismatch(expression.id, wanted, typeAt(expression));
  }

  let type: Type = ERROR;
  try {
    type = known.resolve(visit(parsed.expression), true);
    for (const [id, each] of types) types.set(id, known.resolve(each, true));
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    complaints.push({ place: NOWHERE, message: error.message });
  }
  return { parsed, type, typeOf: (id) => types.get(id) ?? DYN, references, calls, complaints };
}

/** A name from the outermost scope on; there is only one. */
function withoutDot(name: string): string {
  return name.replace(/^\./, "");
}

function renamed(type: Type, names: Map<string, Type>, fresh: () => Type): Type {
  if (type.kind === "param") {
    const known = names.get(type.name) ?? fresh();
    names.set(type.name, known);
    return known;
  }
  if (type.params.length === 0) return type;
  return { ...type, params: type.params.map((each) => renamed(each, names, fresh)) };
}
