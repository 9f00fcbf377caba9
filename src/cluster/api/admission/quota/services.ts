/** What services are charged (upstream pkg/quota/v1/evaluator/core/services.go). */
import type { Charges } from "../../../../admission/quota-booking.ts";
import { Quantity } from "../../../../core/quantity.ts";
import type { KubeObject } from "../../../../core/types.ts";

export interface CountedService extends KubeObject {
  readonly spec?: {
    readonly type?: string;
    readonly allocateLoadBalancerNodePorts?: boolean;
    readonly ports?: readonly { readonly nodePort?: number }[];
  };
}

const RESOURCES = ["count/services", "services", "services.nodeports", "services.loadbalancers"] as const;

export function isServiceResource(name: string): boolean {
  return RESOURCES.some((each) => each === name);
}

/** Node ports may not be given out yet: those that will be count. */
export function serviceCharges({ spec }: CountedService): Charges {
  const balanced = spec?.type === "LoadBalancer";
  const [counted, listed, ports, balancers] = RESOURCES;
  return new Map([
    [counted, count(1)],
    [listed, count(1)],
    [ports, count(spec?.type === "NodePort" || balanced ? nodePorts(spec) : 0)],
    [balancers, count(balanced ? 1 : 0)],
  ]);
}

function nodePorts({ type, ports = [], allocateLoadBalancerNodePorts }: NonNullable<CountedService["spec"]>): number {
  const onlyNamed = type === "LoadBalancer" && allocateLoadBalancerNodePorts === false;
  return onlyNamed ? ports.filter(({ nodePort = 0 }) => nodePort !== 0).length : ports.length;
}

function count(amount: number): Quantity {
  return Quantity.parse(String(amount));
}
