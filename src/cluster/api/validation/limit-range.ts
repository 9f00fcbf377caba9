/** LimitRanges (upstream pkg/apis/core/validation). */
import { duplicate, type FieldError, forbidden, invalid, required } from "../../../admission/verdict.ts";
import { Quantity } from "../../../core/quantity.ts";
import { labelKeyErrors } from "../selectors/label-syntax.ts";
import { repeated } from "./repeated.ts";
import { checkContainerResourceName } from "./resources.ts";

type Sizes = Readonly<Record<string, string>>;

interface Limit {
  readonly type?: string;
  readonly max?: Sizes;
  readonly min?: Sizes;
  readonly default?: Sizes;
  readonly defaultRequest?: Sizes;
  readonly maxLimitRequestRatio?: Sizes;
}

export interface LimitRangeToCheck {
  readonly spec?: { readonly limits?: readonly Limit[] | null };
}

const TYPES = ["Pod", "Container", "PersistentVolumeClaim"];
const ONE = Quantity.bytes(1n);

export function validateLimitRange({ spec }: LimitRangeToCheck): FieldError[] {
  const limits = spec?.limits ?? [];
  const types = repeated(limits, ({ type }) => type ?? "");
  return limits.flatMap((limit, index) => {
    const path = `spec.limits[${index}]`;
    return [
      ...checkType(limit.type ?? "", `${path}.type`),
      ...(types.has(index) ? [duplicate(`${path}.type`, limit.type)] : []),
      ...checkDefaults(limit, path),
      ...checkStorage(limit, path),
      ...checkNames(limit, path),
      ...resourcesOf(limit).flatMap((name) => checkResource(limit, name, path)),
    ];
  });
}

/** Names of resources that containers and pods can have; claims have storage, and other types are nobody's. */
function checkNames(limit: Limit, path: string): FieldError[] {
  if (limit.type !== "Pod" && limit.type !== "Container") return [];
  const fields =
    limit.type === "Pod" ? (["max", "min"] as const) : (["max", "min", "default", "defaultRequest"] as const);
  return [...fields, "maxLimitRequestRatio" as const].flatMap((field) =>
    Object.keys(limit[field] ?? {})
      .toSorted()
      .flatMap((name) => checkContainerResourceName(name, `${path}.${field}[${name}]`)),
  );
}

function checkType(type: string, path: string): FieldError[] {
  const problems = labelKeyErrors(type);
  if (problems.length > 0) return problems.map((problem) => invalid(path, type, problem));
  if (type.includes("/") || TYPES.includes(type)) return [];
  return [invalid(path, type, "must be a standard limit type or fully qualified")];
}

function checkDefaults(limit: Limit, path: string): FieldError[] {
  if (limit.type !== "Pod") return [];
  return (["default", "defaultRequest"] as const)
    .filter((field) => Object.keys(limit[field] ?? {}).length > 0)
    .map((field) => forbidden(`${path}.${field}`, "may not be specified when `type` is 'Pod'"));
}

function checkStorage({ type, min = {}, max = {} }: Limit, path: string): FieldError[] {
  if (type !== "PersistentVolumeClaim" || Object.hasOwn(min, "storage") || Object.hasOwn(max, "storage")) return [];
  const why = "either minimum or maximum storage value is required, but neither was provided";
  return [required(`${path}.limits`, why)];
}

function resourcesOf(limit: Limit): string[] {
  const { max, min, default: standing, defaultRequest, maxLimitRequestRatio } = limit;
  const defaults = limit.type === "Pod" ? [] : [standing, defaultRequest];
  const names = [max, min, ...defaults, maxLimitRequestRatio].flatMap((sizes) => Object.keys(sizes ?? {}));
  return [...new Set(names)].toSorted();
}

/** Each pair in its order; some show the one value and name the other: so it is upstream. */
function checkResource(limit: Limit, name: string, path: string): FieldError[] {
  const read = (sizes: Sizes | undefined): Quantity | undefined =>
    sizes !== undefined && Object.hasOwn(sizes, name) ? Quantity.parse(sizes[name] ?? "0") : undefined;
  const [min, max, ratio] = [read(limit.min), read(limit.max), read(limit.maxLimitRequestRatio)];
  const [limits, requests] =
    limit.type === "Pod" ? [undefined, undefined] : [read(limit.default), read(limit.defaultRequest)];
  const above = (
    [low, lowName]: Named,
    [high, highName]: Named,
    field: string,
    shown: Quantity | undefined,
  ): FieldError[] => {
    if (low === undefined || high === undefined || !low.moreThan(high)) return [];
    const why = `${lowName} value ${low.toString()} is greater than ${highName} value ${high.toString()}`;
    return [invalid(`${path}.${field}[${name}]`, shown?.toString(), why)];
  };
  return [
    ...above([min, "min"], [max, "max"], "min", min),
    ...above([min, "min"], [requests, "default request"], "defaultRequest", requests),
    ...above([requests, "default request"], [max, "max"], "defaultRequest", requests),
    ...above([requests, "default request"], [limits, "default limit"], "defaultRequest", requests),
    ...above([min, "min"], [limits, "default"], "default", min),
    ...above([limits, "default"], [max, "max"], "default", max),
    ...(ratio?.lessThan(ONE) === true
      ? [invalid(`${path}.maxLimitRequestRatio[${name}]`, ratio.toString(), `ratio ${ratio.toString()} is less than 1`)]
      : []),
    ...checkRatio(ratio, min, max, `${path}.maxLimitRequestRatio[${name}]`),
  ];
}

/** No ratio is larger than that of the most to the least. */
function checkRatio(
  ratio: Quantity | undefined,
  min: Quantity | undefined,
  max: Quantity | undefined,
  path: string,
): FieldError[] {
  if (ratio === undefined || min === undefined || max === undefined) return [];
  const possible = max.dividedBy(min);
  if (!(ratio.dividedBy(ONE) > possible)) return [];
  const why = `ratio ${ratio.toString()} is greater than max/min = ${possible.toFixed(6)}`;
  return [invalid(path, ratio.toString(), why)];
}

type Named = readonly [Quantity | undefined, string];
