/**
 * Every call of a flow, as a moment to die at: before it and after it. A call is known by its name and by how many of that
 * name came before it: the three loops of the controller take turns as they like, so that its place among all calls says
 * little. To die before a read is the same as to die after it, since it changes nothing.
 */
import { type Death, type Flow, type Kill, killOnce } from "./kill-harness.ts";
import type { Stage } from "./stage.ts";

export interface KillAllOptions {
  readonly flow: Flow;
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
  readonly when: Kill["when"];
}

/**
 * Lets the flow play once undisturbed, and then once for each of its calls, which is its last. Of a call that only other
 * growths make, the first one becomes a moment as well, as soon as one has made it.
 */
export async function killAll(stage: Stage, { flow, lanes, tell }: KillAllOptions): Promise<Toll> {
  const problems: string[] = [];
  let deaths = 0;
  let spared = 0;
  let growths = 0;

  async function play(kill: Kill): Promise<Death> {
    const death = await killOnce(stage, await stage.scene(`${flow.name}-${growths++}`), flow, kill);
    if (death.lost.length > 0) throw new Error(death.lost.join("; "));
    return death;
  }

  const undisturbed = await play({ at: () => false, when: "after" });
  const known = new Set(undisturbed.calls);
  const waiting = momentsIn(undisturbed.calls);
  async function lane(): Promise<void> {
    for (let moment = waiting.shift(); moment !== undefined; moment = waiting.shift()) {
      const what = `${flow.name}, killed ${moment.when} ${moment.call} (${moment.nth + 1})`;
      try {
        const { at, calls, lived } = await play(killAt(moment));
        if (at === undefined) spared++;
        else deaths++;
        tell(at === undefined ? `${what}: did not come` : what);
        const others = [...new Set(calls.slice(0, lived))].filter((call) => !known.has(call));
        for (const call of others) known.add(call);
        waiting.push(...momentsIn(others));
      } catch (error) {
        problems.push(`${what}: ${String(error)}`);
        tell(`${what}: ${String(error)}`);
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane));
  return { deaths, spared, problems };
}

function killAt({ call, nth, when }: Moment): Kill {
  let passed = 0;
  return { at: (name) => name === call && passed++ === nth, when };
}

function momentsIn(calls: readonly string[]): Moment[] {
  const counts = new Map<string, number>();
  return calls.flatMap((call) => {
    const nth = counts.get(call) ?? 0;
    counts.set(call, nth + 1);
    const after = { call, nth, when: "after" } as const;
    return call.startsWith("GET ") ? [after] : [{ ...after, when: "before" } as const, after];
  });
}
