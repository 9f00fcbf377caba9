/** A text to a tree of its grammar. Follows cel-go 0.26 rule by rule, so that it goes on behind a mistake where that does. */
import {
  AFTER,
  AT,
  EXPRESSION_START,
  FIELD_START,
  ITEM_START,
  LITERAL_START,
  MUST,
  PRIMARY_START,
  PRODUCTS,
  RELATIONS,
  SUMS,
} from "./grammar.ts";
import type { Must, Point } from "./point.ts";
import type { Recognizer } from "./recognizer.ts";
import type { TokenKind } from "./tokens.ts";
import type { Called, Entries, Item, Name, Node, OptionalName, Tree } from "./tree.ts";

type Of<Kind extends Node["kind"]> = Extract<Node, { kind: Kind }>;

export class Parser {
  readonly #tokens: Recognizer;

  constructor(tokens: Recognizer) {
    this.#tokens = tokens;
  }

  whole(): Tree {
    let tree: Tree;
    this.#tokens.rule("whole", AFTER.everything, () => {
      tree = this.#expression(AFTER.whole);
      this.#tokens.match(MUST.end);
    });
    return tree;
  }

  #expression(follow: Point): Tree {
    let tree: Tree;
    this.#tokens.rule("expression", follow, () => {
      const condition = this.#joined("||", AFTER.condition);
      tree = condition;
      const op = this.#tokens.takeIf("'?'");
      if (op === undefined) return;
      const choice: Of<"conditional"> = { kind: "conditional", op, condition };
      tree = choice;
      choice.whenTrue = this.#joined("||", AFTER.whenTrue);
      this.#tokens.match(MUST.conditionColon);
      choice.whenFalse = this.#expression(AFTER.whenFalse);
    });
    return tree;
  }

  /** `a && b && c` is one. */
  #joined(sign: "&&" | "||", follow: Point): Tree {
    this.#tokens.enter(sign, follow);
    const terms: Tree[] = [];
    let at: number | undefined;
    for (;;) {
      terms.push(sign === "||" ? this.#joined("&&", AFTER.anyTerm) : this.#relation(0, AFTER.allTerm));
      const found = this.#tokens.takeIf(`'${sign}'`);
      if (found === undefined) break;
      at ??= found.at;
    }
    this.#tokens.leave(sign);
    return at === undefined ? terms[0] : { kind: "logic", sign, at, terms };
  }

  /** `rank`: operators of a lower one are for somebody further out. */
  #relation(rank: number, follow: Point): Tree {
    this.#tokens.enter("relation", follow);
    let tree = this.#sum(0, AFTER.relationTerm);
    const operators = rank === 0 ? RELATIONS : [];
    while (operators.includes(this.#tokens.token.kind)) {
      const op = this.#tokens.take();
      tree = { kind: "binary", op, left: tree, right: this.#relation(1, AFTER.relationTerm) };
    }
    this.#tokens.leave("relation");
    return tree;
  }

  #sum(rank: number, follow: Point): Tree {
    this.#tokens.enter("sum", follow);
    let tree = this.#unary(AFTER.sumTerm);
    for (;;) {
      const { kind } = this.#tokens.token;
      const isProduct = PRODUCTS.includes(kind) && rank < 2;
      if (!isProduct && !(SUMS.includes(kind) && rank < 1)) break;
      const op = this.#tokens.take();
      tree = { kind: "binary", op, left: tree, right: this.#sum(isProduct ? 2 : 1, AFTER.sumTerm) };
    }
    this.#tokens.leave("sum");
    return tree;
  }

  #unary(follow: Point): Tree {
    let tree: Tree = { kind: "lost", at: this.#tokens.token.at };
    this.#tokens.rule("unary", follow, () => {
      this.#tokens.expect(AT.unary);
      const { kind } = this.#tokens.token;
      if (kind === "'!'") {
        const not: Of<"unary"> = { kind: "unary", sign: "!", ops: [] };
        tree = not;
        this.#nots(not);
      } else if (kind === "'-'" && !this.#isNumber(1)) {
        if (!PRIMARY_START.has(this.#tokens.ahead(1).kind)) this.#tokens.noWayOn(AT.unary, 1);
        const negation: Of<"unary"> = { kind: "unary", sign: "-", ops: [] };
        tree = negation;
        this.#negations(negation);
      } else {
        if (!PRIMARY_START.has(kind)) this.#tokens.noWayOn(AT.unary, 0);
        tree = this.#member(AFTER.operand);
      }
    });
    return tree;
  }

  #isNumber(ahead: number): boolean {
    return ["NUM_INT", "NUM_FLOAT"].includes(this.#tokens.ahead(ahead).kind);
  }

  #nots(not: Of<"unary">): void {
    do {
      not.ops.push(this.#tokens.take());
      this.#tokens.expectAgain(AT.not);
    } while (this.#tokens.is("'!'"));
    not.operand = this.#member(AFTER.operand);
  }

  #negations(negation: Of<"unary">): void {
    do {
      negation.ops.push(this.#tokens.take());
      this.#tokens.expectAgain(AT.negated);
      if (!PRIMARY_START.has(this.#tokens.token.kind)) this.#tokens.noWayOn(AT.negated, 0);
      if (this.#tokens.is("'-'") && !PRIMARY_START.has(this.#tokens.ahead(1).kind)) this.#tokens.noWayOn(AT.negated, 1);
    } while (this.#tokens.is("'-'"));
    negation.operand = this.#member(AFTER.operand);
  }

  #member(follow: Point): Tree {
    let tree: Tree;
    this.#tokens.rule("member", follow, () => {
      tree = this.#primary(AFTER.primary);
      for (;;) {
        const operand = tree;
        if (this.#tokens.is("'['")) this.#index(operand, (index) => (tree = index));
        else if (!this.#tokens.is("'.'")) return;
        else if (this.#isCall(1)) this.#memberCall(operand, (call) => (tree = call));
        else if (FIELD_START.has(this.#tokens.ahead(1).kind)) this.#select(operand, (select) => (tree = select));
        else this.#tokens.noWayOn(AT.suffix, 1);
      }
    });
    return tree;
  }

  #isCall(ahead: number): boolean {
    return this.#tokens.ahead(ahead).kind === "IDENTIFIER" && this.#tokens.ahead(ahead + 1).kind === "'('";
  }

  #select(operand: Tree, begun: (select: Of<"select">) => void): void {
    const select: Of<"select"> = { kind: "select", operand, dot: this.#tokens.take(), optional: false };
    begun(select);
    select.optional = this.#tokens.takeIf("'?'") !== undefined;
    select.name = this.#name(AFTER.selected);
  }

  #memberCall(operand: Tree, begun: (call: Called) => void): void {
    this.#tokens.take();
    const [name, open] = [this.#tokens.take(), this.#tokens.take()];
    const call: Called = { kind: "call", name, open, of: { operand }, args: [] };
    begun(call);
    this.#arguments(call, AT.memberArgs, MUST.memberArgsClose);
  }

  #arguments(call: Called, at: Point, close: Must): void {
    this.#tokens.expect(at);
    if (EXPRESSION_START.has(this.#tokens.token.kind)) {
      const args: Tree[] = [];
      call.args = args;
      this.#tokens.enter("arguments", AFTER.args);
      do args.push(this.#expression(AFTER.arg));
      while (this.#tokens.takeIf("','") !== undefined);
      this.#tokens.leave("arguments");
    }
    this.#tokens.match(close);
  }

  #index(operand: Tree, begun: (index: Of<"index">) => void): void {
    const index: Of<"index"> = { kind: "index", operand, open: this.#tokens.take(), optional: false };
    begun(index);
    this.#tokens.expect(AT.index);
    index.optional = this.#tokens.takeIf("'?'") !== undefined;
    index.index = this.#expression(AFTER.index);
    this.#tokens.match(MUST.indexClose);
  }

  #primary(follow: Point): Tree {
    let tree: Tree;
    const begun = (node: Tree): Tree => (tree = node);
    this.#tokens.rule("primary", follow, () => {
      this.#tokens.expect(AT.primary);
      const { kind } = this.#tokens.token;
      if (kind === "'.'" || kind === "IDENTIFIER") this.#named(begun);
      else if (kind === "'['") this.#list(begun);
      else if (kind === "'{'") this.#map(begun);
      else if (kind === "'('") {
        this.#tokens.take();
        tree = this.#expression(AFTER.nested);
        this.#tokens.match(MUST.nestedClose);
      } else if (LITERAL_START.has(kind)) tree = this.#literal(AFTER.literal);
      else this.#tokens.noWayOn(AT.primary, 0);
    });
    return tree;
  }

  /** A variable, a function, or a message: `a`, `.a`, `a(b)`, `a.b{c: d}`. */
  #named(begun: (tree: Tree) => void): void {
    const { at, kind } = this.#tokens.token;
    const isAbsolute = kind === "'.'";
    const first = isAbsolute ? 1 : 0;
    if (this.#tokens.ahead(first).kind !== "IDENTIFIER") this.#tokens.noWayOn(AT.primary, first);
    const length = this.#messageName(first);
    if (length !== undefined) return this.#message(length, begun);
    const isCall = this.#isCall(first);
    if (isAbsolute) this.#tokens.take();
    const name = this.#tokens.take();
    if (!isCall) return begun({ kind: "ident", at, isAbsolute, name });
    const call: Called = { kind: "call", name, open: this.#tokens.take(), of: { at, isAbsolute }, args: [] };
    begun(call);
    this.#arguments(call, AT.globalArgs, MUST.globalArgsClose);
  }

  /** How many tokens make the name of a message that is built here. */
  #messageName(first: number): number | undefined {
    let length = first + 1;
    const ahead = (count: number): TokenKind => this.#tokens.ahead(count).kind;
    while (ahead(length) === "'.'" && ahead(length + 1) === "IDENTIFIER") length += 2;
    return ahead(length) === "'{'" ? length : undefined;
  }

  #message(length: number, begun: (tree: Tree) => void): void {
    let type = "";
    for (let index = 0; index < length; index++) type += this.#tokens.take().text;
    const message: Of<"message"> = { kind: "message", type, open: this.#tokens.take(), fields: undefined };
    begun(message);
    this.#tokens.expect(AT.fields);
    if (FIELD_START.has(this.#tokens.token.kind)) {
      const fields: Entries<OptionalName> = this.#noEntries();
      message.fields = fields;
      this.#entries("fields", fields, FIELD_START, () => this.#field(AFTER.key));
    }
    this.#tokens.expect(AT.fieldsEnd);
    this.#tokens.takeIf("','");
    this.#tokens.match(MUST.fieldsClose);
  }

  #map(begun: (tree: Tree) => void): void {
    const map: Of<"map"> = { kind: "map", open: this.#tokens.take(), entries: undefined };
    begun(map);
    this.#tokens.expect(AT.entries);
    if (ITEM_START.has(this.#tokens.token.kind)) {
      const entries: Entries<Item> = this.#noEntries();
      map.entries = entries;
      this.#entries("entries", entries, ITEM_START, () => this.#item(AFTER.key));
    }
    this.#tokens.expect(AT.entriesEnd);
    this.#tokens.takeIf("','");
    this.#tokens.match(MUST.entriesClose);
  }

  #noEntries<Key>(): Entries<Key> {
    return { at: this.#tokens.token.at, keys: [], colons: [], values: [] };
  }

  #entries<Key>(name: string, found: Entries<Key>, starts: ReadonlySet<TokenKind>, key: () => Key): void {
    const entry = (colon: Must): void => {
      found.keys.push(key());
      found.colons.push(this.#tokens.match(colon));
      found.values.push(this.#expression(AFTER.value));
    };
    this.#tokens.rule(name, AFTER.entries, () => {
      entry(MUST.entryColon);
      while (this.#isFollowedBy(starts)) {
        this.#tokens.take();
        entry(MUST.nextEntryColon);
      }
    });
  }

  /** A comma and one of these: one more comma may stand before the end. */
  #isFollowedBy(starts: ReadonlySet<TokenKind>): boolean {
    return this.#tokens.is("','") && starts.has(this.#tokens.ahead(1).kind);
  }

  #list(begun: (tree: Tree) => void): void {
    const list: Of<"list"> = { kind: "list", open: this.#tokens.take(), items: [] };
    begun(list);
    this.#tokens.expect(AT.items);
    if (ITEM_START.has(this.#tokens.token.kind)) {
      const items: Item[] = [];
      list.items = items;
      this.#tokens.enter("items", AFTER.items);
      items.push(this.#item(AFTER.item));
      while (this.#isFollowedBy(ITEM_START)) {
        this.#tokens.take();
        items.push(this.#item(AFTER.item));
      }
      this.#tokens.leave("items");
    }
    this.#tokens.expect(AT.itemsEnd);
    this.#tokens.takeIf("','");
    this.#tokens.match(MUST.itemsClose);
  }

  #item(follow: Point): Item {
    const item: Item = { optional: false };
    this.#tokens.rule("item", follow, () => {
      this.#tokens.expect(AT.item);
      item.optional = this.#tokens.takeIf("'?'") !== undefined;
      item.tree = this.#expression(AFTER.optional);
    });
    return item;
  }

  #field(follow: Point): OptionalName {
    const field: OptionalName = { optional: false };
    this.#tokens.rule("field", follow, () => {
      this.#tokens.expect(AT.field);
      field.optional = this.#tokens.takeIf("'?'") !== undefined;
      field.name = this.#name(AFTER.optional);
    });
    return field;
  }

  #name(follow: Point): Name {
    const name: Name = { at: this.#tokens.token.at };
    this.#tokens.rule("name", follow, () => {
      this.#tokens.expect(AT.name);
      if (!AT.name.next.has(this.#tokens.token.kind)) this.#tokens.noWayOn(AT.name, 0);
      name.token = this.#tokens.take();
    });
    return name;
  }

  #literal(follow: Point): Tree {
    let tree: Tree;
    this.#tokens.rule("literal", follow, () => {
      this.#tokens.expect(AT.literal);
      if (this.#tokens.is("'-'") && !this.#isNumber(1)) this.#tokens.noWayOn(AT.literal, 1);
      const sign = this.#tokens.takeIf("'-'");
      tree = { kind: "literal", sign, token: this.#tokens.take() };
    });
    return tree;
  }
}
