/** The node of the embedded cluster; README.md says what it does. */
export { thisMachine } from "./controller/machine.ts";
export { type NodeDriver, type NodeOptions, type RunningNode, startNode } from "./controller/node.ts";
export { USAGE_ANNOTATION } from "./controller/usage.ts";
export type { Machine } from "./decide/node-object.ts";
export { READY_ANNOTATION } from "./decide/pod-status.ts";
