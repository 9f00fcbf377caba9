/** Whether a pod and its containers are within a LimitRange: smallest, largest, and how far limit and request may be apart. */
import { Quantity } from "../../../core/quantity.ts";
import type { KubeObject, ResourceList } from "../../../core/types.ts";
import { type Amounts, amountsOf, type Container, type PodWithResources, podTotal } from "./pod-resources.ts";

/** A LimitRange with the fields that pods are held to. */
export interface PodLimits extends KubeObject {
  readonly spec?: {
    readonly limits?: readonly {
      readonly type: string;
      readonly min?: ResourceList;
      readonly max?: ResourceList;
      readonly default?: ResourceList;
      readonly defaultRequest?: ResourceList;
      readonly maxLimitRequestRatio?: ResourceList;
    }[];
  };
}

type Limit = NonNullable<NonNullable<PodLimits["spec"]>["limits"]>[number];

/** What one container, or the pod, asks for. */
interface Asked {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** Everything that is out of range, in Kubernetes' words; by resource name where Kubernetes' order is by chance. */
export function podOutOfRange(pod: PodWithResources, range: PodLimits): string[] {
  return (range.spec?.limits ?? []).flatMap((limit) => {
    if (limit.type === "Pod") {
      return outOfLimit(limit, { requests: podTotal(pod, "requests"), limits: podTotal(pod, "limits") });
    }
    if (limit.type !== "Container") return [];
    const containers = [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])];
    return containers.flatMap((container) => outOfLimit(limit, askedBy(container)));
  });
}

function askedBy({ resources }: Container): Asked {
  return { requests: amountsOf(resources?.requests), limits: amountsOf(resources?.limits) };
}

function outOfLimit(limit: Limit, asked: Asked): string[] {
  const each = (list: ResourceList | undefined, check: Check) =>
    [...amountsOf(list)].sort(byName).flatMap(([name, enforced]) => check({ type: limit.type, name, enforced, asked }));
  return [
    ...each(limit.min, belowMinimum),
    ...each(limit.max, aboveMaximum),
    ...each(limit.maxLimitRequestRatio, aboveRatio),
  ];
}

const byName = ([a]: readonly [string, Quantity], [b]: readonly [string, Quantity]): number => (a < b ? -1 : 1);

type Check = (bound: {
  readonly type: string;
  readonly name: string;
  readonly enforced: Quantity;
  readonly asked: Asked;
}) => string[];

const belowMinimum: Check = ({ type, name, enforced, asked }) => {
  const [request, limit] = [asked.requests.get(name), asked.limits.get(name)];
  const rule = `minimum ${name} usage per ${type} is ${enforced.toString()}`;
  if (request === undefined) return [`${rule}.  No request is specified`];
  if (request.lessThan(enforced)) return [`${rule}, but request is ${request.toString()}`];
  return limit?.lessThan(enforced) === true ? [`${rule}, but limit is ${limit.toString()}`] : [];
};

const aboveMaximum: Check = ({ type, name, enforced, asked }) => {
  const [request, limit] = [asked.requests.get(name), asked.limits.get(name)];
  const rule = `maximum ${name} usage per ${type} is ${enforced.toString()}`;
  if (limit === undefined) return [`${rule}.  No limit is specified`];
  if (limit.moreThan(enforced)) return [`${rule}, but limit is ${limit.toString()}`];
  return request?.moreThan(enforced) === true ? [`${rule}, but request is ${request.toString()}`] : [];
};

const aboveRatio: Check = ({ type, name, enforced, asked }) => {
  const [request, limit] = [asked.requests.get(name), asked.limits.get(name)];
  const rule = `${name} max limit to request ratio per ${type} is ${enforced.toString()}`;
  if (!isSomething(request)) return [`${rule}, but no request is specified or request is 0`];
  if (!isSomething(limit)) return [`${rule}, but no limit is specified or limit is 0`];
  if (limit.nanos * ONE.nanos <= enforced.nanos * request.nanos) return [];
  return [`${rule}, but provided ratio is ${(Number(limit.nanos) / Number(request.nanos)).toFixed(6)}`];
};

const ONE = Quantity.parse("1");

function isSomething(amount: Quantity | undefined): amount is Quantity {
  return amount !== undefined && !amount.equals(Quantity.zero);
}
