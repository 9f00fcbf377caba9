/** CustomResourceDefinitions: what they say of objects, what may be said, and what the server does about them. */
export { type Definitions, type DefinitionsOptions, startDefinitions } from "./control/definitions.ts";
export { establish } from "./control/establish.ts";
export { CLEANUP_FINALIZER, finalize, holdDefinition } from "./control/finalize.ts";
export { terminatingDefinitions } from "./control/terminating.ts";
export { prepareDefinition } from "./definition/prepare.ts";
export { validateDefinition, validateDefinitionStatus, validateInSteps } from "./definition/validate-definition.ts";
export { warningsOf } from "./definition/warnings.ts";
export { readyForRules } from "./lazy-rules.ts";
export { resourcesOf } from "./resource/resources-of.ts";
