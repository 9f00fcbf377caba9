/** A text to an expression, macros written out, with the limits of cel-go 0.26 and in its words. */
import type { Expression } from "./ast.ts";
import { meaningOf } from "./build.ts";
import { Builder, TooLarge } from "./builder.ts";
import { Parser } from "./parse.ts";
import { GivenUp, LimitExceeded, Recognizer } from "./recognizer.ts";
import { type Complaint, NOWHERE, type Place, type Source, sourceOf } from "./source.ts";
import { tokensOf } from "./tokens.ts";

export interface Parsed {
  readonly expression: Expression;
  readonly source: Source;
  readonly complaints: readonly Complaint[];
  placeOf(id: number): Place;
}

const MAX_CHARACTERS = 100_000;

export function parse(text: string): Parsed {
  const source = sourceOf(text);
  const complaints: Complaint[] = [];
  const build = new Builder(source, complaints);
  const parsed = (expression: Expression): Parsed => ({
    expression,
    source,
    complaints,
    placeOf: (id) => build.placeOf(id),
  });
  try {
    const size = source.characters.length;
    if (size > MAX_CHARACTERS)
      throw new LimitExceeded(`expression code point size exceeds limit: size: ${size}, limit ${MAX_CHARACTERS}`);
    const tree = new Parser(new Recognizer(tokensOf(source), source, complaints)).whole();
    return parsed(meaningOf(tree, build));
  } catch (error) {
    if (error instanceof TooLarge || error instanceof LimitExceeded)
      complaints.push({ place: NOWHERE, message: error.message });
    else if (!(error instanceof GivenUp)) throw error;
    return parsed({ kind: "broken", id: 0 });
  }
}
