/** Points of the grammar: what may stand there. Each is a state of ANTLR's, so that no two places share one. */
import type { TokenKind } from "./tokens.ts";

export interface Point {
  readonly next: ReadonlySet<TokenKind>;
  /** Whether the rule may be over here, so that what follows depends on who asked for it. */
  readonly mayEnd: boolean;
}

/** A point where one kind of token must stand. */
export interface Must extends Point {
  readonly kind: TokenKind;
  readonly after: Point;
}

export function before(...next: readonly TokenKind[]): Point {
  return { next: new Set(next), mayEnd: false };
}

export function beforeOrEnd(...next: readonly TokenKind[]): Point {
  return { next: new Set(next), mayEnd: true };
}

export function must(kind: TokenKind, after: Point): Must {
  return { ...before(kind), kind, after };
}
