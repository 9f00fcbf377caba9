/**
 * What a pod asks for as a whole. Containers run side by side and add up; init containers run one after the other before
 * them, each beside the sidecars started so far, and the largest of these counts (KEP-753). What the pod says as a whole
 * wins over all of it (KEP-2837). Upstream component-helpers/resource.
 */
import { Quantity } from "../../../core/quantity.ts";
import type { KubeObject, ResourceList } from "../../../core/types.ts";

/** Amounts by resource: `cpu`, `memory`. */
export type Amounts = ReadonlyMap<string, Quantity>;

export interface Resources {
  readonly requests?: ResourceList;
  readonly limits?: ResourceList;
}

export interface Container {
  readonly name: string;
  readonly restartPolicy?: string;
  readonly resources?: Resources;
}

/** A pod with the fields that count. */
export interface PodWithResources extends KubeObject {
  readonly spec: {
    readonly containers?: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly resources?: Resources;
    readonly overhead?: ResourceList;
  };
}

type Side = "requests" | "limits";

/** The total of requests or of limits, without the overhead of running a pod at all. */
export function podTotal({ spec }: PodWithResources, side: Side): Amounts {
  const total = new Map<string, Quantity>();
  const sidecars = new Map<string, Quantity>();
  const starting = new Map<string, Quantity>();
  for (const container of spec.containers ?? []) add(total, amountsOf(container.resources?.[side]));
  for (const container of spec.initContainers ?? []) {
    const own = amountsOf(container.resources?.[side]);
    if (container.restartPolicy === "Always") {
      add(total, own);
      add(sidecars, own);
      raise(starting, sidecars);
    } else {
      const beside = new Map(own);
      add(beside, sidecars);
      raise(starting, beside);
    }
  }
  raise(total, starting);
  for (const [name, amount] of amountsOf(spec.resources?.[side])) if (isForWholePods(name)) total.set(name, amount);
  return total;
}

/** The same with the overhead: on every request, and on limits where there are any. */
export function podTotalWithOverhead(pod: PodWithResources, side: Side): Amounts {
  const total = new Map(podTotal(pod, side));
  for (const [name, amount] of amountsOf(pod.spec.overhead)) {
    const before = total.get(name);
    if (side === "requests" || (before !== undefined && !before.equals(Quantity.zero))) {
      total.set(name, (before ?? Quantity.zero).plus(amount));
    }
  }
  return total;
}

/** Whether the pod says as a whole what it needs, so that its containers need not. */
export function saysForWholePod({ spec }: PodWithResources): boolean {
  return [spec.resources?.requests, spec.resources?.limits].some((list) =>
    Object.keys(list ?? {}).some(isForWholePods),
  );
}

function isForWholePods(name: string): boolean {
  return name === "cpu" || name === "memory" || name.startsWith("hugepages-");
}

/** A resource list, read. Throws `QUANTITY_INVALID`; the schemas let none through that would. */
export function amountsOf(list: ResourceList | undefined): Map<string, Quantity> {
  return new Map(Object.entries(list ?? {}).map(([name, amount]) => [name, Quantity.parse(amount)]));
}

function add(total: Map<string, Quantity>, more: Amounts): void {
  for (const [name, amount] of more) {
    const before = total.get(name);
    total.set(name, before === undefined ? amount : before.plus(amount));
  }
}

function raise(most: Map<string, Quantity>, other: Amounts): void {
  for (const [name, amount] of other) {
    const before = most.get(name);
    if (before === undefined || amount.moreThan(before)) most.set(name, amount);
  }
}
