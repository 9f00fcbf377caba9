/**
 * The whole product of what the suites try a part of: the controller killed before and after every single call, reads
 * too, of every flow; and every actor at every moment of a re-creation. Takes an hour on two cores.
 */
import { playActor } from "./actor-story.ts";
import { ACTORS } from "./actors.ts";
import type { Write } from "./calls.ts";
import { createClasses, FLOWS } from "./flows.ts";
import { startInterference } from "./interference.ts";
import { killAll } from "./kill-points.ts";
import { openStage } from "./stage.ts";

const AT_ONCE = 4;
const MOMENTS: readonly Write[] = ["prepare", "try create", "guard", "save", "delete", "release", "create", "clear"];

type Tell = (line: string) => void;

/**
 * Rejects when something was lost or did not come to its end, after everything was tried. `tell` hears of each thing.
 * `only`: one flow by its name, or `actors`.
 */
export async function runGrowthSoak(tell: Tell, only?: string): Promise<void> {
  const flows = FLOWS.filter(({ name }) => only === undefined || name === only);
  const withActors = only === undefined || only === "actors";
  if (flows.length === 0 && !withActors) {
    throw new Error(`there is no flow ${only}; there are ${FLOWS.map(({ name }) => name).join(", ")}, and actors`);
  }
  const problems: string[] = [];
  for (const flow of flows) {
    await using stage = await openStage();
    await createClasses(stage);
    const toll = await killAll(stage, { flow, lanes: AT_ONCE, tell });
    tell(`${flow.name}: ${toll.deaths} deaths; ${toll.spared} did not come; ${toll.problems.length} bad`);
    problems.push(...toll.problems);
  }
  if (withActors) problems.push(...(await playAllActors(tell)));
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

async function playAllActors(tell: Tell): Promise<readonly string[]> {
  await using stage = await openStage();
  await using interference = await startInterference(stage);
  const stories = ACTORS.flatMap((actor, which) => MOMENTS.map((moment) => ({ actor, which, moment })));
  const problems: string[] = [];
  const waiting = stories.values();
  const lane = async (): Promise<void> => {
    for (const { actor, which, moment } of waiting) {
      const what = `${actor.name} (after ${moment})`;
      try {
        await playActor(stage, interference, `actor-${which}-${MOMENTS.indexOf(moment)}`, actor, moment);
        tell(what);
      } catch (error) {
        problems.push(`${what}: ${String(error)}`);
        tell(`${what}: ${String(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  tell(`actors: ${stories.length} stories; ${problems.length} bad`);
  return problems;
}
