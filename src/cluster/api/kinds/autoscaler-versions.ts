/**
 * A HorizontalPodAutoscaler in its two versions (upstream apis/autoscaling/v1/conversion.go). The first knows one measure, the
 * processor's; whatever else the second says stands in annotations there, so that nothing is lost to who reads and writes the first.
 */
import { get, isList, isObject, type Json, type JsonObject } from "../json.ts";
import { metadataOf, withMetadata } from "../lifecycle/metadata.ts";

const PREFIX = "autoscaling.alpha.kubernetes.io/";
const [METRICS, STATUSES, BEHAVIOR, CONDITIONS] = ["metrics", "current-metrics", "behavior", "conditions"].map(
  (name) => PREFIX + name,
) as [string, string, string, string];
/** None of them is kept as it is. */
const CARRIERS = [
  METRICS,
  STATUSES,
  BEHAVIOR,
  CONDITIONS,
  `${PREFIX}scale-up-tolerance`,
  `${PREFIX}scale-down-tolerance`,
];
const DEFAULT_UTILIZATION = 80;

/** A field of the first version, and where the second has it. */
type Field = readonly [string, string];
const NAMED: Field = ["metricName", "metric.name"];
const SELECTED: Field = ["selector", "metric.selector"];

/** By what is measured. `word` is how the fields of a spec and of a status begin, `part` where the second version has them. */
function fieldsOf(word: "target" | "current", part: string): Readonly<Record<string, readonly Field[]>> {
  const average: Field = [`${word}AverageValue`, `${part}.averageValue`];
  const value: Field = [`${word}Value`, `${part}.value`];
  const resource: Field[] = [["name", "name"], [`${word}AverageUtilization`, `${part}.averageUtilization`], average];
  return {
    resource,
    containerResource: [...resource, ["container", "container"]],
    pods: [NAMED, SELECTED, average],
    object: [["target", "describedObject"], NAMED, SELECTED, value, ["averageValue", `${part}.averageValue`]],
    external: [NAMED, ["metricSelector", "metric.selector"], value, average],
  };
}
const SPECS = fieldsOf("target", "target");
const CURRENT = fieldsOf("current", "current");

/** An object of autoscaling/v1 with what it aims at, where it says nothing of any measure. */
export function withDefaultTarget(scaler: JsonObject): JsonObject {
  const spec = partOf(scaler, "spec");
  const aims = typeof get(spec, "targetCPUUtilizationPercentage") === "number";
  if (aims || listOf(carriedIn(scaler, METRICS)).length > 0) return scaler;
  return { ...scaler, spec: { ...spec, targetCPUUtilizationPercentage: DEFAULT_UTILIZATION } };
}

function carriedIn(scaler: JsonObject, name: string): Json | undefined {
  return readJson(get(partOf(metadataOf(scaler), "annotations"), name));
}

/** autoscaling/v1 as autoscaling/v2. */
export function toVersionTwo(scaler: JsonObject): JsonObject {
  const spec = partOf(scaler, "spec");
  const status = partOf(scaler, "status");
  const { targetCPUUtilizationPercentage: target, ...specRest } = spec;
  const { currentCPUUtilizationPercentage: current, ...statusRest } = status;
  const others = listOf(carriedIn(scaler, METRICS)).map((each) => withTargetType(moved(each, SPECS, "two")));
  const all = [...others, ...(typeof target === "number" ? [cpuMetric(target)] : [])];
  const behavior = carriedIn(scaler, BEHAVIOR);
  const told = listOf(carriedIn(scaler, STATUSES)).map((each) => moved(each, CURRENT, "two"));
  const measured = typeof current === "number" ? [cpuStatus(current)] : [];
  const conditions = listOf(carriedIn(scaler, CONDITIONS));
  const currentMetrics = told.length > 0 ? told : measured;
  return {
    ...withAnnotations(scaler, {}),
    spec: {
      ...specRest,
      metrics: all.length > 0 ? all : [cpuMetric(DEFAULT_UTILIZATION)],
      ...(isObject(behavior) ? { behavior: recased(behavior, lower) } : {}),
    },
    status: {
      ...statusRest,
      ...(currentMetrics.length === 0 ? {} : { currentMetrics }),
      ...(conditions.length === 0 ? {} : { conditions }),
    },
  };
}

/** autoscaling/v2 as autoscaling/v1. */
export function toVersionOne(scaler: JsonObject): JsonObject {
  const { metrics, behavior, ...spec } = partOf(scaler, "spec");
  const { currentMetrics, conditions, ...status } = partOf(scaler, "status");
  const target = listOf(metrics)
    .map(utilizationOf)
    .find((each) => each !== undefined);
  const others = listOf(metrics).filter((each) => utilizationOf(each) === undefined);
  const current = listOf(currentMetrics)
    .map((each) => (isCpu(each) ? get(partOf(partOf(each, "resource"), "current"), "averageUtilization") : undefined))
    .findLast((each) => typeof each === "number");
  return {
    ...withAnnotations(scaler, {
      [METRICS]: textOf(others.map((each) => moved(each, SPECS, "one"))),
      [STATUSES]: textOf(listOf(currentMetrics).map((each) => moved(each, CURRENT, "one"))),
      [BEHAVIOR]: isObject(behavior) ? JSON.stringify(recased(behavior, upper)) : undefined,
      [CONDITIONS]: textOf(listOf(conditions)),
    }),
    spec: { ...spec, ...(target === undefined ? {} : { targetCPUUtilizationPercentage: target }) },
    status: { ...status, ...(current === undefined ? {} : { currentCPUUtilizationPercentage: current }) },
  };
}

/** A measure or what it showed, with its fields where the other version has them. */
function moved(
  metric: JsonObject,
  table: Readonly<Record<string, readonly Field[]>>,
  version: "one" | "two",
): JsonObject {
  const sources = Object.entries(metric).flatMap(([name, source]): [string, Json][] => {
    const fields = table[name];
    if (fields === undefined || !isObject(source)) return [[name, source]];
    return [
      [
        name,
        movedFields(
          source,
          fields.map(([one, two]) => (version === "one" ? [two, one] : [one, two])),
        ),
      ],
    ];
  });
  return Object.fromEntries(sources);
}

function movedFields(source: JsonObject, fields: readonly Field[]): JsonObject {
  const result: Record<string, Json> = {};
  for (const [from, to] of fields) {
    const value = from
      .split(".")
      .reduce<Json | undefined>((at, name) => (isObject(at) ? get(at, name) : undefined), source);
    if (value === undefined || value === null) continue;
    const [first = "", second] = to.split(".");
    if (second === undefined) result[first] = value;
    else result[first] = { ...partOf(result, first), [second]: value };
  }
  return result;
}

/** The second version says what sort of number it aims at; the first has one field for each. */
function withTargetType(metric: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(metric).map(([name, source]) => {
      if (SPECS[name] === undefined || !isObject(source)) return [name, source];
      const target = partOf(source, "target");
      const type =
        get(target, "averageUtilization") !== undefined
          ? "Utilization"
          : get(target, "value") !== undefined && (name !== "object" || get(target, "averageValue") === undefined)
            ? "Value"
            : "AverageValue";
      return [name, { ...source, target: { type, ...target } }];
    }),
  );
}

function isCpu(metric: JsonObject): boolean {
  return get(metric, "type") === "Resource" && get(partOf(metric, "resource"), "name") === "cpu";
}

/** What the first version has a field for; undefined: this is not it. */
function utilizationOf(metric: JsonObject): number | undefined {
  const value = get(partOf(partOf(metric, "resource"), "target"), "averageUtilization");
  return isCpu(metric) && typeof value === "number" ? value : undefined;
}

function cpuMetric(averageUtilization: number): JsonObject {
  return { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization } } };
}

function cpuStatus(averageUtilization: number): JsonObject {
  return { type: "Resource", resource: { name: "cpu", current: { averageUtilization } } };
}

/** Upstream writes this one as Go calls its fields. */
function recased(value: Json, letter: (name: string) => string): Json {
  if (isList(value)) return value.map((each) => recased(each, letter));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [letter(name), recased(each, letter)]));
}

const upper = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const lower = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** With these in place of all that carry something of the other version. */
function withAnnotations(scaler: JsonObject, carried: Readonly<Record<string, string | undefined>>): JsonObject {
  const kept = Object.entries(partOf(metadataOf(scaler), "annotations")).filter(([name]) => !CARRIERS.includes(name));
  const added = Object.entries(carried).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const annotations = Object.fromEntries([...kept, ...added]);
  return withMetadata(scaler, { annotations: Object.keys(annotations).length === 0 ? undefined : annotations });
}

function textOf(list: readonly JsonObject[]): string | undefined {
  return list.length === 0 ? undefined : JSON.stringify(list);
}

/** Whatever somebody has written there: what cannot be read says nothing. */
function readJson(text: Json | undefined): Json | undefined {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function listOf(value: Json | undefined): JsonObject[] {
  return isList(value) ? value.filter(isObject) : [];
}

function partOf(object: JsonObject, name: string): JsonObject {
  const value = get(object, name);
  return isObject(value) ? value : {};
}
