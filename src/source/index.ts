/** Growing through a custom resource. The contracts stand at the types; README.md shows them together. */
export { type SourcesController, type SourcesControllerOptions, startSources } from "./controller/controller.ts";
export { EXPANSION_SOURCE_DEFINITION } from "./install/definition.ts";
export { rulesForSource } from "./install/role.ts";
export { EXPANSION_SOURCES } from "./resource.ts";
export type * from "./types.ts";
export { type StartedResourceJudge, startResourceJudge } from "./webhook/resource-judge.ts";
