/** A text as the grammar sees it, before anything is made of it. Where the text was wrong parts are missing. */
import type { Token } from "./tokens.ts";

/** Undefined: nothing that could be told. */
export type Tree = Node | undefined;

export type Node =
  | { readonly kind: "conditional"; readonly op: Token; readonly condition: Tree; whenTrue?: Tree; whenFalse?: Tree }
  | { readonly kind: "logic"; readonly sign: "&&" | "||"; readonly at: number; readonly terms: readonly Tree[] }
  | { readonly kind: "binary"; readonly op: Token; readonly left: Tree; readonly right: Tree }
  | { readonly kind: "unary"; readonly sign: "!" | "-"; readonly ops: Token[]; operand?: Tree }
  | { readonly kind: "select"; readonly operand: Tree; readonly dot: Token; optional: boolean; name?: Name }
  | { readonly kind: "index"; readonly operand: Tree; readonly open: Token; optional: boolean; index?: Tree }
  | Called
  | { readonly kind: "ident"; readonly at: number; readonly isAbsolute: boolean; readonly name: Token }
  | { readonly kind: "list"; readonly open: Token; items: readonly Item[] }
  | { readonly kind: "map"; readonly open: Token; entries: Entries<Item> | undefined }
  | { readonly kind: "message"; readonly type: string; readonly open: Token; fields: Entries<OptionalName> | undefined }
  | { readonly kind: "literal"; readonly sign: Token | undefined; readonly token: Token }
  /** Something that begins like no operand. */
  | { readonly kind: "lost"; readonly at: number };

export interface Called {
  readonly kind: "call";
  readonly name: Token;
  readonly open: Token;
  /** What stands before the dot; of a function that is called by its name alone, where the call begins. */
  readonly of: { readonly operand: Tree } | { readonly at: number; readonly isAbsolute: boolean };
  args: readonly Tree[];
}

/** A name behind a dot or in a message; where there is none, only where it should be. */
export interface Name {
  readonly at: number;
  token?: Token;
}

export interface Item {
  optional: boolean;
  tree?: Tree;
}

export interface OptionalName {
  optional: boolean;
  name?: Name;
}

/** What stands in braces. Behind a mistake there are fewer colons than keys. */
export interface Entries<Key> {
  readonly at: number;
  readonly keys: Key[];
  readonly colons: Token[];
  readonly values: Tree[];
}
