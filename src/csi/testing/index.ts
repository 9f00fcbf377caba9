/** The door of csi/testing: a driver that does what a test tells it to, in process or as a process of its own. */
export { connectControl, type DriverControl } from "./control.ts";
export type {
  Abilities,
  Answer,
  RecordedCall,
  Rule,
  Script,
  ScriptedMethod,
  ScriptedVolume,
} from "./script.ts";
export { type ScriptedDriver, type ScriptedDriverOptions, startScriptedDriver } from "./scripted-driver.ts";
export { type SpawnedDriver, spawnScriptedDriver } from "./spawn.ts";
