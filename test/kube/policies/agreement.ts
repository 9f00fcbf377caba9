/**
 * The policies in CEL and the rules in TypeScript say the same: random sets are stored, random updates of them tried as dry
 * runs on the real server, and its answers compared with those of the rules.
 */
import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { storageClasses } from "../../../src/admission/storage-classes.ts";
import { fieldErrorText } from "../../../src/admission/verdict.ts";
import { captureWish, tryReadWish, wishTextOf } from "../../../src/admission/wish-capture.ts";
import { validateWish } from "../../../src/admission/wish-update.ts";
import { compareTemplates } from "../../../src/core/claim-templates.ts";
import type { ClaimTemplate, StatefulSet } from "../../../src/core/types.ts";
import { ApiRefusal } from "../api.ts";
import type { Server } from "../clients/server.ts";
import { aSet, aTemplate, CLASSES } from "./set.ts";

const SEED = 20_661;
const RUNS = 250;
const SETS = "/apis/apps/v1/namespaces/default/statefulsets";
const classes = storageClasses(CLASSES);

/** What an update comes to: `fixed` is Kubernetes' own answer to an edit of templates. */
type Outcome =
  | { readonly kind: "fixed" }
  /** For any of these reasons. */
  | { readonly kind: "refused"; readonly why: readonly string[] }
  | {
      readonly kind: "stored";
      readonly wish: readonly string[] | "unreadable";
      readonly templatesAs: "stored" | "sent";
    };

const size = fc.constantFrom("5Gi", "10Gi", "10240Mi", "10737418240", "20Gi", "1.5Ti", "20G");
const name = fc.constantFrom("data", "wal");
const className = fc.constantFrom("fast", "rigid", "", null);
const wish = fc.option(
  fc.constantFrom(
    "",
    " ",
    "data=20Gi",
    "wal=5Gi",
    " data = 20480Mi , wal=20G",
    "data=5Gi,wal=20Gi",
    "data",
    "data=",
    "=5Gi",
    "data=20GB",
    "data=0",
    "data=-1Gi",
    "data=1Gi,data=2Gi",
    "data=20Gi,",
    "tmp=20Gi",
    "data=20Gi,tmp=1Gi",
    "wal=20Gi,data=10Gi",
    "a=b=c",
  ),
  { nil: undefined },
);

const template = fc.record({
  name,
  size,
  className,
  limit: fc.option(fc.constantFrom("50Gi", "53687091200"), { nil: undefined }),
});
interface Sketch {
  readonly name: string;
  readonly size: string;
  readonly className: string | null;
  readonly limit?: string | undefined;
}

function drawn({ name: called, size: storage, className: of, limit }: Sketch): ClaimTemplate {
  const drawing = aTemplate(called, storage, of);
  return limit === undefined
    ? drawing
    : { ...drawing, spec: { ...drawing.spec, resources: { ...drawing.spec.resources, limits: { storage: limit } } } };
}

/** Edits of one template, most of them of its size alone. */
const change = fc.oneof(
  {
    weight: 6,
    arbitrary: size.map(
      (storage) =>
        (before: Sketch): ClaimTemplate =>
          drawn({ ...before, size: storage }),
    ),
  },
  { weight: 3, arbitrary: fc.constant((before: Sketch): ClaimTemplate => drawn(before)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      (before: Sketch): ClaimTemplate => drawn({ ...before, className: "other" }),
      (before: Sketch): ClaimTemplate => drawn({ ...before, name: "redo" }),
      (before: Sketch): ClaimTemplate => drawn({ ...before, limit: "60Gi" }),
      // Nothing but another notation of what no policy looks at.
      (before: Sketch): ClaimTemplate =>
        drawn({ ...before, size: "30Gi", ...(before.limit !== undefined && { limit: "51200Mi" }) }),
      (before: Sketch): ClaimTemplate => ({ ...drawn(before), metadata: { name: before.name, labels: { a: "b" } } }),
      (before: Sketch): ClaimTemplate => ({
        ...drawn({ ...before, size: "30Gi" }),
        metadata: { name: before.name, labels: {} },
      }),
      (before: Sketch): ClaimTemplate => ({
        ...drawn(before),
        spec: { ...drawn(before).spec, accessModes: ["ReadWriteMany"] },
      }),
      (before: Sketch): ClaimTemplate => ({
        ...drawn({ ...before, size: "30Gi" }),
        spec: { ...drawn({ ...before, size: "30Gi" }).spec, volumeMode: "Filesystem" },
      }),
    ),
  },
);

const update = fc.uniqueArray(template, { minLength: 1, maxLength: 2, selector: (each) => each.name }).chain((before) =>
  fc.record({
    before: fc.constant(before),
    changes: fc.tuple(...before.map(() => change)),
    dropped: fc.boolean().map((drop) => drop && before.length > 1),
    oldWish: wish,
    keepsWish: fc.boolean(),
    newWish: wish,
  }),
);

/** The answer of the rules. */
function decided(stored: StatefulSet, sent: StatefulSet): Outcome {
  const capture = captureWish(stored, sent);
  if (capture.kind === "refused") return { kind: "refused", why: capture.errors.map(fieldErrorText).map(comparable) };
  const edit = compareTemplates(stored.spec.volumeClaimTemplates, sent.spec.volumeClaimTemplates);
  if (edit.kind === "other") return { kind: "fixed" };
  const after = capture.kind === "wish" ? capture.set : sent;
  const errors = validateWish(stored, after, classes).map(fieldErrorText);
  if (errors.length > 0) return { kind: "refused", why: errors.map(comparable) };
  return { kind: "stored", wish: wishIn(after), templatesAs: capture.kind === "wish" ? "stored" : "sent" };
}

function wishIn(set: StatefulSet): readonly string[] | "unreadable" {
  const read = tryReadWish(wishTextOf(set));
  return read === undefined ? "unreadable" : [...read].map(([of, wished]) => `${of}=${wished.toString()}`);
}

/** The answer of the server. */
async function answered(server: Server, stored: StatefulSet, sent: StatefulSet): Promise<Outcome> {
  try {
    const after = await server.api.replace<StatefulSet>(`${SETS}/${sent.metadata.name}?dryRun=All`, sent);
    const isAs = (set: StatefulSet) =>
      compareTemplates(after.spec.volumeClaimTemplates, set.spec.volumeClaimTemplates).kind === "same";
    return { kind: "stored", wish: wishIn(after), templatesAs: isAs(stored) && !isAs(sent) ? "stored" : "sent" };
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    if (error.status === 422) return { kind: "fixed" };
    return { kind: "refused", why: [comparable(error.message.replace(/^.* denied request: /s, ""))] };
  }
}

/**
 * A reason without the words in which the two differ: CEL leaves sizes that stood before in their notation, names the
 * first of two, and does not know the set's namespace.
 */
function comparable(reason: string): string {
  return (reason.split(", spec.volumeClaimTemplates[")[0] ?? "")
    .replace(/(\[outgrow\.dev\/claims\]: Invalid value): "[^"]*"/, "$1")
    .replace(/"[^"]*": (template "[^"]*" is named twice)/, "$1")
    .replace(/: (?:StatefulSet \S+|the set) has no claim template "[^"]*"/, ": no claim template");
}

/** The server refuses for one reason; the rules know all of them. */
function agree(server: Outcome, rules: Outcome): boolean {
  if (server.kind === "refused" && rules.kind === "refused")
    return server.why.every((each) => rules.why.includes(each));
  return isDeepStrictEqual(server, rules);
}

export function provesAgreement(server: () => Server): void {
  describe("the policies and the rules agree", () => {
    test(`on ${RUNS} random updates (seed ${SEED})`, async () => {
      const seen = new Map<string, number>();
      let count = 0;
      await fc.assert(
        fc.asyncProperty(update, async ({ before, changes, dropped, oldWish, keepsWish, newWish }) => {
          const called = (set: StatefulSet): StatefulSet => ({
            ...set,
            metadata: { ...set.metadata, name: `pair-${count}` },
          });
          count++;
          const after = before.map((each, index) => (changes[index] ?? drawn)(each));
          const old = called(aSet({ templates: before.map(drawn), ...(oldWish !== undefined && { wish: oldWish }) }));
          const nextWish = keepsWish ? oldWish : newWish;
          const sent = called(
            aSet({ templates: dropped ? after.slice(1) : after, ...(nextWish !== undefined && { wish: nextWish }) }),
          );
          const stored = await server().api.create<StatefulSet>(SETS, old);
          const expected = decided(stored, sent);
          seen.set(expected.kind, (seen.get(expected.kind) ?? 0) + 1);
          const answer = await answered(server(), stored, sent);
          if (!agree(answer, expected)) expect(answer).toEqual(expected);
        }),
        { seed: SEED, numRuns: RUNS },
      );
      for (const kind of ["fixed", "refused", "stored"]) expect(seen.get(kind), kind).toBeGreaterThan(RUNS / 20);
    });
  });
}
