/** Every graph that is explored, by name, and every mutant that must be caught. */
import { FULL, QUICK } from "./claim/bounds.ts";
import { claimModel } from "./claim/model.ts";
import { CLAIM_MUTANTS } from "./claim/mutants.ts";
import { type Exploration, explore, type Model } from "./explore.ts";
import { STATEFULSET_SCENES, statefulSetModel } from "./statefulset/model.ts";
import { STATEFULSET_MUTANTS } from "./statefulset/mutants.ts";

export interface Graph {
  readonly name: string;
  readonly run: () => Exploration;
}

export interface Mutant extends Graph {
  readonly description: string;
}

function graph<S>(name: string, model: () => Model<S>): Graph {
  return { name, run: () => explore(model()) };
}

function statefulSetGraphs(bound: "quick" | "full"): readonly Graph[] {
  return STATEFULSET_SCENES.map((scene) =>
    graph(`StatefulSet: ${scene}`, () => statefulSetModel(undefined, bound, scene)),
  );
}

export const FULL_GRAPHS: readonly Graph[] = [
  ...FULL.map((bound) => graph(`claim: ${bound.name}`, () => claimModel(bound))),
  ...statefulSetGraphs("full"),
];

export const QUICK_GRAPHS: readonly Graph[] = [
  ...QUICK.map((bound) => graph(`claim: ${bound.name}`, () => claimModel(bound))),
  ...statefulSetGraphs("quick"),
];

export const MUTANTS: readonly Mutant[] = [
  ...CLAIM_MUTANTS.map(({ name, description, bound, rules }) => ({
    ...graph(name, () => claimModel(bound, rules)),
    description,
  })),
  ...STATEFULSET_MUTANTS.map(({ name, description, scene, rules }) => ({
    ...graph(name, () => statefulSetModel(rules, "quick", scene)),
    description,
  })),
];
