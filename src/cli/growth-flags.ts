/** How a growth is to be done: flags that become the spec of its record. */
import { type Command, InvalidArgumentError } from "commander";
import { OutgrowError } from "../core/errors.ts";
import type { Rollout, VolumeExpansionSpec } from "../statefulset/types.ts";

export interface GrowthFlags {
  readonly parallel?: boolean;
  readonly oneByOne?: boolean;
  readonly maxConcurrent?: number;
  readonly canary?: number;
  readonly restartPods?: boolean;
  readonly includeUnused?: boolean;
  readonly evenIfOwned?: boolean;
}

/** The part of a record's spec that a person decides about. */
export type HowToGrow = Pick<VolumeExpansionSpec, "rollout" | "restartPods" | "beyondReplicas" | "evenIfOwned">;

export function addGrowthFlags(command: Command): Command {
  return command
    .option("--one-by-one", "the claims of one pod at a time, from the highest ordinal down")
    .option("--parallel", "the claims of several pods at a time: the way back from --one-by-one")
    .option("--max-concurrent <number>", "of how many pods at a time (default: 10)", readCount(1))
    .option("--canary <number>", "the claims of this many pods first, the others when those are done", readCount(0))
    .option("--restart-pods", "let pods be restarted, one at a time, where the driver cannot grow volumes in use")
    .option("--include-unused", "also grow the claims that scaling down left without a pod")
    .option("--even-if-owned", "go on although a controller owns the StatefulSet");
}

/** What the flags say, and nothing about what they leave open. Throws `USAGE` for flags that contradict each other. */
export function howToGrow(flags: GrowthFlags): HowToGrow {
  const { parallel, oneByOne, maxConcurrent, canary, restartPods, includeUnused, evenIfOwned } = flags;
  if (oneByOne === true && (parallel === true || maxConcurrent !== undefined)) {
    const other = parallel === true ? "--parallel" : "--max-concurrent";
    throw new OutgrowError("USAGE", `--one-by-one and ${other} contradict each other; leave one out`);
  }
  const rollout: Rollout = {
    ...(oneByOne === true ? { mode: "OneByOne" } : {}),
    ...(parallel === true || maxConcurrent !== undefined ? { mode: "Parallel" } : {}),
    ...(maxConcurrent === undefined ? {} : { maxConcurrent }),
    ...(canary === undefined ? {} : { canary }),
  };
  return {
    ...(Object.keys(rollout).length === 0 ? {} : { rollout }),
    ...(restartPods === true ? { restartPods: "WhenNeeded" } : {}),
    ...(includeUnused === true ? { beyondReplicas: "Grow" } : {}),
    ...(evenIfOwned === true ? { evenIfOwned: true } : {}),
  };
}

/** What holds in the end: the flags, and what the record says where they are silent. */
export function overRecord(flags: HowToGrow, recorded: HowToGrow | undefined): HowToGrow {
  const { rollout, restartPods, beyondReplicas, evenIfOwned } = { ...recorded, ...flags };
  return {
    rollout: { ...recorded?.rollout, ...rollout },
    ...(restartPods === undefined ? {} : { restartPods }),
    ...(beyondReplicas === undefined ? {} : { beyondReplicas }),
    ...(evenIfOwned === undefined ? {} : { evenIfOwned }),
  };
}

function readCount(least: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= least && number < 2 ** 31) return number;
    throw new InvalidArgumentError(`write a whole number from ${least} on.`);
  };
}
