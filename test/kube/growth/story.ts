/** A story of a set that grows: its name is what it shows. */
import { expect } from "vitest";
import { losses, type Sizes } from "./intact.ts";
import type { Look } from "./look.ts";
import type { Scene } from "./scene.ts";
import type { Stage } from "./stage.ts";

export interface Story {
  readonly name: string;
  /** Alone in its namespace, with a controller at work. */
  readonly play: (scene: Scene, stage: Stage) => Promise<void>;
}

/** Waits until all has these sizes, and has nothing lost since `before`. */
export async function growsIntact(scene: Scene, before: Look, sizes: Sizes): Promise<Look> {
  const after = await scene.untilGrown(sizes);
  expect(losses(before, after)).toEqual([]);
  return after;
}
