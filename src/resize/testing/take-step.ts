/** One step in a world, for tests. */
import { TODAY } from "../../core/dialect.ts";
import { createDriver } from "../apply/driver.ts";
import { createResizeEvents } from "../apply/events.ts";
import { runStep, type StepInput, type StepOptions, type StepResult } from "../apply/step.ts";
import { createWriter } from "../apply/writes.ts";
import { DRIVER, NOW, SLOW_RETRY } from "../decide/fixtures.ts";
import type { World } from "./world.ts";

/** How the journal of a world names what a step does to the claim `data`. */
export const PATCH_CLAIM = "patch persistentvolumeclaims/status";
export const PATCH_VOLUME = "patch persistentvolumes";
export const GET_CLAIM = "get persistentvolumeclaims";
export const GET_VOLUME = "get persistentvolumes";
export const EXPAND = "expand vol-data to 20Gi";

/**
 * One step for the claim `data`, from the objects as the server has them unless told what a cache has instead. Events go
 * into the journal: `tell claim Resizing`.
 */
export function takeStep(
  world: World,
  input: Partial<StepInput> = {},
  options: Partial<StepOptions> = {},
): Promise<StepResult> {
  const recorder = {
    event: ({ kind = "" }: { kind?: string }, _: string, reason: string) =>
      void world.journal.push(`tell ${kind === "PersistentVolumeClaim" ? "claim" : kind} ${reason}`),
  };
  return runStep(
    {
      writer: createWriter(world.client, { claiming() {}, claim() {}, volume() {} }),
      driver: createDriver(DRIVER, world.csi, world.client),
      events: createResizeEvents(recorder, DRIVER),
      dialect: TODAY,
      recovery: true,
      annotate: false,
      slowRetry: SLOW_RETRY,
      now: () => NOW,
      mayCall: () => true,
      ...options,
    },
    { claim: world.claim(), volume: world.volume(), memory: {}, usedByPod: false, ...input },
    new AbortController().signal,
  );
}
