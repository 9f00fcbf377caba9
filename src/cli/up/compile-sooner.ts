/** A cluster that has just been started is asked a lot: what was done thirty times is done often enough to be compiled. */
import { setFlagsFromString } from "node:v8";

/** Not before it is ready: what a start does is done once, and compiling it takes as long as doing it. */
export function compileSooner(): void {
  // Other Nodes may have other names for it, and complain about these.
  if (!process.versions.node.startsWith("24.")) return;
  setFlagsFromString("--invocation-count-for-maglev=30");
  setFlagsFromString("--invocation-count-for-turbofan=300");
  // Nor is it put off for long because of a new kind of value: here there is a new one for each kind of object.
  setFlagsFromString("--minimum-invocations-after-ic-update=30");
}
