/** How the world changes: a controller moves on, the claim or the volume is written and others are out of date. */
import type { Move } from "../explore.ts";
import type { Bound } from "./bound.ts";
import { type Controller, IDLE_CONTROLLER, type World } from "./world.ts";

/** Something that can happen. */
export function move(label: string, fair: boolean, next: World): Move<World> {
  return { label, fair, next };
}

/** The world with one controller changed. */
export function put(world: World, who: 0 | 1, change: Partial<Controller>): World {
  const next = { ...world.controllers[who], ...change };
  return { ...world, controllers: who === 0 ? [next, world.controllers[1]] : [world.controllers[0], normal(next)] };
}

/** The claim is written: whoever has read it before is out of date. `lag`: the cache of the leader too, for a while. */
export function writeClaim(
  world: World,
  { claim, writes }: { claim: World["claim"]; writes: boolean },
  { lag }: Bound,
): World {
  if (!writes) return world;
  const stale = (controller: Controller): Controller =>
    controller.fresh ? { ...controller, fresh: false } : controller;
  const [leader, former] = world.controllers;
  const behind = lag && leader.seenClaim === undefined ? { ...leader, seenClaim: world.claim } : leader;
  return {
    ...world,
    claim,
    controllers: [stale(behind), stale(former)],
    node: world.node.fresh ? { ...world.node, fresh: false } : world.node,
  };
}

/** The volume is written: whoever has read it before is out of date. */
export function writeVolume(world: World, volume: number): World {
  const stale = (controller: Controller): Controller =>
    controller.freshVolume ? { ...controller, freshVolume: false } : controller;
  return { ...world, volume, controllers: [stale(world.controllers[0]), stale(world.controllers[1])] };
}

/** A former leader that has nothing left to do is like any other. */
export function normal(former: Controller): Controller {
  const nothing = former.at === "idle" && former.refused === 0 && !former.slow && !former.inUse && !former.owned;
  return nothing ? IDLE_CONTROLLER : former;
}
