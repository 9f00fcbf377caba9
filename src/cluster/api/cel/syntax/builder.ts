/** Makes the parts of a tree, numbers them, and remembers where each stands. */
import type { Entry, Expression, Field, Literal } from "./ast.ts";
import { type Complaint, NOWHERE, type Place, type Source } from "./source.ts";

/** Parts that a tree may have with its macros written out: `optMap` writes its target twice, and could do so without end. */
const MAX_PARTS = 200_000;

/** Thrown for an expression that is too large to go on with. */
export class TooLarge extends Error {}

type Part = Expression extends infer Each ? (Each extends Expression ? Omit<Each, "id"> : never) : never;

export class Builder {
  readonly #source: Source;
  readonly #complaints: Complaint[];
  readonly #offsets: number[] = [-1];

  constructor(source: Source, complaints: Complaint[]) {
    this.#source = source;
    this.#complaints = complaints;
  }

  id(offset: number): number {
    if (this.#offsets.length > MAX_PARTS) throw new TooLarge(`expression too large: more than ${MAX_PARTS} parts`);
    return this.#offsets.push(offset) - 1;
  }

  offsetOf(id: number): number {
    return this.#offsets[id] ?? -1;
  }

  placeOf(id: number): Place {
    const offset = this.offsetOf(id);
    return offset < 0 ? NOWHERE : this.#source.placeOf(offset);
  }

  complain(offset: number, message: string): Expression {
    this.#complaints.push({ place: this.#source.placeOf(offset), message });
    return { kind: "broken", id: this.id(offset) };
  }

  /** What stands for a part that is missing. */
  nothing(): Expression {
    return { kind: "broken", id: this.id(-1) };
  }

  make(offset: number, part: Part): Expression {
    return { ...part, id: this.id(offset) };
  }

  literal(offset: number, literal: Literal): Expression {
    return this.make(offset, { kind: "literal", literal });
  }

  call(offset: number, name: string, ...args: Expression[]): Expression {
    return this.make(offset, { kind: "call", function: name, target: undefined, args });
  }

  /** The same once more, with numbers of its own. */
  copy(expression: Expression): Expression {
    const id = this.id(this.offsetOf(expression.id));
    const again = (each: Expression) => this.copy(each);
    switch (expression.kind) {
      case "literal":
      case "ident":
      case "broken":
        return { ...expression, id };
      case "select":
        return { ...expression, id, operand: again(expression.operand) };
      case "call": {
        const target = expression.target === undefined ? undefined : again(expression.target);
        return { ...expression, id, target, args: expression.args.map(again) };
      }
      case "list":
        return { ...expression, id, elements: expression.elements.map(again) };
      case "map":
        return { ...expression, id, entries: expression.entries.map((entry) => this.#copyEntry(entry)) };
      case "struct":
        return { ...expression, id, fields: expression.fields.map((field) => this.#copyField(field)) };
      case "comprehension":
        return {
          ...expression,
          id,
          range: again(expression.range),
          init: again(expression.init),
          condition: again(expression.condition),
          step: again(expression.step),
          result: again(expression.result),
        };
    }
  }

  #copyEntry(entry: Entry): Entry {
    return { ...entry, id: this.id(this.offsetOf(entry.id)), key: this.copy(entry.key), value: this.copy(entry.value) };
  }

  #copyField(field: Field): Field {
    return { ...field, id: this.id(this.offsetOf(field.id)), value: this.copy(field.value) };
  }
}
