/** All of policies that needs CEL. */
export { beginChange } from "./change.ts";
export { typeWarnings } from "./check-types.ts";
export { judge } from "./judge.ts";
export { validatePolicy } from "./validate-policy.ts";
export { whenCompiled } from "./when-compiled.ts";
