/** What carries out rules in CEL: loaded when the first definition that has one is written, or is found in the store. */
import type { AdmissionPlugin } from "../admission/plugin.ts";
import { isList, isObject, type Json, type JsonObject } from "../json.ts";
import { lazy } from "../lazy.ts";
import { DEFINITIONS } from "./definition/definition.ts";

export const rules = lazy(() => import("./rules/index.ts"));

/** Resolves when the rules that these have, if any, can be asked. */
export async function rulesReady(definitions: readonly JsonObject[]): Promise<void> {
  if (!rules.isLoaded && definitions.some(mentionsRules)) await rules.use(() => {});
}

/** To come behind all that change a definition when it is written, and before it is validated. */
export const readyForRules: AdmissionPlugin = {
  name: "DefinitionRules",
  mutate: ({ resource: { kind }, object }) =>
    kind.group === DEFINITIONS.group && kind.kind === DEFINITIONS.kind && mentionsRules(object)
      ? rules.use(() => object)
      : object,
};

/** It may be anything yet: it is not validated. */
function mentionsRules(value: Json): boolean {
  if (isList(value)) return value.some(mentionsRules);
  return isObject(value) && Object.entries(value).some(([key, inner]) => key === RULES || mentionsRules(inner));
}

const RULES = "x-kubernetes-validations";
