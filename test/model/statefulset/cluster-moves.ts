/** What a cluster does by itself: the StatefulSet controller, the garbage collector, the storage, and time. */
import type { Move } from "../explore.ts";
import {
  type ClaimState,
  changeSet,
  claimIndex,
  claimName,
  harmed,
  ORDINALS,
  ordinalOf,
  type SetState,
  TEMPLATES,
  tiesToSet,
  type World,
  withClaim,
} from "./world.ts";

export function* clusterMoves(world: World): Iterable<Move<World>> {
  yield* statefulSetController(world);
  yield* garbageCollector(world);
  yield* storage(world);
  if (world.set?.young === true)
    yield { label: "a minute passes", fair: true, next: changeSet(world, { young: false }) };
  if (world.set?.rollout === true && !world.set.deleting) {
    yield { label: "the update of the pods is done", fair: true, next: changeSet(world, { rollout: false }) };
  }
}

function* statefulSetController(world: World): Iterable<Move<World>> {
  const { set, seen } = world;
  const isLive = set !== undefined && !set.deleting;
  if (isLive && (seen.uid !== set.uid || seen.policy !== set.policy || seen.replicas !== set.replicas)) {
    const next = { ...world, seen: { uid: set.uid, policy: set.policy, replicas: set.replicas } };
    yield { label: "the StatefulSet controller sees the set as it is now", fair: true, next };
  }
  if (!isLive && seen.uid !== 0) {
    const next = { ...world, seen: { uid: 0, policy: 0, replicas: 0 } as const };
    yield { label: "the StatefulSet controller sees that the set goes", fair: true, next };
  }
  if (isLive && seen.uid === set.uid) {
    const next = withPods(world, set);
    if (next !== world) yield { label: "the StatefulSet controller brings the pods in order", fair: true, next };
  }
  // A sync that began before the set went still writes its references: nothing checks the owner of a claim.
  const tied = withTies(world);
  if (tied !== world) {
    yield {
      label: `the StatefulSet controller writes the claims' owners as it saw the policy${isLive ? "" : ", late"}`,
      fair: isLive,
      next: tied,
    };
  }
}

/** Adopts pods, removes those above the number of replicas, makes missing ones and their claims. */
function withPods(world: World, set: SetState): World {
  let next = world;
  for (const ordinal of ORDINALS) {
    const pod = next.pods[ordinal];
    if (pod !== undefined && pod.owner !== 0 && pod.owner !== set.uid) continue;
    if (ordinal >= world.seen.replicas) {
      const isTied = world.seen.policy !== 2 || claimsAt(next, ordinal).every((claim) => claim?.owner !== 0);
      if (pod?.held === false && isTied) next = withoutPod(next, ordinal);
      continue;
    }
    if (pod?.owner === set.uid || pod?.held === true) continue;
    if (pod === undefined) next = withClaims(next, ordinal, set);
    const isBlocked = claimsAt(next, ordinal).some((claim) => claim?.deleting === true || claim?.owner === "dead pod");
    if (pod !== undefined || !isBlocked)
      next = { ...next, pods: next.pods.with(ordinal, { owner: set.uid, held: false }) };
  }
  return next;
}

function claimsAt(world: World, ordinal: number): readonly (ClaimState | undefined)[] {
  return TEMPLATES.map((_, template) => world.claims[claimIndex(ordinal, template)]);
}

function withClaims(world: World, ordinal: number, set: SetState): World {
  let next = world;
  for (const [template, size] of set.sizes.entries()) {
    const index = claimIndex(ordinal, template);
    if (next.claims[index] === undefined) {
      next = withClaim(next, index, {
        request: size,
        capacity: size,
        failed: false,
        deleting: false,
        inUse: false,
        owner: 0,
      });
    }
  }
  return next;
}

/** A pod goes, and with it what only waited for it to go. */
export function withoutPod(world: World, ordinal: number): World {
  const claims = world.claims.map((claim, index): ClaimState | undefined => {
    if (claim === undefined || ordinalOf(index) !== ordinal) return claim;
    if (claim.deleting) return undefined;
    return claim.owner === "pod" ? { ...claim, owner: "dead pod" } : claim;
  });
  return { ...world, claims, pods: world.pods.with(ordinal, undefined) };
}

/** The owners of the claims of existing pods (stateful_set_utils.go), by the policy that the controller saw last. */
function withTies(world: World): World {
  const { uid, policy, replicas } = world.seen;
  if (uid === 0) return world;
  let changed = false;
  const claims = world.claims.map((claim, index): ClaimState | undefined => {
    const ordinal = ordinalOf(index);
    const owner = tiesToSet(policy) ? uid : policy === 2 && ordinal >= replicas ? "pod" : 0;
    if (claim === undefined || claim.owner === owner || world.pods[ordinal] === undefined) return claim;
    const isStale = claim.owner === "dead pod" || (typeof claim.owner === "number" && ![0, uid].includes(claim.owner));
    if (isStale) return claim; // left alone, as upstream does
    changed = true;
    return { ...claim, owner };
  });
  return changed ? { ...world, claims } : world;
}

function* garbageCollector(world: World): Iterable<Move<World>> {
  const { set } = world;
  if (set?.deleting === true && set.orphan) {
    yield {
      label: "the garbage collector lets go of pods and claims",
      fair: true,
      next: orphaned(world, set, true, true),
    };
    const blind = "the garbage collector does not see";
    yield {
      label: `${blind} the owners of the claims, and lets go of the pods only`,
      fair: false,
      next: orphaned(world, set, false, true),
    };
    yield {
      label: `${blind} the owners of the pods, and lets go of the claims only`,
      fair: false,
      next: orphaned(world, set, true, false),
    };
  }
  if (set?.deleting === true && set.foreground) {
    yield {
      label: "the garbage collector deletes what belongs to the set, as somebody asked",
      fair: true,
      next: swept(world, set),
    };
  }
  const next = collected(world);
  if (next !== world) yield { label: "the garbage collector deletes what has an owner that is gone", fair: true, next };
}

/** Without the pods and claims whose owner is gone; it does harm where nobody had asked for that owner to go. */
function collected(world: World): World {
  let next = world;
  for (const [ordinal, pod] of world.pods.entries()) {
    if (pod === undefined || pod.held || pod.owner === 0 || pod.owner === world.set?.uid) continue;
    next = withoutPod(next, ordinal);
    if (!world.killed.includes(pod.owner)) next = harmed(next, `pod db-${ordinal} is deleted`);
  }
  for (const [index, claim] of next.claims.entries()) {
    if (claim === undefined || claim.deleting || !isOrphan(claim, world)) continue;
    next = deletedClaim(next, index, claim);
    const isAskedFor = typeof claim.owner !== "number" || world.killed.includes(claim.owner);
    if (!isAskedFor) next = harmed(next, `claim ${claimName(index)} is deleted`);
  }
  return next;
}

function isOrphan({ owner }: ClaimState, { set }: World): boolean {
  return owner === "dead pod" || (typeof owner === "number" && owner !== 0 && owner !== set?.uid);
}

function orphaned(world: World, set: SetState, claimsToo: boolean, podsToo: boolean): World {
  const claims = world.claims.map((claim) => (claimsToo && claim?.owner === set.uid ? { ...claim, owner: 0 } : claim));
  const pods = world.pods.map((pod) => (podsToo && pod?.owner === set.uid ? { ...pod, owner: 0 } : pod));
  return changeSet({ ...world, claims, pods }, { orphan: false });
}

function swept(world: World, set: SetState): World {
  let next = world;
  for (const [ordinal, pod] of world.pods.entries()) {
    if (pod?.owner === set.uid && !pod.held) next = withoutPod(next, ordinal);
  }
  for (const [index, claim] of next.claims.entries()) {
    if (claim?.owner === set.uid) next = deletedClaim(next, index, claim);
  }
  return changeSet(next, { foreground: false });
}

/** A claim that a pod uses stays until the pod goes. */
function deletedClaim(world: World, index: number, claim: ClaimState): World {
  return withClaim(world, index, world.pods[ordinalOf(index)] === undefined ? undefined : { ...claim, deleting: true });
}

function* storage(world: World): Iterable<Move<World>> {
  for (const [index, claim] of world.claims.entries()) {
    if (claim === undefined || claim.deleting || claim.request <= claim.capacity) continue;
    const name = claimName(index);
    if (world.scene.offline && world.pods[ordinalOf(index)]?.held === false) {
      const label = `the driver does not grow ${name} while a pod uses it`;
      if (!claim.inUse) yield { label, fair: true, next: withClaim(world, index, { ...claim, inUse: true }) };
      continue;
    }
    const grown = { ...claim, capacity: claim.request, failed: false, inUse: false };
    yield { label: `the storage grows ${name} to ${claim.request}`, fair: true, next: withClaim(world, index, grown) };
    if (world.scene.refuses && claim.request === 3 && !claim.failed) {
      const next = withClaim(world, index, { ...claim, failed: true });
      yield { label: `the storage refuses to grow ${name} to 3`, fair: false, next };
    }
  }
}
