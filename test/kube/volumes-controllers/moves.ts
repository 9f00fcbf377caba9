/** What people do to claims and volumes, and until when; what the cluster looks like then is compared. */
import type { Scene } from "./scene.ts";

export interface Step {
  readonly act: (scene: Scene) => Promise<unknown>;
  /** The phases of claims and volumes when it is over; `gone` for those that are not there. */
  readonly phases: Readonly<Record<string, string>>;
  /** What people must have been told by then, as `NAME REASON`. */
  readonly reasons?: readonly string[];
}

export interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Volumes that nobody has yet. */
export const availableVolumes = (sketches: Readonly<Record<string, Parameters<Scene["volume"]>[1]>>): Step => ({
  act: (scene) => Promise.all(Object.entries(sketches).map(([name, sketch]) => scene.volume(name, sketch))),
  phases: Object.fromEntries(Object.keys(sketches).map((name) => [name, "Available"])),
});

/** A claim `data` that has the volume `disk`. The volume is there first: who would find none would be told so. */
export const bound = (sketch: Parameters<Scene["volume"]>[1] = { size: "5Gi" }): readonly [Step, Step] => [
  availableVolumes({ disk: sketch }),
  { act: (scene) => scene.claim("data"), phases: { data: "Bound", disk: "Bound" } },
];
