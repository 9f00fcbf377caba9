/** Services, the pods behind them, and the two ways to tell of them; with the fields that are looked at. */
import type { KubeObject, ObjectReference, Pod } from "../../../../../core/types.ts";

export interface ServicePort {
  readonly name?: string;
  readonly port: number;
  readonly protocol?: string;
  readonly appProtocol?: string;
  readonly targetPort?: number | string;
}

export interface Service extends KubeObject {
  spec?: {
    type?: string;
    selector?: Record<string, string>;
    ports?: ServicePort[];
    clusterIP?: string;
    ipFamilies?: string[];
    publishNotReadyAddresses?: boolean;
  };
}

interface Container {
  readonly restartPolicy?: string;
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number; readonly protocol?: string }[];
}

export interface ServingPod extends Pod {
  spec: Omit<Pod["spec"], "containers"> & {
    hostname?: string;
    subdomain?: string;
    containers?: Container[];
    initContainers?: Container[];
  };
  status?: NonNullable<Pod["status"]> & { podIP?: string; podIPs?: { ip: string }[] };
}

export interface EndpointPort {
  readonly name?: string;
  readonly port: number;
  readonly protocol?: string;
  readonly appProtocol?: string;
}

export interface EndpointAddress {
  readonly ip: string;
  readonly hostname?: string;
  readonly nodeName?: string;
  readonly targetRef?: ObjectReference;
}

export interface Subset {
  readonly addresses?: readonly EndpointAddress[];
  readonly notReadyAddresses?: readonly EndpointAddress[];
  readonly ports?: readonly EndpointPort[];
}

export interface Endpoints extends KubeObject {
  subsets?: readonly Subset[];
}

export interface Endpoint {
  readonly addresses: readonly string[];
  readonly conditions: { readonly ready: boolean; readonly serving: boolean; readonly terminating: boolean };
  readonly hostname?: string;
  readonly nodeName?: string;
  readonly zone?: string;
  readonly targetRef?: ObjectReference;
}

export interface EndpointSlice extends KubeObject {
  addressType: string;
  endpoints?: readonly Endpoint[] | null;
  ports?: readonly EndpointPort[] | null;
}

export const HEADLESS = "service.kubernetes.io/headless";

/** Whether the addresses of its pods are told of here; for others, somebody else does it or nobody. */
export function isTold({ spec }: Service): boolean {
  return spec?.type !== "ExternalName" && spec?.selector !== undefined;
}

export function isHeadless({ spec }: Service): boolean {
  return (spec?.clusterIP ?? "") === "" || spec?.clusterIP === "None";
}
