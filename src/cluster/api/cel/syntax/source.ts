/** A text that is compiled: its characters, its lines, and how a complaint about a place in it is shown. */

/** A place in the text: a line from 1 on, and how many characters stand before it in that line. Line -1: nowhere in particular. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export const NOWHERE: Place = { line: -1, column: -1 };

export interface Source {
  /** Code points, not UTF-16: places count characters. */
  readonly characters: readonly string[];
  /** Where the character with this number stands. */
  placeOf(offset: number): Place;
  line(number: number): string | undefined;
}

export interface Complaint {
  readonly place: Place;
  readonly message: string;
}

/** Lines longer than this are not shown. */
const MAX_SNIPPET = 16_384;
/** More complaints than this are only counted. */
const MAX_COMPLAINTS = 100;

export function sourceOf(text: string): Source {
  const characters = Array.from(text);
  const starts = [0];
  for (const [index, character] of characters.entries()) if (character === "\n") starts.push(index + 1);
  return {
    characters,
    placeOf(offset) {
      // Nothing has no first character either.
      if (characters.length === 0) return { line: 1, column: -1 };
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((starts[middle] ?? 0) <= offset) low = middle;
        else high = middle - 1;
      }
      return { line: low + 1, column: offset - (starts[low] ?? 0) };
    },
    line(number) {
      const from = starts[number - 1];
      if (from === undefined || characters.length === 0) return undefined;
      const next = starts[number];
      return characters.slice(from, next === undefined ? undefined : next - 1).join("");
    },
  };
}

/** All complaints as one text, in the order of their places, as cel-go shows them. */
export function shown(complaints: readonly Complaint[], source: Source): string {
  const kept = complaints
    .slice(0, MAX_COMPLAINTS)
    .toSorted((a, b) => a.place.line - b.place.line || a.place.column - b.place.column)
    .map((complaint) => shownOne(complaint, source));
  if (complaints.length > MAX_COMPLAINTS) kept.push(`${complaints.length - MAX_COMPLAINTS} more errors were truncated`);
  return kept.join("\n");
}

function shownOne({ place, message }: Complaint, source: Source): string {
  const head = `ERROR: <input>:${place.line}:${place.column + 1}: ${message}`;
  const line = source.line(place.line);
  if (line === undefined || Buffer.byteLength(line) > MAX_SNIPPET) return head;
  const characters = Array.from(line.replaceAll("\t", " "));
  const before = characters.slice(0, Math.max(0, place.column));
  const dots = before.map((character) => (isWide(character) ? "．" : ".")).join("");
  const at = characters[before.length];
  return `${head}\n | ${characters.join("")}\n | ${dots}${at !== undefined && isWide(at) ? "＾" : "^"}`;
}

function isWide(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > 127;
}
