/** What pods are charged, what they must say, and which quotas count them (upstream pkg/quota/v1/evaluator/core/pods.go). */
import type { Charges } from "../../../../admission/quota-booking.ts";
import { namesMatch, type Scope } from "../../../../admission/quota-scope.ts";
import { fromTimestamp } from "../../../../core/clock.ts";
import { Quantity } from "../../../../core/quantity.ts";
import {
  type Amounts,
  amountsOf,
  type Container,
  type PodWithResources,
  podTotalWithOverhead,
  saysForWholePod,
} from "../pod-resources.ts";

export interface CountedPod extends PodWithResources {
  readonly spec: PodWithResources["spec"] & {
    readonly activeDeadlineSeconds?: number;
    readonly priorityClassName?: string;
    readonly affinity?: { readonly podAffinity?: Affinity; readonly podAntiAffinity?: Affinity };
  };
  readonly status?: { readonly phase?: string; readonly qosClass?: string };
}

interface Affinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly AffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly { readonly podAffinityTerm: AffinityTerm }[];
}

interface AffinityTerm {
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: unknown;
}

const ONE = Quantity.parse("1");
const COUNT = "count/pods";

/** Resources of containers that have names of their own in quotas: the request under two, the limit under one. */
const COMPUTE = ["cpu", "memory", "ephemeral-storage"];

const CHARGED: ReadonlySet<string> = new Set([
  COUNT,
  "pods",
  ...COMPUTE.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);

export function isPodResource(name: string): boolean {
  if (CHARGED.has(name) || name.startsWith("hugepages-") || name.startsWith("requests.hugepages-")) return true;
  return name.startsWith("requests.") && isExtended(name);
}

/** Of a maker of devices, and not of Kubernetes. */
function isExtended(name: string): boolean {
  return name.includes("/") && !name.includes("kubernetes.io/");
}

/** A pod that has ended, or should be gone by now, is charged for its place in the store alone. */
export function podCharges(pod: CountedPod, now: number): Charges {
  const place: [string, Quantity] = [COUNT, ONE];
  if (hasEnded(pod, now)) return new Map([place]);
  const used = charged(podTotalWithOverhead(pod, "requests"), podTotalWithOverhead(pod, "limits"));
  return new Map([place, ["pods", ONE], ...used]);
}

function hasEnded({ metadata, status }: CountedPod, now: number): boolean {
  if (status?.phase === "Failed" || status?.phase === "Succeeded") return true;
  const deletion = fromTimestamp(metadata.deletionTimestamp);
  const { deletionGracePeriodSeconds: grace } = metadata as { deletionGracePeriodSeconds?: number };
  return deletion !== undefined && grace !== undefined && now > deletion + grace * 1000;
}

function charged(requests: Amounts, limits: Amounts): Map<string, Quantity> {
  const charges = new Map<string, Quantity>();
  for (const [name, amount] of requests) {
    const hasOwnName = COMPUTE.includes(name) || name.startsWith("hugepages-");
    if (hasOwnName) charges.set(name, amount);
    if (hasOwnName || isExtended(name)) charges.set(`requests.${name}`, amount);
  }
  for (const [name, amount] of limits) if (COMPUTE.includes(name)) charges.set(`limits.${name}`, amount);
  return charges;
}

/** If a quota limits these, each container must say how much it takes. */
const TO_BE_SAID: ReadonlySet<string> = new Set(
  ["cpu", "memory"].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
);

/** `must specify limits.cpu for: main; memory for: init,main`; undefined when everything limited is said. */
export function unsaid(pod: CountedPod, limited: readonly string[]): string | undefined {
  if (saysForWholePod(pod)) return undefined;
  const containers = [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])];
  const parts = limited
    .filter((name) => TO_BE_SAID.has(name))
    .map((name) => ({ name, silent: containers.filter((container) => !says(container, name)) }))
    .filter(({ silent }) => silent.length > 0)
    .map(({ name, silent }) => `${name} for: ${[...new Set(silent.map((each) => each.name))].sort().join(",")}`);
  return parts.length === 0 ? undefined : `must specify ${parts.join("; ")}`;
}

function says({ resources }: Container, name: string): boolean {
  return charged(amountsOf(resources?.requests), amountsOf(resources?.limits)).has(name);
}

/** Whether a pod matches a scope of a quota. */
export function podMatches(pod: CountedPod, scope: Scope): boolean {
  switch (scope.scopeName) {
    case "Terminating":
      return isTerminating(pod);
    case "NotTerminating":
      return !isTerminating(pod);
    case "BestEffort":
      return pod.status?.qosClass === "BestEffort";
    case "NotBestEffort":
      return pod.status?.qosClass !== "BestEffort";
    case "PriorityClass":
      return namesMatch(
        scope,
        [pod.spec.priorityClassName ?? ""].filter((name) => name !== ""),
      );
    case "CrossNamespacePodAffinity":
      return looksIntoOtherNamespaces(pod);
    default:
      return false;
  }
}

/** It ends by itself at some time. */
export function isTerminating({ spec }: CountedPod): boolean {
  return (spec.activeDeadlineSeconds ?? -1) >= 0;
}

function looksIntoOtherNamespaces({ spec }: CountedPod): boolean {
  const terms = [spec.affinity?.podAffinity, spec.affinity?.podAntiAffinity].flatMap((affinity) => [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((each) => each.podAffinityTerm),
  ]);
  return terms.some((term) => (term.namespaces ?? []).length > 0 || term.namespaceSelector !== undefined);
}
