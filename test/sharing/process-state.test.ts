import { expect, test, vi } from "vitest";
import { processState, tracesOf } from "./process-state.ts";

/** What is noticed of a change, and then of its being put back. */
function noticed(change: () => void, putBack: () => void): string[][] {
  const before = processState();
  change();
  const changed = tracesOf(before, processState());
  putBack();
  return [changed, tracesOf(before, processState())];
}

const here = process.cwd();
const umask = process.umask();
const ignore = (): void => {};

test.each<[what: string, change: () => void, putBack: () => void, trace: string]>([
  [
    "the working folder",
    () => process.chdir("/"),
    () => process.chdir(here),
    `the working folder is /, and was ${here}`,
  ],
  [
    "the umask",
    () => process.umask(umask ^ 0o7),
    () => process.umask(umask),
    `the umask is ${umask ^ 0o7}, and was ${umask}`,
  ],
  [
    "a variable that is set",
    () => vi.stubEnv("OUTGROW_TRACE", "1"),
    () => vi.unstubAllEnvs(),
    "the environment's OUTGROW_TRACE is another",
  ],
  [
    "a variable that is taken away",
    () => vi.stubEnv("PATH", undefined),
    () => vi.unstubAllEnvs(),
    "the environment's PATH is another",
  ],
  [
    "a signal's handler",
    () => process.on("SIGUSR2", ignore),
    () => process.off("SIGUSR2", ignore),
    "1 more listen to the process's SIGUSR2",
  ],
  [
    "a clock that stands still",
    () => vi.useFakeTimers({ toFake: ["Date"] }),
    () => vi.useRealTimers(),
    "the global Date is another",
  ],
  [
    "a timer of somebody's own",
    () => vi.stubGlobal("setTimeout", ignore),
    () => vi.unstubAllGlobals(),
    "the global setTimeout is another",
  ],
])("%s is noticed, until it is put back", (_, change, putBack, trace) => {
  expect(noticed(change, putBack)).toEqual([[trace], []]);
});

test("what is only read is no change", () => {
  const before = processState();
  expect([typeof globalThis.fetch, typeof globalThis.crypto, typeof setTimeout]).not.toContain("undefined");
  expect(tracesOf(before, processState())).toEqual([]);
});
