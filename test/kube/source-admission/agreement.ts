/**
 * The policies in CEL and the rules in TypeScript say the same: random resources are stored, random updates of them tried as dry
 * runs on the real server, and its answers compared with those of the rules.
 */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { storageClasses } from "../../../src/admission/storage-classes.ts";
import { fieldErrorText } from "../../../src/admission/verdict.ts";
import type { ClaimTemplate, StatefulSet } from "../../../src/core/types.ts";
import { validateResourceUpdate } from "../../../src/source/decide/validate-resource.ts";
import type { Server } from "../clients/server.ts";
import { CLASSES } from "../policies/set.ts";
import { aFollower, aResource, type Custom, DATABASE, template } from "./kinds.ts";
import { pathOf, refusalOf } from "./scene.ts";

const SEED = 20_264;
const RUNS = 100;
const classes = storageClasses(CLASSES);

/** Resources by name, and what their set has; one has none. */
const HAS: Readonly<Record<string, string | undefined>> = { agreed: "10Gi", ahead: "20Gi", unborn: undefined };

/** The sets that the resources need; they are there before the policies are seen to act. */
export const AGREEMENT_SETS: readonly StatefulSet[] = Object.entries(HAS).flatMap(([name, has]) =>
  has === undefined ? [] : [aFollower(`moco-${name}`, has)],
);

interface Sketch {
  readonly name: string;
  readonly size: string | number | undefined;
  readonly className: string | null;
  readonly change: Partial<ClaimTemplate["spec"]>;
  readonly labels: Record<string, string> | undefined;
}

const size = fc.constantFrom(
  "5Gi",
  "10Gi",
  "10240Mi",
  10_737_418_240,
  "20Gi",
  "1.5Ti",
  "20G",
  "0",
  "plenty",
  undefined,
);
const change = fc.constantFrom<Sketch["change"]>(
  {},
  {},
  {},
  { volumeMode: "Filesystem" },
  { volumeMode: "Block" },
  { accessModes: ["ReadWriteMany"] },
  { selector: {} },
  { volumeAttributesClassName: "" },
);
const sketch: fc.Arbitrary<Sketch> = fc.record({
  name: fc.constantFrom("data", "data", "log"),
  size,
  className: fc.constantFrom("fast", "fast", "rigid", "", null),
  change,
  labels: fc.constantFrom(undefined, undefined, {}, { a: "b" }),
});

/** What becomes of one template: mostly its size alone. */
const update = fc.array(sketch, { minLength: 1, maxLength: 2 }).chain((before) =>
  fc.record({
    resource: fc.constantFrom(...Object.keys(HAS)),
    before: fc.constant(before),
    after: fc.oneof<fc.MaybeWeightedArbitrary<readonly Sketch[]>[]>(
      { weight: 6, arbitrary: fc.tuple(...before.map((each) => size.map((next) => ({ ...each, size: next })))) },
      { weight: 1, arbitrary: fc.tuple(...before.map((each) => change.map((next) => ({ ...each, change: next })))) },
      { weight: 1, arbitrary: fc.array(sketch, { maxLength: 2 }) },
    ),
  }),
);

function drawn({ name, size: storage, className, change: changed, labels }: Sketch): object {
  const { spec } = template(storage ?? "1Gi", changed);
  const { storageClassName: _, ...classless } = spec;
  return {
    metadata: { name, ...(labels && { labels }) },
    spec: {
      ...(className === null ? classless : { ...spec, storageClassName: className }),
      ...(storage === undefined && { resources: { requests: {} } }),
    },
  };
}

/** What the rules say. */
function decided(old: Custom, next: Custom): readonly string[] {
  const { spec } = DATABASE.source;
  return validateResourceUpdate({ spec, old, next, sets: [...AGREEMENT_SETS], classes }).map(fieldErrorText);
}

/**
 * Where the policies know less: there is no set with that template to ask about, or who is asked about a class does not see the
 * set, and cannot tell whether a size in place of what was none is a larger one.
 */
function mayDiffer(name: string, answer: string | undefined, errors: readonly string[], wasNone: boolean): boolean {
  const unknown = wasNone ? /asked for before|does not allow expansion|without a storage class/ : /asked for before/;
  if (answer === undefined) return errors.every((error) => unknown.test(error));
  return (
    errors.length === 0 && HAS[name] !== undefined && /does not allow expansion|without a storage class/.test(answer)
  );
}

export function provesAgreement(server: () => Server): void {
  describe("the policies and the rules agree", () => {
    test(`on ${RUNS} random updates (seed ${SEED})`, async () => {
      const seen = { taken: 0, refused: 0 };
      await fc.assert(
        fc.asyncProperty(update, async ({ resource: name, before, after }) => {
          const { api } = server();
          const path = pathOf(DATABASE, name);
          const made = aResource(DATABASE, name, { volumeClaimTemplates: before.map(drawn) });
          const old = await api.create<Custom>(pathOf(DATABASE), made);
          const next = { ...old, spec: { volumeClaimTemplates: after.map(drawn) } };
          const answer = await refusalOf(api.replace(`${path}?dryRun=All`, next));
          await api.delete(path);
          const errors = decided(old, next);
          const wasNone = before.some(({ size: storage }) => storage === "plenty");
          seen[errors.length === 0 ? "taken" : "refused"]++;
          if ((answer === undefined) === (errors.length === 0) || mayDiffer(name, answer, errors, wasNone)) return;
          expect(answer).toEqual(errors);
        }),
        { seed: SEED, numRuns: RUNS },
      );
      expect(seen.taken).toBeGreaterThan(RUNS / 10);
      expect(seen.refused).toBeGreaterThan(RUNS / 10);
    });
  });
}
