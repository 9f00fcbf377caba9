/** A text to a tree, macros written out. Follows the grammar of cel-go 0.26, with its limits and its words. */
import { type Entry, type Expression, type Field, OPERATORS } from "./ast.ts";
import { Builder, TooLarge } from "./builder.ts";
import { literalOf } from "./literals.ts";
import { expanded } from "./macros.ts";
import { type Complaint, NOWHERE, type Place, type Source, sourceOf } from "./source.ts";
import { EXPRESSION_START, Stopped, TokenStream } from "./token-stream.ts";
import { type Token, type TokenKind, tokensOf } from "./tokens.ts";

export interface Parsed {
  readonly expression: Expression;
  readonly source: Source;
  readonly complaints: readonly Complaint[];
  placeOf(id: number): Place;
}

/** Characters of an expression, and how deep its rules may nest: cel-go's own. */
const MAX_CHARACTERS = 100_000;
const MAX_DEPTH = 250;

const RESERVED: ReadonlySet<string> = new Set(
  "as break const continue else false for function if import in let loop package namespace null return true var void while".split(
    " ",
  ),
);

const ITEM_START: readonly TokenKind[] = [...EXPRESSION_START, "'?'"];
const RELATIONS: readonly TokenKind[] = ["'<'", "'<='", "'>='", "'>'", "'=='", "'!='", "'in'"];
const SUMS: readonly TokenKind[] = ["'+'", "'-'"];
const PRODUCTS: readonly TokenKind[] = ["'*'", "'/'", "'%'"];
const LITERALS: readonly TokenKind[] = [
  "NUM_INT",
  "NUM_UINT",
  "NUM_FLOAT",
  "STRING",
  "BYTES",
  "'true'",
  "'false'",
  "'null'",
];

export function parse(text: string): Parsed {
  const source = sourceOf(text);
  const build = new Builder(source);
  const { complaints } = build;
  const size = source.characters.length;
  const parsed = (expression: Expression): Parsed => ({
    expression,
    source,
    complaints,
    placeOf: (id) => build.placeOf(id),
  });
  if (size > MAX_CHARACTERS)
    return parsed(
      build.complain(-1, `expression code point size exceeds limit: size: ${size}, limit ${MAX_CHARACTERS}`),
    );
  try {
    const tokens = new TokenStream(tokensOf(source, complaints), source, complaints);
    return parsed(new Parser(build, tokens).whole());
  } catch (error) {
    if (error instanceof TooLarge) complaints.push({ place: NOWHERE, message: error.message });
    else if (!(error instanceof Stopped)) throw error;
    return parsed({ kind: "broken", id: 0 });
  }
}

class Parser {
  readonly #build: Builder;
  readonly #tokens: TokenStream;
  readonly #depths = { expression: 0, relation: 0, sum: 0, member: 0 };

  constructor(build: Builder, tokens: TokenStream) {
    this.#build = build;
    this.#tokens = tokens;
  }

  whole(): Expression {
    const expression = this.#expression();
    this.#tokens.expect("<EOF>");
    return expression;
  }

  #expression(): Expression {
    return this.#within("expression", () => {
      const condition = this.#any();
      const question = this.#tokens.takeIf("'?'");
      if (question === undefined) return condition;
      const whenTrue = this.#any();
      this.#tokens.expect("':'");
      const whenFalse = this.#expression();
      return this.#build.call(question.at, OPERATORS["?"], condition, whenTrue, whenFalse);
    });
  }

  #any(): Expression {
    return this.#joined("'||'", OPERATORS["||"], () => this.#all());
  }

  #all(): Expression {
    return this.#joined("'&&'", OPERATORS["&&"], () => this.#relation());
  }

  /** `a && b && c` is one call of three. */
  #joined(sign: TokenKind, name: string, term: () => Expression): Expression {
    const terms = [term()];
    let at: number | undefined;
    for (let found = this.#tokens.takeIf(sign); found !== undefined; found = this.#tokens.takeIf(sign)) {
      at ??= found.at;
      terms.push(term());
    }
    return at === undefined ? (terms[0] as Expression) : this.#build.call(at, name, ...terms);
  }

  #relation(): Expression {
    return this.#chain("relation", RELATIONS, () => this.#sum());
  }

  #sum(): Expression {
    return this.#chain("sum", SUMS, () => this.#chain("sum", PRODUCTS, () => this.#unary()));
  }

  /** Operators of one rank, from left to right. Each counts as a step down, as in cel-go. */
  #chain(rule: "relation" | "sum", signs: readonly TokenKind[], term: () => Expression): Expression {
    const before = this.#depths[rule];
    this.#deeper(rule);
    let left = term();
    while (signs.includes(this.#tokens.token.kind)) {
      const sign = this.#tokens.take();
      this.#deeper(rule);
      left = this.#build.call(sign.at, OPERATORS[sign.text as keyof typeof OPERATORS], left, term());
    }
    this.#depths[rule] = before;
    return left;
  }

  #unary(): Expression {
    this.#tokens.expectOneOf(EXPRESSION_START);
    const { token } = this.#tokens;
    if (token.kind === "'!'") return this.#repeated("'!'", OPERATORS["!"]);
    const isNumber = ["NUM_INT", "NUM_FLOAT"].includes(this.#tokens.ahead(1).kind);
    if (token.kind === "'-'" && !isNumber) return this.#repeated("'-'", OPERATORS.negate);
    return this.#member();
  }

  /** Twice is as good as not at all. */
  #repeated(sign: TokenKind, name: string): Expression {
    const first = this.#tokens.take();
    let count = 1;
    while (this.#tokens.takeIf(sign) !== undefined) count++;
    this.#tokens.expectOneOf(EXPRESSION_START.filter((kind) => kind !== "'!'"));
    const operand = this.#member();
    return count % 2 === 0 ? operand : this.#build.call(first.at, name, operand);
  }

  #member(): Expression {
    const before = this.#depths.member;
    this.#deeper("member");
    let operand = this.#primary();
    for (;;) {
      const { token } = this.#tokens;
      if (token.kind === "'.'") operand = this.#dot(operand);
      else if (token.kind === "'['") operand = this.#index(operand);
      else break;
      this.#deeper("member");
    }
    this.#depths.member = before;
    return operand;
  }

  #dot(operand: Expression): Expression {
    const dot = this.#tokens.take();
    const optional = this.#tokens.takeIf("'?'");
    const name = this.#tokens.token;
    if (optional !== undefined) this.#tokens.expectOneOf(["IDENTIFIER", "ESC_IDENTIFIER"]);
    else if (name.kind !== "IDENTIFIER" && name.kind !== "ESC_IDENTIFIER") this.#tokens.noWayOn(dot);
    this.#tokens.take();
    if (optional === undefined && name.kind === "IDENTIFIER" && this.#tokens.is("'('")) {
      const open = this.#tokens.take();
      return this.#called(open.at, name.text, operand, this.#arguments());
    }
    const field = this.#fieldName(name);
    if (optional === undefined) return this.#build.make(dot.at, { kind: "select", operand, field, testOnly: false });
    const literal = this.#build.literal(name.at, { type: "string", value: field });
    return this.#build.call(dot.at, OPERATORS.optionalSelect, operand, literal);
  }

  /** Kubernetes has not turned on names in backticks. */
  #fieldName(name: Token): string {
    if (name.kind === "ESC_IDENTIFIER") this.#build.complain(name.at, "unsupported syntax: '`'");
    return name.text;
  }

  #index(operand: Expression): Expression {
    const open = this.#tokens.take();
    this.#tokens.expectOneOf(ITEM_START);
    const optional = this.#tokens.takeIf("'?'");
    const index = this.#expression();
    this.#tokens.expect("']'");
    return this.#build.call(
      open.at,
      optional === undefined ? OPERATORS.index : OPERATORS.optionalIndex,
      operand,
      index,
    );
  }

  #primary(): Expression {
    const { token } = this.#tokens;
    switch (token.kind as string) {
      case "'('": {
        this.#tokens.take();
        const inner = this.#expression();
        this.#tokens.expect("')'");
        return inner;
      }
      case "'['":
        return this.#list();
      case "'{'":
        return this.#map();
      case "'.'":
      case "IDENTIFIER":
        return this.#named();
      default:
        if (token.kind !== "'-'" && !LITERALS.includes(token.kind)) this.#tokens.expectOneOf(EXPRESSION_START);
        return this.#literal();
    }
  }

  #literal(): Expression {
    const sign = this.#tokens.takeIf("'-'");
    const token = this.#tokens.take();
    const at = sign?.at ?? token.at;
    try {
      return this.#build.literal(at, literalOf(token, sign !== undefined));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return this.#build.complain(at, error.message);
    }
  }

  /** A variable, a function, or a message: `a`, `.a`, `a(b)`, `a.b{c: d}`. */
  #named(): Expression {
    const dot = this.#tokens.takeIf("'.'");
    if (!this.#tokens.is("IDENTIFIER")) this.#tokens.noWayOn(dot as Token);
    const length = this.#messageName();
    if (length !== undefined) return this.#message(dot, length);
    const name = this.#tokens.take();
    const at = dot?.at ?? name.at;
    if (RESERVED.has(name.text)) {
      if (this.#tokens.takeIf("'('") !== undefined) this.#arguments();
      return this.#build.complain(at, `reserved identifier: ${name.text}`);
    }
    const text = `${dot === undefined ? "" : "."}${name.text}`;
    const open = this.#tokens.takeIf("'('");
    if (open !== undefined) return this.#called(open.at, text, undefined, this.#arguments());
    return this.#build.make(name.at, { kind: "ident", name: text });
  }

  /** How many tokens make the name of a message that is built here. */
  #messageName(): number | undefined {
    let length = 1;
    while (this.#tokens.ahead(length).kind === "'.'" && this.#tokens.ahead(length + 1).kind === "IDENTIFIER")
      length += 2;
    return this.#tokens.ahead(length).kind === "'{'" ? length : undefined;
  }

  #message(dot: Token | undefined, length: number): Expression {
    let type = dot === undefined ? "" : ".";
    for (let index = 0; index < length; index++) type += this.#tokens.take().text;
    const open = this.#tokens.expect("'{'");
    const fields: Field[] = [];
    this.#tokens.expectOneOf(["'}'", "','", "'?'", "IDENTIFIER", "ESC_IDENTIFIER"]);
    this.#until("'}'", ["'?'", "IDENTIFIER", "ESC_IDENTIFIER"], () => {
      const optional = this.#tokens.takeIf("'?'") !== undefined;
      this.#tokens.expectOneOf(["IDENTIFIER", "ESC_IDENTIFIER"]);
      const name = this.#fieldName(this.#tokens.take());
      const colon = this.#tokens.expect("':'");
      fields.push({ id: this.#build.id(colon.at), name, value: this.#expression(), optional });
    });
    return this.#build.make(open.at, { kind: "struct", type, fields });
  }

  #list(): Expression {
    const open = this.#tokens.take();
    const elements: Expression[] = [];
    const optional = new Set<number>();
    this.#tokens.expectOneOf([...EXPRESSION_START, "']'", "','", "'?'"]);
    this.#until("']'", ITEM_START, () => {
      if (this.#tokens.takeIf("'?'") !== undefined) optional.add(elements.length);
      elements.push(this.#expression());
    });
    return this.#build.make(open.at, { kind: "list", elements, optional });
  }

  #map(): Expression {
    const open = this.#tokens.take();
    const entries: Entry[] = [];
    this.#tokens.expectOneOf([...EXPRESSION_START, "'}'", "','", "'?'"]);
    this.#until("'}'", ITEM_START, () => {
      const optional = this.#tokens.takeIf("'?'") !== undefined;
      const key = this.#expression();
      const colon = this.#tokens.expect("':'");
      entries.push({ id: this.#build.id(colon.at), key, value: this.#expression(), optional });
    });
    return this.#build.make(open.at, { kind: "map", entries });
  }

  /** What stands between commas; one more comma may stand before the end. */
  #until(end: TokenKind, starts: readonly TokenKind[], item: () => void): void {
    if (starts.includes(this.#tokens.token.kind)) {
      item();
      while (this.#tokens.is("','") && starts.includes(this.#tokens.ahead(1).kind)) {
        this.#tokens.take();
        item();
      }
      this.#tokens.expectOneOf([end, "','"]);
    }
    this.#tokens.takeIf("','");
    this.#tokens.expect(end);
  }

  #arguments(): readonly Expression[] {
    if (this.#tokens.takeIf("')'") !== undefined) return [];
    this.#tokens.expectOneOf([...EXPRESSION_START, "')'"]);
    const found = [this.#expression()];
    while (this.#tokens.takeIf("','") !== undefined) found.push(this.#expression());
    this.#tokens.expect("')'");
    return found;
  }

  #called(at: number, name: string, target: Expression | undefined, args: readonly Expression[]): Expression {
    return (
      expanded(this.#build, at, name, target, args) ??
      this.#build.make(at, { kind: "call", function: name, target, args })
    );
  }

  #within(rule: "expression", read: () => Expression): Expression {
    this.#deeper(rule);
    const found = read();
    this.#depths[rule]--;
    return found;
  }

  #deeper(rule: "expression" | "relation" | "sum" | "member"): void {
    if (++this.#depths[rule] > MAX_DEPTH) throw new TooLarge(`expression recursion limit exceeded: ${MAX_DEPTH}`);
  }
}
