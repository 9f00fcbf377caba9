/** The objects that a scheduler looks at, with just the fields that it looks at. */
import type { KubeObject, Pod, PodSpec } from "../../../../core/types.ts";

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
}

export interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly Requirement[];
  readonly matchFields?: readonly Requirement[];
}

export interface NodeSelector {
  readonly nodeSelectorTerms?: readonly NodeSelectorTerm[];
}

export interface SchedulablePod extends Pod {
  spec: PodSpec & {
    schedulerName?: string;
    nodeSelector?: Readonly<Record<string, string>>;
    affinity?: { nodeAffinity?: { requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector } };
    tolerations?: readonly Toleration[];
    schedulingGates?: readonly unknown[];
  };
}

export interface Node extends KubeObject {
  spec?: { unschedulable?: boolean; taints?: readonly Taint[] };
}
