/** What a kind looks like as a table: its columns, and the cells of one of its objects. */
import type { Json, JsonObject } from "../json.ts";
import { text } from "./fields.ts";
import { since } from "./human-duration.ts";

/** As meta.k8s.io/v1 has it, with every field there. */
export interface ColumnDefinition {
  readonly name: string;
  /** `string`, `integer`, `number`, `boolean`, `date`. A cell need not be of it: clients print what they get. */
  readonly type: string;
  /** `name` marks the column that names the object; else empty. */
  readonly format: string;
  readonly description: string;
  /** 0 for what is always shown, 1 for what `kubectl get -o wide` adds. */
  readonly priority: number;
}

/** Something that holds for a whole row, so that clients may leave it out or paint it. */
export interface RowCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

export interface Printer {
  readonly columns: readonly ColumnDefinition[];
  /** One cell per column. `now`, in milliseconds since the epoch, is what ages are counted to. Never throws. */
  cells(object: JsonObject, now: number): readonly Json[];
  /** What the row as a whole is: that a pod has run to its end. Kinds that say nothing leave it out. */
  conditions?(object: JsonObject): readonly RowCondition[];
}

/** A column together with the way to its cell, so that the two cannot get out of step. */
export interface Column extends ColumnDefinition {
  readonly cell: (object: JsonObject, now: number) => Json;
}

type Traits = Partial<Omit<ColumnDefinition, "name">>;

/** A definition of a column of text that is always shown, unless the traits say otherwise. */
export function definition(name: string, traits: Traits = {}): ColumnDefinition {
  return { name, type: "string", format: "", description: "", priority: 0, ...traits };
}

/** A column with its cells: of text and always shown, unless the traits say otherwise. */
export function column(name: string, cell: Column["cell"], traits?: Traits): Column {
  return { ...definition(name, traits), cell };
}

/** Traits of columns. */
export const INTEGER = { type: "integer" } as const;
export const BOOLEAN = { type: "boolean" } as const;
/** Shown by `kubectl get -o wide` alone. */
export const WIDE = { priority: 1 } as const;

/** Names the object. */
export const NAME_FORMAT = { format: "name" } as const;

/** The object's name; empty for a bookmark. */
export function nameOf(object: JsonObject): string {
  return text(object, "metadata", "name");
}

/** How long ago the object was made; `<unknown>` for a bookmark. */
export function ageOf(object: JsonObject, now: number): string {
  return since(text(object, "metadata", "creationTimestamp"), now);
}

/** The two columns that most kinds begin and end with. */
export const NAME = column("Name", nameOf, NAME_FORMAT);
export const AGE = column("Age", ageOf);

/** The printer with these columns, in this order. */
export function printer(columns: readonly Column[]): Printer {
  return {
    columns: columns.map(({ name, cell: _cell, ...traits }) => definition(name, traits)),
    cells: (object, now) => columns.map(({ cell }) => cell(object, now)),
  };
}
