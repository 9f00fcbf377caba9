/** What a scheduler writes: a binding, a node on a claim, or on the pod why there is none for it. */
import { toTimestamp } from "../../../../core/clock.ts";
import type { Condition, KubeObject, PersistentVolume, PersistentVolumeClaim } from "../../../../core/types.ts";
import {
  CLAIMS,
  defineResource,
  type KubeClient,
  mergePatch,
  PODS,
  refOf,
  VOLUMES,
  withPrecondition,
} from "../../../../kube/index.ts";
import { volumeForClaim } from "../../volumes/binder/decide/binding.ts";
import { type Match, SELECTED_NODE } from "../decide/claims.ts";
import type { SchedulablePod } from "../decide/types.ts";

/** What `pods/NAME/binding` takes. */
interface Binding extends KubeObject {
  target: { apiVersion: string; kind: string; name: string };
}
const POD_BINDINGS = defineResource<Binding>("v1", "Binding", "pods");

/** For this very pod, and only while it has no node. */
export async function bindPod(
  client: Pick<KubeClient, "create">,
  { metadata }: SchedulablePod,
  node: string,
  signal: AbortSignal,
): Promise<void> {
  const { name, namespace = "default", uid = "" } = metadata;
  const binding: Binding = {
    apiVersion: "v1",
    kind: "Binding",
    metadata: { name, namespace, uid },
    target: { apiVersion: "v1", kind: "Node", name: node },
  };
  await client.create(POD_BINDINGS, binding, { subresource: "binding" }, signal);
}

export function selectNode(
  client: Pick<KubeClient, "patch">,
  claim: PersistentVolumeClaim,
  node: string,
  signal: AbortSignal,
): Promise<PersistentVolumeClaim> {
  const body = withPrecondition({ metadata: { annotations: { [SELECTED_NODE]: node } } }, claim);
  return client.patch(CLAIMS, refOf(claim), { type: "merge", body }, {}, signal);
}

/** The volume's side of a binding; the binder sees to the claim's. Rejects with `isConflict` when somebody else has taken it. */
export async function giveVolume(
  client: Pick<KubeClient, "patch">,
  { claim, volume }: Match,
  signal: AbortSignal,
): Promise<PersistentVolume> {
  const difference = mergePatch(volume, volumeForClaim(volume, claim));
  if (difference === undefined) return volume;
  const body = withPrecondition(difference, volume);
  return client.patch(VOLUMES, refOf(volume), { type: "merge", body }, {}, signal);
}

/** Whether the pod says already that it cannot be scheduled, and for this reason. */
export function saysUnschedulable({ status }: SchedulablePod, message: string): boolean {
  const told = status?.conditions?.find(({ type }) => type === "PodScheduled");
  return told?.status === "False" && told.reason === "Unschedulable" && told.message === message;
}

export async function tellUnschedulable(
  client: Pick<KubeClient, "patch">,
  pod: SchedulablePod,
  message: string,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  const { uid = "" } = pod.metadata;
  const former = pod.status?.conditions?.find(({ type }) => type === "PodScheduled");
  const condition: Condition = {
    type: "PodScheduled",
    status: "False",
    reason: "Unschedulable",
    message,
    lastTransitionTime: former?.status === "False" ? (former.lastTransitionTime ?? null) : toTimestamp(now),
  };
  const body = { metadata: { uid }, status: { conditions: [condition] } };
  await client.patch(PODS, refOf(pod), { type: "strategic", body }, { subresource: "status" }, signal);
}
