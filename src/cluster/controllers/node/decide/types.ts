/** Pods and nodes with the fields that a node looks at or writes. */
import type { Condition, KubeObject, ObjectMeta, Pod, PodSpec } from "../../../../core/types.ts";

export interface Container {
  readonly name: string;
  readonly image?: string;
  /** Of an init container: `Always` makes it a sidecar, which runs as long as the pod. */
  readonly restartPolicy?: string;
}

export interface ContainerStatus {
  readonly name: string;
  readonly image: string;
  readonly imageID: string;
  readonly containerID?: string;
  readonly ready: boolean;
  /** Not said of a container that was added to look into the pod. */
  readonly started?: boolean;
  readonly restartCount: number;
  readonly lastState: object;
  readonly state: {
    readonly waiting?: { readonly reason: string };
    readonly running?: { readonly startedAt: string };
    readonly terminated?: {
      readonly exitCode: number;
      readonly reason: string;
      readonly startedAt: string;
      readonly finishedAt: string;
      readonly containerID: string;
    };
  };
}

export interface PodStatus {
  phase?: string;
  conditions?: Condition[];
  startTime?: string;
  hostIP?: string;
  hostIPs?: readonly { readonly ip: string }[];
  podIP?: string;
  podIPs?: readonly { readonly ip: string }[];
  containerStatuses?: readonly ContainerStatus[];
  initContainerStatuses?: readonly ContainerStatus[];
  ephemeralContainerStatuses?: readonly ContainerStatus[];
  observedGeneration?: number;
}

export interface NodePod extends Pod {
  metadata: ObjectMeta & { deletionGracePeriodSeconds?: number };
  spec: Omit<PodSpec, "containers"> & {
    containers?: Container[];
    initContainers?: readonly Container[];
    ephemeralContainers?: readonly Container[];
    hostNetwork?: boolean;
    readinessGates?: readonly { readonly conditionType: string }[];
  };
  status?: PodStatus;
}

export interface NodeCondition extends Condition {
  readonly lastHeartbeatTime?: string;
}

export interface Node extends KubeObject {
  spec?: { taints?: readonly { readonly key: string; readonly effect: string }[]; [field: string]: unknown };
  status?: {
    conditions?: readonly NodeCondition[];
    capacity?: Readonly<Record<string, string>>;
    allocatable?: Readonly<Record<string, string>>;
    addresses?: readonly { readonly type: string; readonly address: string }[];
    nodeInfo?: Readonly<Record<string, string>>;
  };
}

export interface CSINode extends KubeObject {
  spec: { drivers: readonly { name: string; nodeID: string; topologyKeys: readonly string[] | null }[] };
}
