/** Rules in CEL of a definition: whether they compile, and what they may cost. */
import { type FieldError, forbidden, invalid } from "../../../../admission/verdict.ts";
import { asResource, estimateCost, sizesOf, timesInRequest } from "../../cel/index.ts";
import { get, isObject, type JsonObject } from "../../json.ts";
import type { Steps } from "../../steps.ts";
import { isPlain, listAt, objectAt, propertiesOf, textAt } from "../definition/written-schema.ts";
import { type Rule, readSchema, type Schema } from "../schema/schema.ts";
import { type CompiledRule, compileRules, effortOf, selfType } from "./compile-rules.ts";

const COST_LIMIT = 10_000_000;
const TOTAL_COST_LIMIT = 100_000_000;

/** Where in the schema one is. */
interface Place {
  readonly path: string;
  readonly isRoot: boolean;
  /** How often what stands here can stand in an object; undefined: as often as there is room for it. */
  readonly count: number | undefined;
  /** Where the list or map is whose items cannot be told apart; undefined: what was here before is known. */
  readonly uncorrelated: string | undefined;
}

interface Costs {
  total: number;
  readonly expensive: { readonly path: string; readonly cost: number }[];
}

/** Every rule that does not compile or may cost too much, of a schema that is fine otherwise. */
export function* ruleErrors(written: JsonObject, path: string): Steps<FieldError[]> {
  const costs: Costs = { total: 0, expensive: [] };
  const errors = yield* walk(written, { path, isRoot: true, count: 1, uncorrelated: undefined }, costs);
  if (costs.total <= TOTAL_COST_LIMIT) return errors;
  const most = costs.expensive.toSorted((a, b) => b.cost - a.cost).slice(0, 4);
  const detail = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
  const name = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
  return [
    ...errors,
    ...most.map((each) => forbidden(each.path, detail)),
    forbidden(path, tooExpensive(name, costs.total, TOTAL_COST_LIMIT)),
  ];
}

/** Those of each schema are a step. */
function* walk(written: JsonObject, place: Place, costs: Costs): Steps<FieldError[]> {
  const { path, count } = place;
  const additional = get(written, "additionalProperties");
  const items = objectAt(written, "items");
  const inside = {
    isRoot: false,
    uncorrelated: place.uncorrelated,
    count: count === undefined ? undefined : multiplied(written, count),
  };
  const errors: FieldError[] = [];
  if (isObject(additional)) {
    errors.push(...(yield* walk(additional, { ...inside, path: `${path}.additionalProperties` }, costs)));
  }
  for (const [name, inner] of propertiesOf(written)) {
    if (!isPlain(inner))
      errors.push(...(yield* walk(inner, { ...inside, path: `${path}.properties[${name}]` }, costs)));
  }
  if (items !== undefined) {
    const isMapList = textAt(written, "x-kubernetes-list-type") === "map";
    const uncorrelated = isMapList ? inside.uncorrelated : path;
    errors.push(...(yield* walk(items, { ...inside, path: `${path}.items`, uncorrelated }, costs)));
  }
  return [...errors, ...(yield* ownErrors(written, place, costs))];
}

/** How many there can be of what stands inside. */
function multiplied(written: JsonObject, count: number): number | undefined {
  const limit = (name: string) => {
    const value = get(written, name);
    return typeof value === "number" ? count * Math.max(0, value) : undefined;
  };
  const additional = get(written, "additionalProperties");
  switch (textAt(written, "type")) {
    case "array":
      return limit("maxItems");
    case "object":
      return additional === undefined || additional === null ? count : limit("maxProperties");
    default:
      return count;
  }
}

function* ownErrors(written: JsonObject, place: Place, costs: Costs): Steps<FieldError[]> {
  if (listAt(written, "x-kubernetes-validations").length === 0) return [];
  const read = readSchema(written);
  const isRoot = place.isRoot || read.embedded;
  const schema = isRoot ? asResource(read) : read;
  const type = selfType(schema, isRoot);
  const at = `${place.path}.x-kubernetes-validations`;
  if (type === undefined) return [];
  const errors = compileRules(schema, type).flatMap((compiled, index) =>
    compiledErrors(compiled, `${at}[${index}]`, schema, place, costs),
  );
  yield effortOf(schema.validations);
  return errors;
}

function compiledErrors(compiled: CompiledRule, at: string, schema: Schema, place: Place, costs: Costs): FieldError[] {
  const { rule, error, messageError, usesOldSelf, checked, message } = compiled;
  const sizes = sizesOf(schema);
  const often = place.count ?? timesInRequest(schema);
  const cost = checked === undefined ? 0 : estimateCost(checked, sizes) * often;
  const messageCost = message === undefined ? 0 : estimateCost(message.checked, sizes);
  observe(costs, `${at}.rule`, cost);
  if (message !== undefined) observe(costs, `${at}.messageExpression`, messageCost);
  return [
    ...(cost > COST_LIMIT ? [forbidden(`${at}.rule`, tooExpensive("estimated rule cost", cost, COST_LIMIT))] : []),
    ...(error === undefined ? [] : [invalid(`${at}.rule`, shownRule(rule), error)]),
    ...(messageError === undefined ? [] : [invalid(`${at}.messageExpression`, shownRule(rule), messageError)]),
    ...(messageCost > COST_LIMIT
      ? [
          forbidden(
            `${at}.messageExpression`,
            tooExpensive("estimated messageExpression cost", messageCost, COST_LIMIT),
          ),
        ]
      : []),
    ...(usesOldSelf && place.uncorrelated !== undefined
      ? [
          invalid(
            `${at}.rule`,
            rule.rule,
            `oldSelf cannot be used on the uncorrelatable portion of the schema within ${place.uncorrelated}`,
          ),
        ]
      : []),
    ...(!usesOldSelf && rule.optionalOldSelf !== undefined
      ? [invalid(`${at}.optionalOldSelf`, rule.optionalOldSelf, "may not be set if oldSelf is not used in rule")]
      : []),
  ];
}

function observe(costs: Costs, path: string, cost: number): void {
  costs.total += cost;
  if (cost >= TOTAL_COST_LIMIT / 100) costs.expensive.push({ path, cost });
}

function tooExpensive(name: string, cost: number, limit: number): string {
  const times = cost / limit;
  const factor = times > 100 ? "more than 100x" : times < 1.5 ? `${times.toFixed(6)}x` : `${times.toFixed(1)}x`;
  return `${name} exceeds budget by factor of ${factor} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

/** As the server has it in memory. */
function shownRule({ rule, message, messageExpression, reason, fieldPath, optionalOldSelf }: Rule): object {
  return {
    Rule: rule,
    Message: message,
    MessageExpression: messageExpression,
    Reason: reason === "" ? null : reason,
    FieldPath: fieldPath,
    OptionalOldSelf: optionalOldSelf ?? null,
  };
}
