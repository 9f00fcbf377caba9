/** Conditions of webhooks: compiled, checked and asked. */
export { compileConditions, meetsConditions } from "./conditions.ts";
export { sceneOf } from "./scene.ts";
export { checkConditions } from "./validate-conditions.ts";
