/** What is counted about growing through custom resources. */
import type { Metrics } from "../../kube/index.ts";

/** `paused`: we were told to keep our hands off. `waiting`: nothing follows it yet. The others are those of an outcome. */
export const STATES = ["resized", "growing", "invalid", "failed", "paused", "waiting"] as const;
export type ResourceState = (typeof STATES)[number];

/** Reads how many resources of a source are in which state whenever somebody asks. Gives back how to end that. */
export function observeResources(metrics: Metrics, source: string, states: () => Iterable<ResourceState>): () => void {
  const description = {
    name: "outgrow_source_resources",
    help: "Custom resources that an ExpansionSource follows, by how their growth stands",
    labels: ["source", "state"],
  };
  const count = (state: ResourceState): number => [...states()].filter((each) => each === state).length;
  const ends = STATES.map((state) => metrics.observe(description, { source, state }, () => count(state)));
  return () => ends.forEach((end) => end());
}
