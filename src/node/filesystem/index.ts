/** The door of the file-system room: what drivers and the node's own program may use. */
export {
  decideAbilities,
  type FileSystemAbilities,
  type FileSystemAbility,
  limitsOf,
  probeAbilities,
} from "./abilities.ts";
export { hasTool, runTool, type SystemTool } from "./command.ts";
export { type Content, detectContent } from "./detect.ts";
export { type GrowRequest, type Growth, growFileSystem } from "./grow.ts";
export { FILE_SYSTEM_TYPES, FILE_SYSTEMS, type FileSystemType, isFileSystemType } from "./kinds.ts";
export { attachLoop, detachLoop, type LoopDevice, listLoops, loopOf, rescanLoop } from "./loop-device.ts";
export { bindMount, type Mount, mountAt, mountDevice, readMounts, unmount, unmountLazily } from "./mounts.ts";
export { waitForOrphans } from "./orphans.ts";
export { type Amount, type FileSystemUsage, measureUsage } from "./usage.ts";
