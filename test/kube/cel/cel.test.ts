/**
 * Expressions and rules, written and random, through Kubernetes' own CEL (its environment, libraries and limits, `main.go`) and
 * through ours: results, types, errors with their places, costs, and what rules of a schema say of objects.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { type AnsweringProcess, startAnswering } from "../answering-process.ts";
import { expectKnown, readDifferences } from "../known-differences.ts";
import { brokenExpressions, nestedExpressions, TOO_BROKEN } from "./broken-expressions.ts";
import asked from "./expressions.json" with { type: "json" };
import { type Answer, evaluateHere, validateHere } from "./ours.ts";
import { randomExpressions } from "./random-expressions.ts";
import { SCHEMAS } from "./schemas.ts";

/** By area, each for what it says about `self`. */
const EXPRESSIONS: Readonly<Record<string, readonly string[]>> = asked.expressions;
const SELF: JsonObject = asked.self;
const SEED = 20_261_117;
const known = readDifferences(import.meta.dirname);

let theirs: AnsweringProcess;
beforeAll(() => {
  theirs = startAnswering("cel", []);
});
afterAll(async () => {
  theirs.child.stdin.end();
  await theirs.ended;
});

const ask = (question: JsonObject): Promise<Answer> => theirs.ask<Answer>(JSON.stringify(question));

/** What was stopped says nothing of how far it came. */
function comparable({ cost, type, ...answer }: Answer): Answer {
  const isStopped = answer.error?.startsWith("operation cancelled") === true;
  return {
    ...answer,
    ...(answer.program === undefined && type !== undefined ? { type } : {}),
    ...(isStopped ? {} : { cost: cost ?? 0 }),
  };
}

async function differencesOf(expressions: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const expression of expressions) {
    const there = comparable(await ask({ expression, self: SELF }));
    const here = comparable(evaluateHere(expression, SELF));
    try {
      expect(here).toEqual(there);
    } catch {
      found.push(`${JSON.stringify(expression)}: there ${JSON.stringify(there)}, here ${JSON.stringify(here)}`);
    }
  }
  return found;
}

describe("expressions about", () => {
  test.each(Object.entries(EXPRESSIONS))("%s", async (area, expressions) => {
    expectKnown(known, area, await differencesOf(expressions));
  });

  test(`anything, from seed ${SEED}`, async () => {
    expectKnown(known, "random", await differencesOf(randomExpressions(2_000, SEED)));
  });
});

describe("mistakes", () => {
  const sound = Object.values(EXPRESSIONS)
    .flat()
    .filter(({ length }) => length < 120);

  test(`of all kinds, from seed ${SEED}`, async () => {
    expectKnown(known, "broken", await differencesOf(brokenExpressions(sound, 3_000, SEED)));
  });

  test("that are too many", async () => {
    expectKnown(known, "too broken", await differencesOf(TOO_BROKEN));
  });

  test("of depth", async () => {
    expectKnown(known, "nested", await differencesOf(nestedExpressions()));
  });
});

describe("rules of a schema", () => {
  const cases = SCHEMAS.flatMap(({ name, schema, objects }) =>
    (objects.length === 0 ? [{}] : objects).map((each, index) => ({ name: `${name} ${index}`, schema, ...each })),
  );

  test.each(cases)("$name", async (asked) => {
    const { schema, object, old } = asked as { schema: JsonObject; object?: JsonObject; old?: JsonObject };
    const question: JsonObject = {
      schema,
      ...(object === undefined ? {} : { object }),
      ...(old === undefined ? {} : { old }),
    };
    const there = await ask(question);
    const here = validateHere(schema, object, old);
    // Properties are walked in no order there, and a type is named anew each time.
    const sorted = ({ refusals = [] }: Answer) =>
      refusals.map((text) => text.replaceAll(/selfType\d*/g, "selfType")).toSorted();
    expect(sorted(here)).toEqual(sorted(there));
    for (const [index, estimate] of (there.estimates ?? []).entries()) {
      const rule = JSON.stringify((schema["x-kubernetes-validations"] as readonly JsonObject[] | undefined)?.[index]);
      expect((here.estimates?.[index] ?? 0) / Math.max(1, estimate), rule).toBeCloseTo(estimate === 0 ? 0 : 1, 9);
    }
  });
});
