import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { OwnerReference } from "../../../../core/types.ts";
import type { Propagation } from "./decide/fate.ts";
import type { Node } from "./decide/graph.ts";
import { stageOf } from "./decide/stage.ts";
import { createWorld, RESOURCES, referenceTo, type World } from "./testing/world.ts";

const policy = fc.constantFrom<Propagation>("Orphan", "Background", "Foreground");
const place = fc.record({
  kind: fc.nat(2),
  namespace: fc.constantFrom("a", "b"),
  name: fc.constantFrom("x", "y", "z"),
});
const bond = fc.record({ pick: fc.nat(9), blocks: fc.boolean(), isStale: fc.integer({ min: 0, max: 5 }) });
const bonds = fc.array(bond, { maxLength: 2 });

const userStep = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("create" as const), place, bonds }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("own" as const), pick: fc.nat(9), bonds }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("delete" as const), pick: fc.nat(9), policy }) },
);
const step = fc.oneof(
  { weight: 3, arbitrary: userStep },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("hear" as const), kind: fc.nat(2) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("work" as const), meanwhile: fc.array(userStep, { maxLength: 2 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("break" as const), broken: fc.boolean() }) },
);

type UserStep = typeof userStep extends fc.Arbitrary<infer T> ? T : never;
type Bonds = typeof bonds extends fc.Arbitrary<infer T> ? T : never;

function pick(world: World, index: number): Node | undefined {
  const all = [...world.objects.values()];
  return all[index % Math.max(1, all.length)];
}

function ownersFrom(world: World, wanted: Bonds): OwnerReference[] {
  return wanted.flatMap(({ pick: index, blocks, isStale }) => {
    const owner = pick(world, index);
    if (owner === undefined) return [];
    const reference = referenceTo(owner, blocks);
    return [isStale === 0 ? { ...reference, uid: `${reference.uid}-before` } : reference];
  });
}

function userDoes(world: World, step: UserStep): void {
  if (step.do === "create") {
    const { kind, namespace, name } = step.place;
    const resource = RESOURCES[kind];
    if (resource === undefined) return;
    world.create(resource, resource.namespaced ? { namespace, name } : { name }, ownersFrom(world, step.bonds));
    return;
  }
  const node = pick(world, step.pick);
  if (node === undefined) return;
  if (step.do === "own") world.setOwners(node, ownersFrom(world, step.bonds));
  else world.delete(node, step.policy);
}

/** Everything is heard of and nothing fails any more, until there is nothing left to look at. */
async function settle(world: World): Promise<void> {
  world.broken = false;
  for (let round = 0; round < 500; round++) {
    for (let kind = 0; kind < RESOURCES.length; kind++) for (let i = 0; i < 50; i++) world.hear(kind);
    if (world.queue.size === 0) return;
    await world.work(() => {});
  }
  throw new Error(`does not come to rest: ${[...world.queue].join(" ")}`);
}

function isGarbage(world: World, { resource, metadata }: Node): boolean {
  const owners = metadata.ownerReferences ?? [];
  if (owners.length === 0 || stageOf(metadata) !== "here") return false;
  return owners.every(({ uid, kind, name }) => {
    const isSpaced = RESOURCES.find((each) => each.kind === kind)?.namespaced === true;
    if (isSpaced && !resource.namespaced) return false;
    return ![...world.objects.values()].some(
      (owner) =>
        owner.metadata.uid === uid &&
        owner.metadata.name === name &&
        (!isSpaced || owner.metadata.namespace === metadata.namespace),
    );
  });
}

test("whatever users do, whatever is late or fails: only garbage is deleted, and in the end all of it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80 }), async (steps) => {
      const world = createWorld();
      for (const each of steps) {
        if (each.do === "hear") world.hear(each.kind);
        else if (each.do === "break") world.broken = each.broken;
        else if (each.do === "work") {
          const happens = each.meanwhile.values();
          await world.work(() => {
            const next = happens.next();
            if (next.done !== true) userDoes(world, next.value);
          });
        } else userDoes(world, each);
      }
      await settle(world);
      const left = [...world.objects.values()];
      expect(left.filter((node) => isGarbage(world, node))).toEqual([]);
      expect(left.filter(({ metadata }) => stageOf(metadata) === "orphaning")).toEqual([]);
    }),
    { seed: 61, numRuns: 4000 },
  );
});
