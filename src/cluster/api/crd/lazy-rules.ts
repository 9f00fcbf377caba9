/** What carries out rules in CEL: loaded when the first definition that has one is written, or is found in the store. */
import type { AdmissionPlugin } from "../admission/plugin.ts";
import { isList, isObject, type Json } from "../json.ts";
import { lazy } from "../lazy.ts";
import { DEFINITIONS } from "./definition/definition.ts";

export const rules = lazy(() => import("./rules/index.ts"));

/** Resolves when the rules that definitions with these texts have, if any, can be asked. */
export async function rulesReady(definitions: readonly string[]): Promise<void> {
  if (!rules.isLoaded && definitions.some((text) => text.includes(`"${RULES}"`))) await rules.use(() => {});
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
  if (!isObject(value)) return false;
  // Key by key, not from entries: a definition may have a hundred thousand of them.
  for (const key of Object.keys(value)) if (key === RULES || mentionsRules(value[key] ?? null)) return true;
  return false;
}

const RULES = "x-kubernetes-validations";
