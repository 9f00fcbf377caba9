/** The door of the drivers. */
export type { Driver } from "./kit/driver.ts";
export { LOOP_DRIVER, type LoopDriver, type LoopDriverOptions, startLoopDriver } from "./loop/loop-driver.ts";
export {
  type AdoptedVolume,
  MEMORY_DRIVER,
  type MemoryDriver,
  type MemoryDriverOptions,
  startMemoryDriver,
} from "./memory/memory-driver.ts";
