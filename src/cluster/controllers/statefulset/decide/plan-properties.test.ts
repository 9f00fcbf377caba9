/** Whatever people, nodes and crashes do: order is kept, nothing is done twice, and in the end all is as it should be. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { StatefulSet } from "../../../../core/types.ts";
import { aTemplate } from "../testing/objects.ts";
import { EMPTY, edit, going, kubelet, look, type Taken, type World, withStatus } from "../testing/world.ts";
import { isUnavailable } from "./facts.ts";
import { ordinalOf } from "./names.ts";
import { isFinished, isTerminating, revisionOf } from "./pod-state.ts";

type Move =
  | { readonly kind: "look"; readonly back: number; readonly calls: number }
  | { readonly kind: "run"; readonly pod?: string }
  | { readonly kind: "break" | "fail" | "delete"; readonly pod: string }
  | { readonly kind: "wait"; readonly seconds: number }
  | { readonly kind: "settle" }
  | { readonly kind: "edit"; readonly spec: Partial<StatefulSet["spec"]> };

const pod = fc.nat(6).map((ordinal) => `db-${ordinal}`);
const policy = fc.constantFrom("Retain", "Delete");
const spec: fc.Arbitrary<Partial<StatefulSet["spec"]>> = fc.oneof(
  fc.record({ replicas: fc.nat(4) }),
  fc.constantFrom("one", "two", "three").map((image) => ({ template: aTemplate(image) })),
  fc.nat(3).map((partition) => ({ updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition } } })),
  fc.constant({ updateStrategy: { type: "OnDelete" } }),
  fc.constantFrom("OrderedReady", "Parallel").map((podManagementPolicy) => ({ podManagementPolicy })),
  fc.nat(2).map((start) => ({ ordinals: { start } })),
  fc.constantFrom(0, 5).map((minReadySeconds) => ({ minReadySeconds })),
  fc
    .record({ whenDeleted: policy, whenScaled: policy })
    .map((each) => ({ persistentVolumeClaimRetentionPolicy: each })),
);
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("look"), back: fc.nat(2), calls: fc.nat(4) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("run"), pod }) },
  { weight: 3, arbitrary: fc.constant({ kind: "run" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "settle" as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("break", "fail", "delete"), pod }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("wait"), seconds: fc.nat(8) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("edit"), spec }) },
);
/** Long ones: what matters takes many moves to come about. */
const LENGTH = { minLength: 10, maxLength: 60, size: "max" } as const;
const stories = fc.array(move, LENGTH);
const OPTIONS = { seed: 661, numRuns: 150 };

/** Plays the moves from an empty world; `check` sees every look of the controller. */
function play(moves: readonly Move[], check: (taken: Taken, before: World) => void): World {
  const past: World[] = [EMPTY];
  for (const each of moves) {
    const world = past.at(-1) ?? EMPTY;
    if (each.kind === "look") {
      const taken = look(world, past.at(-1 - each.back) ?? world, each.calls);
      check(taken, world);
      past.push(taken.world);
    } else {
      past.push(disturb(world, each));
    }
  }
  return past.at(-1) ?? EMPTY;
}

function disturb(world: World, each: Exclude<Move, { kind: "look" }>): World {
  if (each.kind === "wait") return { ...world, now: world.now + each.seconds * 1000 };
  if (each.kind === "edit") return edit(world, each.spec);
  if (each.kind === "run") return kubelet(world, each.pod);
  if (each.kind === "settle") return settle(world);
  const found = world.pods.get(each.pod);
  if (found === undefined) return world;
  switch (each.kind) {
    case "break":
      return { ...world, pods: new Map(world.pods).set(each.pod, withStatus(found, "Running", "False", world.now)) };
    case "fail":
      return { ...world, pods: new Map(world.pods).set(each.pod, withStatus(found, "Failed", "False", world.now)) };
    case "delete":
      return { ...world, pods: new Map(world.pods).set(each.pod, going(found, world.now)) };
  }
}

/** Pods get ready, time passes, nobody edits: until the controller has nothing left to do. */
function settle(start: World): World {
  let world = start;
  for (let looks = 0; looks < 200; looks++) {
    const ready = kubelet(world);
    const taken = look({ ...ready, now: ready.now + 10_000 });
    const quiet = !taken.wrote && ready.pods.size === world.pods.size;
    world = taken.world;
    if (quiet) return world;
  }
  throw new Error("it never comes to rest");
}

const ordinals = (world: Pick<World, "set">, names: Iterable<string>): number[] =>
  [...names].map((name) => ordinalOf(world.set, name) ?? -1);

describe("whatever happens", () => {
  test("once pods get ready, the set has just the pods that it wants, of the revision that it wants", () => {
    fc.assert(
      fc.property(stories, (moves) => {
        const world = settle(play(moves, () => {}));
        const { set } = world;
        const { replicas = 1, ordinals: { start = 0 } = {}, updateStrategy } = set.spec;
        expect(ordinals(world, world.pods.keys()).sort((a, b) => a - b)).toEqual(
          Array.from({ length: replicas }, (_, index) => start + index),
        );
        expect(set.status?.replicas ?? 0).toBe(replicas);
        expect(set.status?.observedGeneration).toBe(set.metadata.generation);
        const partition = updateStrategy?.rollingUpdate?.partition ?? 0;
        for (const [name, each] of world.pods) {
          const index = (ordinalOf(set, name) ?? 0) - start;
          if (updateStrategy?.type !== "OnDelete" && index >= partition) {
            expect(revisionOf(each)).toBe(set.status?.updateRevision);
          }
          expect(world.claims.has(`data-${name}`)).toBe(true);
        }
      }),
      OPTIONS,
    );
  });

  test("then nothing more is written", () => {
    fc.assert(
      fc.property(stories, (moves) => {
        const world = settle(play(moves, () => {}));
        expect(look({ ...world, now: world.now + 60_000 }).wrote).toBe(false);
      }),
      OPTIONS,
    );
  });

  test("an ordered set makes a pod only when all below it are available, and one at a time", () => {
    fc.assert(
      fc.property(stories, (moves) => {
        play(moves, ({ facts, plan }) => {
          if (!plan.ordered) return;
          const made = plan.phases.flat().filter(({ verb }) => verb === "create");
          expect(made.length).toBeLessThan(2);
          for (const { ordinal } of made) {
            for (let below = facts.set.spec.ordinals?.start ?? 0; below < ordinal; below++) {
              const found = facts.pods.find(({ metadata }) => metadata.name === `db-${below}`);
              expect(found !== undefined && !isUnavailable(facts, { ordinal: below, pod: found, isNew: false })).toBe(
                true,
              );
            }
          }
        });
      }),
      OPTIONS,
    );
  });

  test("an ordered set deletes one pod at a time: a finished one, the highest it does not want, or the next to update", () => {
    fc.assert(
      fc.property(stories, (moves) => {
        play(moves, ({ facts, plan }) => {
          if (!plan.ordered) return;
          const deleted = plan.phases.flat().filter(({ verb }) => verb === "delete");
          expect(deleted.length).toBeLessThan(2);
          for (const { pod: victim, ordinal } of deleted) {
            expect(isTerminating(victim)).toBe(false);
            if (isFinished(victim)) continue;
            const { set } = facts;
            const { replicas = 1, ordinals: { start = 0 } = {}, updateStrategy } = set.spec;
            const present = ordinals(
              { set },
              facts.pods.map(({ metadata }) => metadata.name),
            );
            const unwanted = present.filter((each) => each < start || each >= start + replicas);
            if (unwanted.length > 0) {
              expect(ordinal).toBe(Math.max(...unwanted));
              continue;
            }
            expect(ordinal - start).toBeGreaterThanOrEqual(updateStrategy?.rollingUpdate?.partition ?? 0);
            for (const each of facts.pods) {
              if ((ordinalOf(set, each.metadata.name) ?? 0) > ordinal) expect(revisionOf(each)).toBe(facts.update.name);
            }
          }
        });
      }),
      OPTIONS,
    );
  });

  test("no pod is made whose name is taken, and none is deleted that is not the one that was seen", () => {
    fc.assert(
      fc.property(stories, (moves) => {
        play(moves, ({ done, world }, before) => {
          for (const { verb, pod: each } of done) {
            const { name, uid } = each.metadata;
            if (verb === "create") expect(before.pods.has(name)).toBe(false);
            if (verb === "delete") expect(world.pods.get(name)?.metadata.uid).toBe(uid);
          }
        });
      }),
      OPTIONS,
    );
  });

  test("a claim goes only by a retention policy that says so", () => {
    const retaining = fc.array(
      move.filter((each) => each.kind !== "edit" || each.spec.persistentVolumeClaimRetentionPolicy === undefined),
      LENGTH,
    );
    fc.assert(
      fc.property(retaining, (moves) => {
        play(moves, ({ world }, before) => {
          for (const name of before.claims.keys()) expect(world.claims.has(name)).toBe(true);
          for (const { metadata } of world.claims.values()) expect(metadata.ownerReferences ?? []).toEqual([]);
        });
      }),
      OPTIONS,
    );
  });
});
