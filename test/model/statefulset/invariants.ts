/** What must hold in every state, and what rest looks like. */
import { claimIndex, ORDINALS, type SetState, TEMPLATES, type World } from "./world.ts";

/** Which rule is broken, and how; undefined when all hold. */
export function broken(world: World, before: World | undefined): string | undefined {
  if (world.harm !== "") return `nothing is lost: ${world.harm}`;
  const { set, record, wanted } = world;
  if (set === undefined && record.saved === undefined && !world.killed.includes(world.nextUid - 1)) {
    return "nothing is lost: the set is gone, and nobody deleted it";
  }
  if (set !== undefined && !set.deleting) {
    if (set.replicas !== wanted.replicas) {
      return `never an older number of replicas: the set has ${set.replicas}, ${wanted.replicas} were asked for last`;
    }
    if (set.image !== wanted.image) return "no change of the set is lost: it has an older image";
    if ((set.policy || set.suspended) !== wanted.policy)
      return "no change of the set is lost: it has another retention policy";
  }
  for (const [index, claim] of world.claims.entries()) {
    const old = before?.claims[index];
    if (old === undefined || claim === undefined || claim.request >= old.request) continue;
    if (!old.failed || claim.request <= old.capacity) {
      return `sizes only rise: a claim goes from ${old.request} to ${claim.request} although nothing failed`;
    }
  }
  return undefined;
}

/** Everything has its size and its owner, the policy is back, nothing of ours is left. */
export function isAtRest(world: World): boolean {
  const { set, record, us } = world;
  if (us.pending !== undefined || record.saved !== undefined || record.guarded || record.deleting) return false;
  if (set === undefined)
    return world.seen.uid === 0 && ORDINALS.every((ordinal) => (world.pods[ordinal]?.owner ?? 0) === 0);
  return (
    !set.deleting &&
    !set.ours &&
    set.suspended === 0 &&
    !set.rollout &&
    set.policy === world.wanted.policy &&
    world.seen.uid === set.uid &&
    world.seen.policy === set.policy &&
    world.seen.replicas === set.replicas &&
    hasTemplate(world, set) &&
    ORDINALS.every((ordinal) => hasPodAndClaims(world, set, ordinal))
  );
}

/** A wish is not forgotten because the set that carried it was replaced by somebody who did not know of it. */
function desiredData(world: World, set: SetState): number {
  return world.wanted.wish > 0 ? world.wanted.wish : set.sizes[0];
}

function hasTemplate(world: World, set: SetState): boolean {
  const [data] = set.sizes;
  const desired = desiredData(world, set);
  const largest = Math.max(...ORDINALS.map((ordinal) => world.claims[claimIndex(ordinal, 0)]?.capacity ?? 0));
  return data === desired || (data > desired && largest >= data);
}

function hasPodAndClaims(world: World, set: SetState, ordinal: number): boolean {
  const pod = world.pods[ordinal];
  if (ordinal >= set.replicas) return pod === undefined;
  const desired = [desiredData(world, set), set.sizes[1]];
  return (
    pod?.owner === set.uid &&
    !pod.held &&
    TEMPLATES.every((_, template) => {
      const claim = world.claims[claimIndex(ordinal, template)];
      const size = desired[template] ?? 0;
      return claim !== undefined && !claim.deleting && claim.request >= size && claim.capacity >= size;
    })
  );
}
