/** One claim's whole life, as a model: who can do what, what must always hold, and when it is at rest. */
import type { PersistentVolumeClaim } from "../../../src/core/types.ts";
import type { Model, Move } from "../explore.ts";
import type { Bound } from "./bound.ts";
import { ControllerMoves } from "./controller-moves.ts";
import { NodeMoves } from "./node-moves.ts";
import { type ClaimRules, RULES } from "./rules.ts";
import {
  claimKey,
  IDLE_CONTROLLER,
  IDLE_NODE,
  memoize,
  newClaim,
  requesting,
  toSize,
  view,
  type World,
  worldKey,
} from "./world.ts";
import { put, writeClaim } from "./writes.ts";

export function claimModel(bound: Bound, rules: ClaimRules = RULES): Model<World> {
  const controllers = new ControllerMoves(rules, bound);
  const node = new NodeMoves(rules, bound);
  const counted = memoize(
    (claim: PersistentVolumeClaim, gate: boolean) => `${claimKey(claim)} ${gate}`,
    (claim, gate) => toSize(rules.claimUsage(view(claim), { RecoverExpansionFailure: gate })),
  );
  const mayEdit = memoize(
    (from: PersistentVolumeClaim, to: PersistentVolumeClaim, gate: boolean) =>
      `${claimKey(from)} ${claimKey(to)} ${gate}`,
    (from, to, gate) => rules.validateClaimUpdate(from, to, { RecoverExpansionFailure: gate }).length === 0,
  );

  function* userMoves(world: World): Iterable<Move<World>> {
    const request = toSize(view(world.claim).request);
    for (const size of bound.sizes) {
      if (size === request) continue;
      const edited = requesting(world.claim, size);
      if (!mayEdit(world.claim, edited, world.gate)) continue;
      const before = counted(world.claim, world.gate);
      const after = counted(edited, world.gate);
      if (after > before && after > bound.hard) continue; // quota refuses
      yield {
        label: `the user asks for ${size} instead of ${request}`,
        fair: false,
        next: writeClaim(world, { claim: edited, writes: true }, bound),
      };
    }
  }

  function* otherMoves(world: World): Iterable<Move<World>> {
    if (world.lateController > 0) {
      const size = world.lateController;
      const over = { ...world, lateController: 0 };
      yield {
        label: `the driver completes the call for ${size} after all`,
        fair: true,
        next: { ...over, done: Math.max(world.done, size), real: Math.max(world.real, size) },
      };
      yield { label: `the driver drops the call for ${size}`, fair: true, next: over };
    }
    if (world.lateNode > 0) {
      const size = world.lateNode;
      const over = { ...world, lateNode: 0 };
      yield {
        label: `the node's driver completes the call for ${size} after all`,
        fair: true,
        next: { ...over, fileSystem: Math.max(world.fileSystem, size) },
      };
      yield { label: `the node's driver drops the call for ${size}`, fair: true, next: over };
    }
    if (world.pod && bound.offline) {
      // The kubelet forgets the volume when the pod goes; a call under way there is left alone.
      if (world.node.at === "idle") {
        const next = { ...world, pod: false, node: IDLE_NODE };
        yield { label: "the pod goes away", fair: controllers.waitsForRelease(world) || world.node.inUse, next };
      }
    } else if (!world.pod) {
      yield { label: "a pod comes and uses the claim", fair: node.waitsForPod(world), next: { ...world, pod: true } };
    }
    if (bound.gates) {
      // Gates are switched by restarting the programs.
      const idle = world.controllers.every((controller) => controller.at !== "waiting");
      if (idle) {
        const next = ([0, 1] as const).reduce(
          (at, who) => put(at, who, { ...IDLE_CONTROLLER, seenVolume: world.volume }),
          world,
        );
        yield {
          label: `the recovery gate is switched ${world.gate ? "off" : "on"}`,
          fair: false,
          next: { ...next, gate: !world.gate },
        };
      }
    }
  }

  return {
    name: bound.name,
    initial: [initialWorld(bound)],
    key: worldKey,
    moves: (world) => [...userMoves(world), ...controllers.moves(world), ...node.moves(world), ...otherMoves(world)],
    broken: (world, before) => broken(world, before, (claim) => counted(claim, true), bound),
    settled: (world) => isSettled(world, bound),
  };
}

function initialWorld(bound: Bound): World {
  const controller = { ...IDLE_CONTROLLER, seenVolume: bound.initial };
  return {
    claim: newClaim(bound.initial),
    volume: bound.initial,
    done: bound.driver === "node-only" ? 0 : bound.initial,
    real: bound.initial,
    fileSystem: bound.initial,
    lateController: 0,
    lateNode: 0,
    doubt: 0,
    pod: true,
    gate: true,
    controllers: [controller, IDLE_CONTROLLER],
    node: IDLE_NODE,
    crime: undefined,
  };
}

/** The invariants of design.md 4.1, and what follows from them. */
function broken(
  world: World,
  before: World | undefined,
  usage: (claim: PersistentVolumeClaim) => number,
  bound: Bound,
): string | undefined {
  if (world.crime !== undefined) return world.crime;
  const claim = view(world.claim);
  const capacity = toSize(claim.capacity);
  const allocated = toSize(claim.allocated);
  const counted = usage(world.claim);
  const held = bound.driver === "node-only" ? world.fileSystem : world.done;

  if (world.gate && held > counted) return `rule 1: the backend holds ${held}, quota counts ${counted}`;
  if (counted > bound.hard) return `quota: ${counted} is counted, ${bound.hard} is allowed`;
  if (bound.driver === "controller-only" ? capacity > world.real : capacity > world.fileSystem) {
    return `the claim says it has ${capacity}, which is more than there is`;
  }
  // Rule 5: one patch carries everything, so a half-written status is never seen.
  if (claim.state !== "none" && allocated === 0) return "rule 5: a state is recorded, but no size";
  if ((claim.state === "node-pending" || claim.state === "node-in-progress") && world.volume < allocated) {
    return `rule 5: the node is to grow it to ${allocated}, the volume says ${world.volume}`;
  }
  if (before === undefined) return undefined;
  const was = view(before.claim);
  if (toSize(was.capacity) > capacity) return `rule 3: the capacity falls from ${toSize(was.capacity)} to ${capacity}`;
  if (toSize(was.allocated) > allocated) {
    const possible = Math.max(held, world.lateController, world.lateNode, world.doubt, ...underWay(world));
    if (possible > allocated) return `rule 2: the record falls to ${allocated}, but ${possible} may have been done`;
  }
  const byUser = toSize(was.request) !== toSize(claim.request);
  if (!byUser && counted > usage(before.claim)) return "quota: a status write raises what quota counts";
  return undefined;
}

function underWay(world: World): number[] {
  return world.controllers.map(({ at, decision }) =>
    at === "waiting" && decision?.kind === "expand" ? toSize(decision.size) : 0,
  );
}

/** The claim has what it asks for, and nobody has anything left to do or to say about it. */
function isSettled(world: World, bound: Bound): boolean {
  const claim = view(world.claim);
  const quiet = claim.state === "none" && claim.conditions.size === 0;
  const capacity = toSize(claim.capacity);
  const there = bound.driver === "controller-only" ? world.real : world.fileSystem;
  return (
    quiet &&
    capacity >= toSize(claim.request) &&
    capacity <= there &&
    world.volume >= capacity &&
    world.lateController === 0 &&
    world.lateNode === 0 &&
    world.node.at === "idle" &&
    world.controllers.every((controller) => controller.at === "idle")
  );
}
