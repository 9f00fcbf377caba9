/** Names and amounts of what containers ask for (upstream validateResourceRequirements). */
import { type FieldError, forbidden, invalid, required } from "../../../admission/verdict.ts";
import { Quantity } from "../../../core/quantity.ts";
import type { ResourceList } from "../../../core/types.ts";
import { labelKeyErrors } from "../selectors/label-syntax.ts";

export interface Requirements {
  readonly requests?: ResourceList;
  readonly limits?: ResourceList;
  readonly claims?: readonly { readonly name?: string }[];
}

/** What a name without a domain may be, wherever resources are named. */
const STANDARD: ReadonlySet<string> = new Set([
  "cpu",
  "memory",
  "ephemeral-storage",
  "requests.cpu",
  "requests.memory",
  "requests.ephemeral-storage",
  "limits.cpu",
  "limits.memory",
  "limits.ephemeral-storage",
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "storage",
  "requests.storage",
  "services.nodeports",
  "services.loadbalancers",
]);
const OF_CONTAINERS: ReadonlySet<string> = new Set(["cpu", "memory", "ephemeral-storage"]);
/** Whole numbers of these are counted. */
export const COUNTED: ReadonlySet<string> = new Set([
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
]);
const DEFAULT_DOMAIN = "kubernetes.io/";

const isHugePages = (name: string): boolean => name.startsWith("hugepages-");
const isOwn = (name: string): boolean => !name.includes("/") || name.includes(DEFAULT_DOMAIN);

/** `example.com/gpu`: of somebody else, in whole numbers, and not under a name that quotas have for others. */
function isExtended(name: string): boolean {
  return !isOwn(name) && !name.startsWith("requests.") && labelKeyErrors(`requests.${name}`).length === 0;
}

/** A name that a container may ask for. */
export function checkContainerResourceName(name: string, path: string): FieldError[] {
  const problems = labelKeyErrors(name).map((problem) => invalid(path, name, problem));
  if (!name.includes("/")) {
    const isKnown = STANDARD.has(name) || isHugePages(name) || name.startsWith("requests.hugepages-");
    const unknown =
      problems.length > 0 || isKnown
        ? []
        : [invalid(path, name, "must be a standard resource type or fully qualified")];
    const isContainers = OF_CONTAINERS.has(name) || isHugePages(name);
    return [
      ...problems,
      ...unknown,
      ...(isContainers ? [] : [invalid(path, name, "must be a standard resource for containers")]),
    ];
  }
  if (isOwn(name) || isExtended(name)) return problems;
  return [...problems, invalid(path, name, "doesn't follow extended resource name standard")];
}

function checkAmount(name: string, amount: Quantity, path: string): FieldError[] {
  const shown = amount.toString();
  const isWhole = (!COUNTED.has(name) && !isExtended(name)) || amount.equals(amount.roundUp());
  return [
    ...(amount.lessThan(Quantity.zero) ? [invalid(path, shown, "must be greater than or equal to 0")] : []),
    ...(isWhole ? [] : [invalid(path, shown, "must be an integer")]),
  ];
}

/** What is asked for and what it may be at most; by name, where the server has them in the order of a Go map. */
export function checkRequirements(requirements: Requirements, path: string): FieldError[] {
  const { requests = {}, limits = {}, claims = [] } = requirements;
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  const computes = names.some((name) => name === "cpu" || name === "memory");
  return [
    ...checkList(limits, `${path}.limits`),
    ...sortedEntries(requests).flatMap(([name, text]) => [
      ...checkOne(name, text, `${path}.requests[${name}]`),
      ...checkBelowLimit(name, text, limits, path),
    ]),
    ...(names.some(isHugePages) && !computes ? [forbidden(path, "HugePages require cpu or memory")] : []),
    ...claims.flatMap(({ name = "" }, index) => (name === "" ? [required(`${path}.claims[${index}]`)] : [])),
  ];
}

function checkList(list: ResourceList, path: string): FieldError[] {
  return sortedEntries(list).flatMap(([name, text]) => checkOne(name, text, `${path}[${name}]`));
}

function checkOne(name: string, text: string, path: string): FieldError[] {
  const amount = Quantity.tryParse(text);
  return [...checkContainerResourceName(name, path), ...(amount === undefined ? [] : checkAmount(name, amount, path))];
}

/** More than there is may be promised of what is the cluster's own, huge pages apart. */
function checkBelowLimit(name: string, text: string, limits: ResourceList, path: string): FieldError[] {
  const overcommits = isOwn(name) && !isHugePages(name);
  const limitText = Object.hasOwn(limits, name) ? limits[name] : undefined;
  if (limitText === undefined) {
    return overcommits ? [] : [required(`${path}.limits`, "Limit must be set for non overcommitable resources")];
  }
  const [request, limit] = [Quantity.tryParse(text), Quantity.tryParse(limitText)];
  if (request === undefined || limit === undefined || request.equals(limit)) return [];
  if (!overcommits) {
    const why = `must be equal to ${name} limit of ${limit.toString()}`;
    return [invalid(`${path}.requests`, request.toString(), why)];
  }
  if (!request.moreThan(limit)) return [];
  const why = `must be less than or equal to ${name} limit of ${limit.toString()}`;
  return [invalid(`${path}.requests`, request.toString(), why)];
}

function sortedEntries(list: ResourceList): [string, string][] {
  return Object.entries(list).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
