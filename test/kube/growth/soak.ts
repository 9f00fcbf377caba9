/**
 * The whole product of what the suites try a part of: the controller killed before and after every single call, reads
 * too, of every flow; and every actor at every moment of a re-creation. Takes an hour or more.
 */
import { playActor } from "./actor-story.ts";
import { ACTORS } from "./actors.ts";
import type { Write } from "./calls.ts";
import { PLAIN, RECOVERY, RICH } from "./flows.ts";
import { startInterference } from "./interference.ts";
import { type Flow, killOnce } from "./kill-harness.ts";
import { openStage, type Stage } from "./stage.ts";

const AT_ONCE = 4;
const FLOWS: readonly Flow[] = [RICH, PLAIN, RECOVERY];
const MOMENTS: readonly Write[] = ["prepare", "try create", "guard", "save", "delete", "release", "create", "clear"];

type Tell = (line: string) => void;

/** Rejects as soon as something is lost or does not come to its end; `tell` hears of each thing that was tried. */
export async function runGrowthSoak(tell: Tell): Promise<void> {
  for (const flow of FLOWS) {
    for (const when of ["after", "before"] as const) {
      await using stage = await openStage();
      await stage.createClass("five-at-most", { controllerLimit: "5Gi" });
      await killAll(stage, flow, when, tell);
    }
  }
  await using stage = await openStage();
  await using interference = await startInterference(stage);
  const stories = ACTORS.flatMap((actor, which) => MOMENTS.map((moment) => ({ actor, which, moment }))).values();
  await inLanes(async () => {
    for (const { actor, which, moment } of stories) {
      tell(`${actor.name} (after ${moment})`);
      await playActor(stage, interference, `actor-${which}-${MOMENTS.indexOf(moment)}`, actor, moment);
    }
  });
}

/** One call after the other, until a growth comes to its end before the call that was chosen. */
async function killAll(stage: Stage, flow: Flow, when: "before" | "after", tell: Tell): Promise<void> {
  let next = 0;
  await inLanes(async () => {
    for (;;) {
      const chosen = next++;
      const scene = await stage.scene(`${flow.name}-${when}-${chosen}`);
      const { at, lost } = await killOnce(stage, scene, flow, { at: (_, index) => index === chosen, when });
      tell(`${flow.name}, killed ${when} call ${chosen}: ${at ?? "there is none"}`);
      if (lost.length > 0) throw new Error(`${flow.name}, killed ${when} ${at} (call ${chosen}): ${lost.join("; ")}`);
      if (at === undefined) return;
    }
  });
}

async function inLanes(lane: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}
