/** Growing what a StatefulSet owns. The contracts stand at the types; README.md shows them together. */
export { type GrowthController, type GrowthOptions, type SharedView, startGrowth } from "./controller/controller.ts";
export { VOLUME_EXPANSION_DEFINITION } from "./install/definition.ts";
export { CONTROLLER_RULES, LEADER_RULES, type PolicyRule } from "./install/role.ts";
export { VOLUME_EXPANSIONS } from "./resource.ts";
export type * from "./types.ts";
