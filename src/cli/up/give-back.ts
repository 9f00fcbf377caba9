/**
 * Memory that goes back when nobody asks for anything. V8 looks for garbage when it needs room; a server that thousands of clients have
 * left needs none, and would keep what they left for as long as it is idle.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Timers } from "../../kube/timers.ts";

export interface Household {
  readonly timers: Timers;
  /** Bytes of what is alive, and of garbage that nobody has looked for yet. */
  readonly used: () => number;
  /** The share of the time since the last call in which there was something to do, from 0 to 1. */
  readonly busy: () => number;
  /** Looks for garbage; nothing else happens meanwhile. */
  readonly collect: () => void;
}

const LOOK_EVERY_MS = 10_000;

/** Requests now and then. */
const IDLE = 0.05;

/** Below, it is not worth a pause, however short. */
const ENOUGH_BYTES = 32 * 2 ** 20;

/**
 * Collects while nobody is there, when there is half as much again as was alive when there was least. What a cluster has come to hold
 * since then is taken for garbage once. Gives back how to end it, which may be called twice.
 */
export function startGivingBack({ timers, used, busy, collect }: Household): () => void {
  let least = used();
  let cancel = timers.after(LOOK_EVERY_MS, look);
  function look(): void {
    const now = used();
    least = Math.min(least, now);
    const idle = busy() < IDLE;
    if (idle && now - least > Math.max(ENOUGH_BYTES, least / 2)) {
      collect();
      least = used();
    }
    cancel = timers.after(LOOK_EVERY_MS, look);
  }
  return () => cancel();
}

/** Those of this process. */
export function ownHousehold(timers: Timers): Household {
  let gc: Collect | undefined;
  let before = performance.eventLoopUtilization();
  return {
    timers,
    // Once alone, it would keep the room for what may come, and most of the memory with it.
    collect() {
      gc ??= collector();
      gc({ type: "major", execution: "sync", flavor: "last-resort" });
    },
    used() {
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    },
    busy() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      return utilization;
    },
  };
}

type Collect = (options: object) => void;

/** Made when it is first needed: it has a context of its own, which takes time and memory. */
function collector(): Collect {
  // Given to contexts that are made from now on.
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as Collect;
}
