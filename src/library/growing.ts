/** Growing a StatefulSet: the calls, the controller, the record, and what must be there for them. */
export { type GrowthController, type GrowthOptions, startGrowth } from "../statefulset/controller/controller.ts";
export { VOLUME_EXPANSION_DEFINITION } from "../statefulset/install/definition.ts";
export type { PolicyRule } from "../statefulset/install/role.ts";
export { VOLUME_EXPANSIONS } from "../statefulset/resource.ts";
export type * from "../statefulset/types.ts";
export { type GrowOptions, growStatefulSet } from "./grow-stateful-set.ts";
export type { GrowthOutcome } from "./growth-outcome.ts";
export { GROWTH_RULES } from "./growth-rules.ts";
export { type GrowthRequest, requestGrowth } from "./request-growth.ts";
