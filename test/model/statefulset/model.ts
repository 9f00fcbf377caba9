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

/** The parts that the model falls into; each can be explored by itself. */
export const STATEFULSET_SCENES: readonly string[] = initialWorlds("full").map(({ scene }) => scene.name);

/**
 * `quick`: one interference per story, in seconds. `full`: two, and calls that are sent twice by a process that lags.
 * With a scene only the stories that begin there.
 */
export function statefulSetModel(
  rules: StatefulSetRules = RULES,
  bound: "quick" | "full" = "quick",
  scene?: string,
): Model<World> {
  const ours = new OurMoves(rules, bound === "full");
  return {
    name: `StatefulSet (${bound})${scene === undefined ? "" : `: ${scene}`}`,
    initial: initialWorlds(bound).filter((world) => scene === undefined || world.scene.name === scene),
    key: worldKey,
    moves: (world) => [...ours.moves(world), ...clusterMoves(world), ...peopleMoves(world)],
    broken,
    settled: (world) => isAtRest(world) && ours.decide(world).length === 0,
  };
}
