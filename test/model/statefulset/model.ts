/**
 * Growing a StatefulSet, as a model: our two loops, split at every call; the StatefulSet controller, the garbage collector
 * and the storage; and people who scale, edit, re-apply, delete and change their minds in between.
 */
import type { Model } from "../explore.ts";
import { clusterMoves } from "./cluster-moves.ts";
import { broken, isAtRest } from "./invariants.ts";
import { OurMoves } from "./our-moves.ts";
import { peopleMoves } from "./people-moves.ts";
import { RULES, type StatefulSetRules } from "./rules.ts";
import { initialWorlds } from "./scenes.ts";
import { type World, worldKey } from "./world.ts";

/** `quick`: one interference per story, in seconds. `full`: two, and calls that are sent twice by a lagging process. */
export function statefulSetModel(rules: StatefulSetRules = RULES, bound: "quick" | "full" = "quick"): Model<World> {
  const ours = new OurMoves(rules, bound === "full");
  return {
    name: `a StatefulSet's growth (${bound})`,
    initial: initialWorlds(bound),
    key: worldKey,
    moves: (world) => [...ours.moves(world), ...clusterMoves(world), ...peopleMoves(world)],
    broken,
    settled: (world) => isAtRest(world) && ours.decide(world).length === 0,
  };
}
