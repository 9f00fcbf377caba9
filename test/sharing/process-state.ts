/** What belongs to the whole process, and so to every test file that runs in it. */

export interface ProcessState {
  readonly folder: string;
  readonly umask: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How many listen to each event of the process: signals, warnings, its end. */
  readonly listeners: ReadonlyMap<string | symbol, number>;
  /** By name, those that are no getters: the clock, the timers and whatever else can be replaced. */
  readonly globals: ReadonlyMap<string, unknown>;
}

export function processState(): ProcessState {
  return {
    folder: process.cwd(),
    umask: process.umask(),
    environment: { ...process.env },
    listeners: new Map(process.eventNames().map((name) => [name, process.listenerCount(name)])),
    globals: new Map(
      Object.entries(Object.getOwnPropertyDescriptors(globalThis)).flatMap(([name, { value }]) =>
        value === undefined ? [] : [[name, value] as const],
      ),
    ),
  };
}

/**
 * What was changed and not put back, one sentence each. A global that there was not before may have been a getter, which
 * Node makes a value of when it is first read, or be the test runner's own: those are no change.
 */
export function tracesOf(before: ProcessState, after: ProcessState): string[] {
  const traces: string[] = [];
  if (before.folder !== after.folder) traces.push(`the working folder is ${after.folder}, and was ${before.folder}`);
  if (before.umask !== after.umask) traces.push(`the umask is ${after.umask}, and was ${before.umask}`);
  for (const name of new Set([...Object.keys(before.environment), ...Object.keys(after.environment)])) {
    if (before.environment[name] !== after.environment[name]) traces.push(`the environment's ${name} is another`);
  }
  for (const [event, count] of after.listeners) {
    const known = before.listeners.get(event) ?? 0;
    if (count > known) traces.push(`${count - known} more listen to the process's ${String(event)}`);
  }
  for (const [name, value] of before.globals) {
    if (!Object.is(after.globals.get(name), value)) traces.push(`the global ${name} is another`);
  }
  return traces;
}
