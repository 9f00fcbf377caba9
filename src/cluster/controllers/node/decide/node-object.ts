/** What a node says of itself. */
import { toTimestamp } from "../../../../core/clock.ts";
import type { Node, NodeCondition } from "./types.ts";

/** The machine that a node stands for. */
export interface Machine {
  readonly hostname: string;
  readonly address: string;
  readonly cpus: number;
  readonly memoryBytes: bigint;
  /** In the words of Go: `amd64`, `linux`. */
  readonly architecture: string;
  readonly operatingSystem: string;
  readonly kernelVersion: string;
  /** Of this program, as a Kubernetes version: `v1.36.4+outgrow`. */
  readonly version: string;
}

/** Nothing is run, so nothing gets tight: a node takes as many pods as a rehearsal wants. */
const PODS = "10000";
/** A new node is tainted with this until it is ready. */
const NOT_READY = "node.kubernetes.io/not-ready";

export function newNode(name: string, { hostname, architecture, operatingSystem }: Machine): Node {
  return {
    metadata: {
      name,
      labels: {
        "kubernetes.io/hostname": hostname,
        "kubernetes.io/arch": architecture,
        "kubernetes.io/os": operatingSystem,
        "beta.kubernetes.io/arch": architecture,
        "beta.kubernetes.io/os": operatingSystem,
      },
    },
  };
}

/** The status after one more heartbeat; conditions that hold already keep the moment since when. */
export function nodeStatus(machine: Machine, before: Node["status"], now: number): NonNullable<Node["status"]> {
  const { cpus, memoryBytes, address, hostname, version } = machine;
  const resources = { cpu: String(cpus), memory: `${memoryBytes / 1024n}Ki`, pods: PODS };
  const { kernelVersion, operatingSystem, architecture } = machine;
  return {
    ...before,
    capacity: resources,
    allocatable: resources,
    addresses: [
      { type: "InternalIP", address },
      { type: "Hostname", address: hostname },
    ],
    conditions: conditions(before?.conditions ?? [], toTimestamp(now)),
    nodeInfo: {
      machineID: "",
      systemUUID: "",
      bootID: "",
      kernelVersion,
      osImage: "Outgrow",
      containerRuntimeVersion: `outgrow://${version.replace(/^v/, "")}`,
      kubeletVersion: version,
      kubeProxyVersion: "",
      operatingSystem,
      architecture,
    },
  };
}

/** Reasons and messages are the kubelet's. */
const CONDITIONS = [
  ["MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"],
  ["DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"],
  ["PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"],
  ["Ready", "True", "KubeletReady", "kubelet is posting ready status"],
] as const;

function conditions(before: readonly NodeCondition[], now: string): NodeCondition[] {
  const own = CONDITIONS.map(([type, status, reason, message]): NodeCondition => {
    const former = before.find((condition) => condition.type === type && condition.status === status);
    const since = former?.lastTransitionTime ?? now;
    return { type, status, reason, message, lastHeartbeatTime: now, lastTransitionTime: since };
  });
  return [...before.filter(({ type }) => CONDITIONS.every(([known]) => known !== type)), ...own];
}

/** The taints of a node that is ready; undefined when nothing is to be taken away. */
export function taintsWhenReady({ spec }: Node): readonly { key: string; effect: string }[] | undefined {
  const { taints = [] } = spec ?? {};
  const kept = taints.filter(({ key }) => key !== NOT_READY);
  return kept.length === taints.length ? undefined : kept;
}
