/** What people and their tools do, at the worst of moments. Each deed uses up some of the run's interference. */
import type { Move } from "../explore.ts";
import { withNewSet } from "./calls.ts";
import { withoutPod } from "./cluster-moves.ts";
import { type ClaimState, changeSet, ordinalOf, type Person, type World, withClaim } from "./world.ts";

type Deed = (world: World) => Iterable<{ readonly label: string; readonly next: World }>;

const DEEDS: Readonly<Record<Person, Deed>> = {
  autoscaler: scale,
  developer: edit,
  policy: choosePolicy,
  gitops: apply,
  deleter: deleteSet,
  "record deleter": deleteRecord,
  "claim deleter": deleteClaim,
  wisher: wish,
  "volume autoscaler": growClaim,
  operator: reconcile,
};

export function* peopleMoves(world: World): Iterable<Move<World>> {
  if (world.budget > 0) {
    for (const person of world.scene.people) {
      for (const { label, next } of DEEDS[person](world))
        yield { label, fair: false, next: { ...next, budget: world.budget - 1 } };
    }
  }
  // Whoever deletes a claim that is in use has the pod made anew, or it would never go.
  for (const [index, claim] of world.claims.entries()) {
    const ordinal = ordinalOf(index);
    if (claim?.deleting !== true) continue;
    const next = world.pods[ordinal] === undefined ? withClaim(world, index, undefined) : withoutPod(world, ordinal);
    yield { label: `the user deletes pod db-${ordinal}, so that its claim can go`, fair: true, next };
  }
}

function* scale(world: World) {
  if (world.set === undefined) return;
  const replicas = world.set.replicas === 2 ? 1 : 2;
  const next = { ...changeSet(world, { replicas }), wanted: { ...world.wanted, replicas } };
  yield { label: `an autoscaler sets the replicas to ${replicas}`, next };
}

function* edit(world: World) {
  if (world.set === undefined || world.set.image > 0) return;
  const next = { ...changeSet(world, { image: 1, rollout: true }), wanted: { ...world.wanted, image: 1 } };
  yield { label: "a developer changes the image", next };
}

function* choosePolicy(world: World) {
  for (const policy of [1, 2] as const) {
    if (world.set === undefined || world.set.policy === policy) continue;
    const next = { ...changeSet(world, { policy }), wanted: { ...world.wanted, policy } };
    yield {
      label: `somebody sets the retention policy to ${policy === 1 ? "whenDeleted" : "whenScaled"}: Delete`,
      next,
    };
  }
}

/** GitOps puts its manifest back: on a live set the policy, where there is none the whole set, without our annotations. */
function* apply(world: World) {
  const { set, wanted } = world;
  if (set !== undefined) {
    if (wanted.policy !== 0 && set.policy !== wanted.policy) {
      yield {
        label: "GitOps applies its manifest with its retention policy",
        next: changeSet(world, { policy: wanted.policy }),
      };
    }
    return;
  }
  for (const data of [1, 2]) {
    const spec = {
      replicas: 2,
      image: wanted.image,
      sizes: [data, 1] as const,
      policy: wanted.policy,
      suspended: 0 as const,
      wish: 0,
    };
    // A set that people deleted takes its wish along; one that only we took away does not.
    const wish = world.killed.includes(world.nextUid - 1) ? 0 : wanted.wish;
    const next = { ...withNewSet(world, spec, false), wanted: { ...wanted, replicas: 2, wish }, mayReturn: false };
    yield { label: `GitOps finds no set and creates its own with data=${data}`, next };
  }
}

function* deleteSet(world: World) {
  const { set } = world;
  if (set === undefined) return;
  const killed = [...world.killed, set.uid];
  const marked = { ...world, killed, mayReturn: world.record.saved !== undefined };
  yield {
    label: "the user deletes the set",
    next: changeSet(marked, { deleting: true, orphan: false, foreground: false }),
  };
  yield {
    label: "the user deletes the set, pods first",
    next: changeSet(marked, { deleting: true, orphan: false, foreground: true }),
  };
  yield {
    label: "the user deletes the set but keeps its pods",
    next: changeSet(marked, { deleting: true, orphan: true, foreground: false }),
  };
}

function* deleteRecord(world: World) {
  const { record } = world;
  if (record.deleting || (record.saved === undefined && !record.guarded)) return;
  const next = { ...world, record: record.guarded ? { ...record, deleting: true } : { ...record, saved: undefined } };
  yield { label: "the user deletes the record", next };
}

function* deleteClaim(world: World) {
  const claim = world.claims[2];
  if (claim === undefined || claim.deleting) return;
  yield { label: "the user deletes claim data-db-1", next: withClaim(world, 2, { ...claim, deleting: true }) };
}

function* wish(world: World) {
  if (world.set === undefined) return;
  for (const wish of world.scene.refuses ? [0, 2, 3] : [0, 3]) {
    if (wish === world.set.wish) continue;
    const label = wish === 0 ? "the user withdraws the wish" : `the user wishes data=${wish}`;
    yield { label, next: { ...changeSet(world, { wish }), wanted: { ...world.wanted, wish } } };
  }
}

function* growClaim(world: World) {
  const claim: ClaimState | undefined = world.claims[0];
  if (claim === undefined || claim.deleting || claim.request === 3) return;
  yield { label: "another autoscaler asks claim data-db-0 for 3", next: withClaim(world, 0, { ...claim, request: 3 }) };
}

/**
 * The operator of a custom resource creates the set where there is none, with the sizes of its resource or, when it has not seen
 * the latest of them, with those before; and takes foreign edits back: our finalizer, and the policy that we suspended.
 */
function* reconcile(world: World) {
  const { set, wanted } = world;
  if (set === undefined) {
    const { replicas, image, policy, wish } = wanted;
    for (const data of [1, wish]) {
      const spec = { replicas, image, policy, sizes: [data, 1] as const, suspended: 0 as const, wish: 0 };
      const next = { ...withNewSet(world, spec, false), mayReturn: false };
      yield { label: `the operator finds no set and creates it with data=${data}`, next };
    }
    return;
  }
  if (set.deleting) return;
  if (set.ours)
    yield { label: "the operator takes our finalizer off the set", next: changeSet(world, { ours: false }) };
  if (set.policy !== wanted.policy) {
    yield { label: "the operator puts its retention policy back", next: changeSet(world, { policy: wanted.policy }) };
  }
}
