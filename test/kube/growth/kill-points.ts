/**
 * Every call of a flow, as a moment to die at. A call is known by its name and by how many of that name came before it: the
 * three loops of the controller take turns as they like, so that its place among all calls says little.
 */
import { type Flow, type Kill, killOnce } from "./kill-harness.ts";
import type { Stage } from "./stage.ts";

export interface KillAllOptions {
  readonly flow: Flow;
  readonly when: Kill["when"];
  /** How many growths go on at once. */
  readonly lanes: number;
  /** Hears of each moment that was tried, and what came of it. */
  readonly tell: (line: string) => void;
}

/** What became of a flow that died at every moment. */
export interface Toll {
  readonly deaths: number;
  /** Moments that did not come in the growth that was to die at them: the call was not needed so often. */
  readonly spared: number;
  /** What was lost or did not come to its end; empty when all is well. */
  readonly problems: readonly string[];
}

interface Moment {
  readonly call: string;
  /** How many of its name there are before it. */
  readonly nth: number;
}

/**
 * Lets the flow play once undisturbed, and then once for each of its calls, which is its last. A call that only some of the
 * growths make becomes a moment as well, as soon as one has made it.
 */
export async function killAll(stage: Stage, { flow, when, lanes, tell }: KillAllOptions): Promise<Toll> {
  const known = new Set<string>();
  const waiting: Moment[] = [];
  const problems: string[] = [];
  let deaths = 0;
  let spared = 0;
  let growths = 0;

  /** Gives back where it died. */
  async function play(at: Kill["at"]): Promise<string | undefined> {
    const scene = await stage.scene(`${flow.name}-${when}-${growths++}`);
    const death = await killOnce(stage, scene, flow, { at, when });
    for (const moment of momentsIn(death.calls.slice(0, death.lived))) {
      if (known.has(textOf(moment))) continue;
      known.add(textOf(moment));
      waiting.push(moment);
    }
    if (death.lost.length > 0) throw new Error(death.lost.join("; "));
    return death.at;
  }

  async function lane(): Promise<void> {
    for (let moment = waiting.shift(); moment !== undefined; moment = waiting.shift()) {
      const what = `${flow.name}, killed ${when} ${textOf(moment)}`;
      try {
        const at = await play(isAt(moment));
        if (at === undefined) spared++;
        else deaths++;
        tell(at === undefined ? `${what}: did not come` : what);
      } catch (error) {
        problems.push(`${what}: ${String(error)}`);
        tell(`${what}: ${String(error)}`);
      }
    }
  }
  await play(() => false);
  await Promise.all(Array.from({ length: lanes }, lane));
  return { deaths, spared, problems };
}

function isAt({ call, nth }: Moment): Kill["at"] {
  let passed = 0;
  return (name) => name === call && passed++ === nth;
}

function momentsIn(calls: readonly string[]): Moment[] {
  const counts = new Map<string, number>();
  return calls.map((call) => {
    const nth = counts.get(call) ?? 0;
    counts.set(call, nth + 1);
    return { call, nth };
  });
}

function textOf({ call, nth }: Moment): string {
  return `${call} (${nth + 1})`;
}
