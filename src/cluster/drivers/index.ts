/** The door of the drivers. */
export type { Driver } from "./kit/driver.ts";
export { type LoopDriver, type LoopDriverOptions, startLoopDriver } from "./loop/loop-driver.ts";
export {
  type AdoptedVolume,
  type MemoryDriver,
  type MemoryDriverOptions,
  startMemoryDriver,
} from "./memory/memory-driver.ts";
export { LOOP_DRIVER, MEMORY_DRIVER } from "./names.ts";
