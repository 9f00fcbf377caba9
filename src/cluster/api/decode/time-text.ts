/** What is wrong with a text as a moment, in the words of Go's `time.Parse`. */
import { goQuote } from "./go-quote.ts";

interface Element {
  /** As it stands in the layout. */
  readonly name: string;
  readonly shape: RegExp;
  /** What the number may be, and what it is called. */
  readonly range?: readonly [from: number, to: number, name: string];
}

const literal = (name: string): Element => ({ name, shape: new RegExp(`^${name}`) });
const number = (name: string, ...range: [from: number, to: number, name: string]): Element => ({
  name,
  shape: /^\d\d/,
  range,
});

const ZONE: Element = { name: "Z07:00", shape: /^(?:Z|[+-](?:[01]\d|2[0-4]):[0-6]\d)/ };

const UNTIL_SECONDS: readonly Element[] = [
  { name: "2006", shape: /^\d{4}/ },
  literal("-"),
  number("01", 1, 12, "month"),
  literal("-"),
  { name: "02", shape: /^\d\d/ },
  literal("T"),
  number("15", 0, 23, "hour"),
  literal(":"),
  number("04", 0, 59, "minute"),
  literal(":"),
  number("05", 0, 59, "second"),
];

/** A layout without a fraction takes one of any length after the seconds. */
const SECONDS: readonly Element[] = [...UNTIL_SECONDS, { name: "", shape: /^(?:[.,]\d+)?/ }, ZONE];
const MICROSECONDS: readonly Element[] = [...UNTIL_SECONDS, { name: ".000000", shape: /^\.\d{6}/ }, ZONE];

/** The common case, decided at once: every month has these days. */
const PLAIN = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{6})?Z$/;

/** Undefined for a moment in RFC 3339. */
export function timeProblem(text: string): string | undefined {
  return PLAIN.test(text) ? undefined : problem(text, SECONDS, "2006-01-02T15:04:05Z07:00");
}

/** Undefined for a moment in RFC 3339 with six digits after the seconds. */
export function microTimeProblem(text: string): string | undefined {
  const plain = PLAIN.exec(text)?.[1] !== undefined;
  return plain ? undefined : problem(text, MICROSECONDS, "2006-01-02T15:04:05.000000Z07:00");
}

function problem(text: string, elements: readonly Element[], layout: string): string | undefined {
  const parsing = `parsing time ${goQuote(text)}`;
  const outOfRange = (name: string) => `${parsing}: ${name} out of range`;
  let rest = text;
  for (const { name, shape, range } of elements) {
    const found = shape.exec(rest)?.[0];
    if (found === undefined) {
      return `${parsing} as ${goQuote(layout)}: cannot parse ${goQuote(rest)} as ${goQuote(name)}`;
    }
    rest = rest.slice(found.length);
    if (range !== undefined && (Number(found) < range[0] || Number(found) > range[1])) return outOfRange(range[2]);
  }
  if (rest !== "") return `${parsing}: extra text: ${goQuote(rest)}`;
  // Which days there are is known when the month and the year are.
  return hasDay(text) ? undefined : outOfRange("day");
}

/** Whether the month has that day. */
function hasDay(text: string): boolean {
  const date = text.slice(0, "2006-01-02".length);
  const midnight = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
}
