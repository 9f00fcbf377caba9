/**
 * The whole of what the suites try a part of: the controller killed before and after every single call of a growth through a
 * custom resource, reads too; and 500 resources that grow at once, on both servers.
 */
import { openEmbeddedStage } from "../growth/embedded-stage.ts";
import { killAll } from "../growth/kill-points.ts";
import { openStage, type Stage } from "../growth/stage.ts";
import { sourceFlow } from "./kill-flow.ts";
import { growMany } from "./scale.ts";
import { openSourceStage } from "./stage.ts";

const LANES = 4;
const MANY = 500;

type Tell = (line: string) => void;

/** Rejects when something was lost or did not come to its end. `only`: `kills`, `stock` or `embedded`. */
export async function runSourceSoak(tell: Tell, only?: string): Promise<void> {
  const parts = {
    kills: killEverywhere,
    stock: () => many(openStage, tell),
    embedded: () => many(openEmbeddedStage, tell),
  };
  const names = Object.keys(parts) as (keyof typeof parts)[];
  if (only !== undefined && !(names as string[]).includes(only)) {
    throw new Error(`there is no part ${only}; there are ${names.join(", ")}`);
  }
  for (const name of names) if (only === undefined || name === only) await parts[name](tell);
}

async function killEverywhere(tell: Tell): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const { stage, flow } = sourceFlow(await openSourceStage(stack.use(await openStage()), stack));
  const toll = await killAll(stage, { flow, lanes: LANES, tell });
  tell(`${flow.name}: ${toll.deaths} deaths; ${toll.spared} did not come; ${toll.problems.length} bad`);
  if (toll.problems.length > 0) throw new Error(toll.problems.join("\n"));
}

async function many(open: () => Promise<Stage>, tell: Tell): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const stage = stack.use(await open());
  const sources = await openSourceStage(stage, stack);
  if (open === openStage) await stage.controller();
  const { seconds, records } = await growMany(sources, "many", MANY);
  tell(`${records} resources have grown in ${seconds} s`);
}
