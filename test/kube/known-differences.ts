/** What our server and Kubernetes' own do differently, listed with a reason each, and held against what is found. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";

export interface KnownDifference {
  /** Where it shows: the name of a story or session, or `*` for any. */
  readonly where: string;
  /** A regular expression over the text of a difference. */
  readonly differs: string;
  readonly reason: string;
}

/** Those in `differences.json` of this folder. */
export function readDifferences(folder: string): readonly KnownDifference[] {
  return JSON.parse(readFileSync(join(folder, "differences.json"), "utf8")) as readonly KnownDifference[];
}

/** Fails for a difference that is not listed, and for one that is listed for just this place and is none any more. */
export function expectKnown(known: readonly KnownDifference[], place: string, found: readonly string[]): void {
  const isSeen = ({ differs }: KnownDifference, text: string): boolean => new RegExp(differs).test(text);
  const here = known.filter(({ where }) => where === place || where === "*");
  expect(found.filter((text) => !here.some((each) => isSeen(each, text)))).toEqual([]);
  const gone = here.filter((each) => each.where === place && !found.some((text) => isSeen(each, text)));
  expect(gone, "differences that are none any more").toEqual([]);
}
