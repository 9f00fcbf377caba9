/** What the tree of a text means, macros written out. Whatever a mistake has left out becomes a part that stands for nothing. */
import { type Entry, type Expression, type Field, OPERATORS } from "./ast.ts";
import type { Builder } from "./builder.ts";
import { literalOf } from "./literals.ts";
import { expanded } from "./macros.ts";
import { LimitExceeded } from "./recognizer.ts";
import type { Called, Name, Node, Tree } from "./tree.ts";

/** How deep operators and what stands behind dots may nest: cel-go's own. */
const MAX_DEPTH = 250;

const RESERVED: ReadonlySet<string> = new Set(
  "as break const continue else false for function if import in let loop package namespace null return true var void while".split(
    " ",
  ),
);

type Of<Kind extends Node["kind"]> = Extract<Node, { kind: Kind }>;

export function meaningOf(tree: Tree, build: Builder): Expression {
  let depth = 0;

  function visit(node: Tree): Expression {
    if (node === undefined) return build.nothing();
    switch (node.kind) {
      case "conditional":
      case "binary":
      case "select":
      case "index":
        return deeper(() => visitNested(node));
      case "call":
        return "operand" in node.of ? deeper(() => visitCall(node)) : visitCall(node);
      case "logic":
        return build.call(node.at, OPERATORS[node.sign], ...node.terms.map(visit));
      case "unary":
        return visitUnary(node);
      case "ident":
        return visitIdent(node);
      case "list": {
        const elements = node.items.map((item) => visit(item.tree));
        const optional = new Set(node.items.flatMap((item, index) => (item.optional ? [index] : [])));
        return build.make(node.open.at, { kind: "list", elements, optional });
      }
      case "map":
        return build.make(node.open.at, { kind: "map", entries: visitEntries(node.entries) });
      case "message":
        return build.make(node.open.at, { kind: "struct", type: node.type, fields: visitFields(node.fields) });
      case "literal":
        return visitLiteral(node);
      case "lost":
        return build.literal(node.at, { type: "string", value: "<<error>>" });
    }
  }

  function deeper(read: () => Expression): Expression {
    if (++depth > MAX_DEPTH) throw new LimitExceeded("max recursion depth exceeded");
    const found = read();
    depth--;
    return found;
  }

  function visitNested(node: Of<"conditional" | "binary" | "select" | "index">): Expression {
    switch (node.kind) {
      case "conditional": {
        const parts = [visit(node.condition), visit(node.whenTrue), visit(node.whenFalse)];
        return build.call(node.op.at, OPERATORS["?"], ...parts);
      }
      case "binary": {
        const parts = [visit(node.left), visit(node.right)];
        return build.call(node.op.at, OPERATORS[node.op.text as keyof typeof OPERATORS], ...parts);
      }
      case "select":
        return visitSelect(node);
      case "index": {
        const parts = [visit(node.operand), visit(node.index)];
        return build.call(node.open.at, node.optional ? OPERATORS.optionalIndex : OPERATORS.index, ...parts);
      }
    }
  }

  /** Twice is as good as not at all. */
  function visitUnary({ sign, ops, operand }: Of<"unary">): Expression {
    const inner = visit(operand);
    if (ops.length % 2 === 0) return inner;
    return build.call(ops[0]?.at ?? 0, sign === "!" ? OPERATORS["!"] : OPERATORS.negate, inner);
  }

  function visitSelect(node: Of<"select">): Expression {
    const operand = visit(node.operand);
    const name: Name = node.name ?? { at: node.dot.at };
    const field = fieldName(name, name.at) ?? "";
    if (!node.optional) return build.make(node.dot.at, { kind: "select", operand, field, testOnly: false });
    const literal = build.literal(name.at, { type: "string", value: field });
    return build.call(node.dot.at, OPERATORS.optionalSelect, operand, literal);
  }

  /** Undefined when it was complained about. Kubernetes has not turned on names in backticks. */
  function fieldName(name: Name | undefined, at: number): string | undefined {
    if (name?.token?.kind === "IDENTIFIER") return name.token.text;
    build.complain(at, name?.token === undefined ? "unsupported ident kind" : "unsupported syntax: '`'");
    return undefined;
  }

  function visitCall({ name, open, of, args }: Called): Expression {
    if ("operand" in of) {
      const target = visit(of.operand);
      return called(open.at, name.text, target, args.map(visit));
    }
    if (RESERVED.has(name.text)) return build.complain(of.at, `reserved identifier: ${name.text}`);
    return called(open.at, `${of.isAbsolute ? "." : ""}${name.text}`, undefined, args.map(visit));
  }

  function called(at: number, name: string, target: Expression | undefined, args: readonly Expression[]): Expression {
    return expanded(build, at, name, target, args) ?? build.make(at, { kind: "call", function: name, target, args });
  }

  function visitIdent({ at, isAbsolute, name }: Of<"ident">): Expression {
    if (RESERVED.has(name.text)) return build.complain(at, `reserved identifier: ${name.text}`);
    return build.make(name.at, { kind: "ident", name: `${isAbsolute ? "." : ""}${name.text}` });
  }

  function visitEntries(found: Of<"map">["entries"]): readonly Entry[] {
    if (found === undefined) return [];
    return found.colons.map((colon, index) => {
      const item = found.keys[index];
      const id = build.id(colon.at);
      return { id, key: visit(item?.tree), value: visit(found.values[index]), optional: item?.optional === true };
    });
  }

  function visitFields(found: Of<"message">["fields"]): readonly Field[] {
    const fields: Field[] = [];
    for (const [index, { optional, name }] of (found?.keys ?? []).entries()) {
      const colon = found?.colons[index];
      if (found === undefined || colon === undefined) return [];
      const id = build.id(colon.at);
      const text = fieldName(name, found.at);
      if (text !== undefined) fields.push({ id, name: text, value: visit(found.values[index]), optional });
    }
    return fields;
  }

  function visitLiteral({ sign, token }: Of<"literal">): Expression {
    const at = sign?.at ?? token.at;
    try {
      return build.literal(at, literalOf(token, sign !== undefined));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return build.complain(at, error.message);
    }
  }

  return visit(tree);
}
