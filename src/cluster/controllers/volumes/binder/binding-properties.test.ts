/**
 * What holds of claims and volumes at every moment, whatever people do and whenever the binder dies; and in the end.
 */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BIND_COMPLETED } from "../decide/names.ts";
import { type BindingWorld, createBindingWorld } from "../testing/binding-world.ts";
import { aClaim, aVolume } from "../testing/objects.ts";
import { findVolume } from "./decide/match.ts";

const CLAIMS = ["a", "b", "c"] as const;
const VOLUMES = ["v1", "v2", "v3"] as const;
const size = fc.integer({ min: 1, max: 3 });
const claimName = fc.constantFrom(...CLAIMS);
const volumeName = fc.constantFrom(...VOLUMES);

/**
 * People create what is not there, and delete what is; the binder looks at something, and may die after a few writes.
 */
const LOOK_AT_ALL = fc.record({ kind: fc.constant("look at all" as const), backwards: fc.boolean() });
const move = fc.oneof(
  LOOK_AT_ALL,
  LOOK_AT_ALL,
  fc.record({
    kind: fc.constant("claim" as const),
    name: claimName,
    size,
    wants: fc.option(volumeName, { nil: undefined }),
  }),
  fc.record({
    kind: fc.constant("volume" as const),
    name: volumeName,
    size,
    keptFor: fc.option(claimName, { nil: undefined }),
  }),
  fc.record({ kind: fc.constant("remove claim" as const), name: claimName }),
  fc.record({ kind: fc.constant("remove volume" as const), name: volumeName }),
  fc.record({
    kind: fc.constant("look at claim" as const),
    name: claimName,
    lastWrite: fc.integer({ min: 0, max: 4 }),
  }),
  fc.record({
    kind: fc.constant("look at volume" as const),
    name: volumeName,
    lastWrite: fc.integer({ min: 0, max: 2 }),
  }),
);
type Move = typeof move extends fc.Arbitrary<infer T> ? T : never;

async function make(world: BindingWorld, each: Move): Promise<void> {
  switch (each.kind) {
    case "claim": {
      if (world.claims.has(each.name)) return;
      const spec = each.wants === undefined ? {} : { volumeName: each.wants };
      world.put("claims", aClaim(each.name, { size: `${each.size}Gi`, spec, status: { phase: "Pending" } }));
      return;
    }
    case "volume": {
      if (world.volumes.has(each.name)) return;
      const spec = each.keptFor === undefined ? {} : { claimRef: { namespace: "default", name: each.keptFor } };
      world.put("volumes", aVolume(each.name, { size: `${each.size}Gi`, spec, phase: "Pending" }));
      return;
    }
    case "remove claim":
      world.claims.delete(each.name);
      return;
    case "remove volume":
      world.volumes.delete(each.name);
      return;
    case "look at all": {
      for (const name of VOLUMES) await world.lookAt("volumes", name);
      for (const name of each.backwards ? CLAIMS.toReversed() : CLAIMS) await world.lookAt("claims", name);
      return;
    }
    case "look at claim":
      await world.lookAt("claims", each.name, each.lastWrite);
      return;
    case "look at volume":
      await world.lookAt("volumes", each.name, each.lastWrite);
      return;
  }
}

/** Looks at everything again and again until nothing is written any more. Gives how often. */
async function settle(world: BindingWorld): Promise<number> {
  for (let round = 1; ; round++) {
    let writes = 0;
    for (const name of VOLUMES) writes += await world.lookAt("volumes", name);
    for (const name of CLAIMS) writes += await world.lookAt("claims", name);
    if (writes === 0 || round > 20) return round;
  }
}

const boundClaims = ({ claims }: BindingWorld) =>
  [...claims.values()].filter(({ status }) => status?.phase === "Bound");

describe("claims and volumes", () => {
  const moves = fc.array(move, { minLength: 10, maxLength: 40, size: "max" });

  test("at no moment have two claims the same volume", async () => {
    await fc.assert(
      fc.asyncProperty(moves, async (list) => {
        const world = createBindingWorld();
        for (const each of list) {
          await make(world, each);
          const taken = boundClaims(world)
            .filter(
              ({ metadata, spec }) => world.volumes.get(spec.volumeName ?? "")?.spec.claimRef?.uid === metadata.uid,
            )
            .map(({ spec }) => spec.volumeName);
          expect(new Set(taken).size).toBe(taken.length);
        }
      }),
      { seed: 6, numRuns: 1000 },
    );
  });

  test("at no moment does a volume pass from one claim to another: nobody finds somebody else's data", async () => {
    await fc.assert(
      fc.asyncProperty(moves, async (list) => {
        const world = createBindingWorld();
        for (const each of list) {
          const before = new Map(world.volumes);
          await make(world, each);
          for (const [name, { metadata, spec }] of world.volumes) {
            const old = before.get(name);
            if (old?.metadata.uid !== metadata.uid || old?.spec.claimRef === undefined) continue;
            // Also one that a person keeps for a claim goes to no other.
            const { uid, name: claim } = old.spec.claimRef;
            expect([claim, undefined]).toContain(spec.claimRef?.name);
            if (uid) expect([uid, undefined]).toContain(spec.claimRef?.uid);
          }
        }
      }),
      { seed: 6, numRuns: 1000 },
    );
  });

  test("come to rest, with both sides of every binding the same, and nobody waiting for what is free", async () => {
    await fc.assert(
      fc.asyncProperty(moves, async (list) => {
        const world = createBindingWorld();
        for (const each of list) await make(world, each);
        expect(await settle(world)).toBeLessThan(10);
        for (const { metadata, spec } of boundClaims(world)) {
          const volume = world.volumes.get(spec.volumeName ?? "");
          expect([volume?.spec.claimRef?.uid, volume?.status?.phase]).toEqual([metadata.uid, "Bound"]);
          expect(metadata.annotations?.[BIND_COMPLETED]).toBe("yes");
        }
        const held = new Set(boundClaims(world).map(({ spec }) => spec.volumeName));
        const volumeOf = new Map(boundClaims(world).map(({ metadata, spec }) => [metadata.uid, spec.volumeName]));
        for (const { metadata, spec, status } of world.volumes.values()) {
          expect(status?.phase === "Bound").toBe(held.has(metadata.name));
          expect([metadata.name, undefined]).toContain(volumeOf.get(spec.claimRef?.uid));
        }
        for (const claim of world.claims.values()) {
          if (claim.status?.phase !== "Pending" || claim.spec.volumeName) continue;
          expect(findVolume(claim, world.volumes.values(), { delayed: false })).toBeUndefined();
        }
      }),
      { seed: 6, numRuns: 1000 },
    );
  });
});
