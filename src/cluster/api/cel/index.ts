/** CEL, the Common Expression Language, as Kubernetes 1.36 has it. */

export { ADMISSION_REQUEST, NAMESPACE_OBJECT } from "./admission-types.ts";
export type { Checked } from "./check/check.ts";
export {
  BOOL,
  BYTES,
  DOUBLE,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  STRING,
  shownType,
  struct,
  TIMESTAMP,
  type Type,
} from "./check/types.ts";
export {
  type Compiled,
  createEnvironment,
  type Environment,
  type EnvironmentOptions,
  type Failure,
} from "./environment.ts";
export { estimateCost } from "./estimate/estimate.ts";
export type { SizeAt } from "./estimate/range.ts";
export {
  AUTHORIZER,
  type Authorize,
  authorizerValue,
  type Decision,
  type Question,
  RESOURCE_CHECK,
  requestResourceValue,
} from "./library/authorizer.ts";
export { appliedJson, JSON_PATCH, misnamedTypes, mutationTypes } from "./library/mutation.ts";
export { MATCH_CONDITIONS_BUDGET, PER_CALL_LIMIT, RUNTIME_BUDGET } from "./run/budget.ts";
export type { Activation, Outcome, Program } from "./run/program.ts";
export { declaredType } from "./schema/declared-type.ts";
export { escapeName } from "./schema/escape.ts";
export { sizesOf, timesInRequest } from "./schema/sizes.ts";
export { asResource, typedValue } from "./schema/typed-value.ts";
export { listOfValues, mapOfEntries } from "./value/collections.ts";
export { fromJson, toJson } from "./value/json.ts";
export { type CelError, error, isError, type Struct, type Value } from "./value/value.ts";
