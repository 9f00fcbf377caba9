/** Objects that are fine, each with a few random mistakes: a value of another kind, a field too many, a field twice. */
import * as fc from "fast-check";
import type { Json, JsonObject } from "../../../src/cluster/api/json.ts";
import type { Sent } from "./bodies.ts";
import { SAMPLES } from "./objects.ts";

/** What a mistake puts in the place of a value. */
const VALUES = [
  'null true 0 -0 1 1.5 1e2 -1 3000000000 99999999999999999999 "" "x" "1Gi" "2020-01-01T00:00:00Z"',
  '[] {} [null] [1,"x",{}] {"a":1} {"a":{"b":[]}}',
].flatMap((line) => line.split(" "));

interface Mistake {
  readonly kind: "replace" | "unknown" | "duplicate";
  /** Which of the object's values, counted as they are written. */
  readonly at: number;
  readonly value: string;
}

const MISTAKE: fc.Arbitrary<Mistake> = fc.record({
  kind: fc.constantFrom("replace", "replace", "unknown", "duplicate"),
  at: fc.nat({ max: 10_000 }),
  value: fc.constantFrom(...VALUES),
});

const BODY: fc.Arbitrary<Sent> = fc
  .record({ sample: fc.constantFrom(...SAMPLES), mistakes: fc.array(MISTAKE, { minLength: 1, maxLength: 3 }) })
  .map(({ sample: { object, path }, mistakes }) => {
    const body = withMistakes(object, mistakes);
    const { apiVersion, kind } = object as { apiVersion: string; kind: string };
    return { name: body, body, target: { apiVersion, kind, path } };
  });

export function generatedBodies(count: number, seed: number): Sent[] {
  return fc.sample(BODY, { numRuns: count, seed });
}

/** JSON by hand: no object has a key twice. */
function withMistakes(object: JsonObject, mistakes: readonly Mistake[]): string {
  const total = countOf(object);
  const byPlace = new Map(mistakes.map((mistake) => [1 + (mistake.at % (total - 1)), mistake]));
  let place = 0;
  const write = (value: Json): string => {
    const mistake = byPlace.get(place++);
    const text = writeInside(value, write);
    return mistake?.kind === "replace" ? mistake.value : text;
  };
  const writeInside = (value: Json, inner: (value: Json) => string): string => {
    if (Array.isArray(value)) return `[${value.map(inner).join(",")}]`;
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    return `{${Object.entries(value as JsonObject)
      .flatMap(([key, each]) => {
        const mistake = byPlace.get(place);
        const entry = `${JSON.stringify(key)}:${inner(each)}`;
        if (mistake?.kind === "unknown") return [`${JSON.stringify(`${key}X`)}:${mistake.value}`, entry];
        return mistake?.kind === "duplicate" ? [entry, entry] : [entry];
      })
      .join(",")}}`;
  };
  return write(object);
}

function countOf(value: Json): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, each: Json) => sum + countOf(each), 1);
}
