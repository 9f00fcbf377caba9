/** A pod evicted: deleted as far as disruption budgets allow; and held meanwhile, or let go, by a finalizer of ours. */
import type { Pod } from "../../core/types.ts";
import { isTooManyRequests, type KubeClient, PODS } from "../../kube/index.ts";
import { RESTART_FINALIZER } from "../decide/restart-step.ts";
import { wordsOf } from "./ask-claim.ts";
import { type Lost, unlessLost, writeChange } from "./writes.ts";

/**
 * Undefined: it goes, or is gone. Else why not now, in the server's words: a budget does not allow it. With `hold` it keeps
 * its name until `letGo`; whether it may go is tried out before, so that no finalizer stays on a pod that may not.
 */
export async function evict(
  client: Pick<KubeClient, "raw" | "patch">,
  pod: Pod,
  hold: boolean,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!hold) return askForEviction(client, pod, false, signal);
  const problem = await askForEviction(client, pod, true, signal);
  if (problem !== undefined) return problem;
  const held = await writeChange(client, PODS, { before: pod, after: withFinalizer(pod) }, {}, signal);
  if (held === "lost") return undefined;
  const refusal = await askForEviction(client, held, false, signal);
  if (refusal !== undefined) await letGo(client, held, signal);
  return refusal;
}

/** The pod without our finalizer. */
export function letGo(client: Pick<KubeClient, "patch">, pod: Pod, signal: AbortSignal): Promise<Pod | Lost> {
  const finalizers = (pod.metadata.finalizers ?? []).filter((finalizer) => finalizer !== RESTART_FINALIZER);
  const after = { ...pod, metadata: { ...pod.metadata, finalizers } };
  return writeChange(client, PODS, { before: pod, after }, {}, signal);
}

async function askForEviction(
  client: Pick<KubeClient, "raw">,
  { metadata: { namespace = "default", name, uid } }: Pod,
  dryRun: boolean,
  signal: AbortSignal,
): Promise<string | undefined> {
  const body = {
    apiVersion: "policy/v1",
    kind: "Eviction",
    metadata: { namespace, name },
    deleteOptions: { preconditions: { uid } },
  };
  const place = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}/eviction`;
  const path = dryRun ? `${place}?dryRun=All` : place;
  try {
    // Not patient: a budget that is used up is an answer to tell people of, not a server that is busy.
    await unlessLost(
      client.raw({ method: "POST", path, body, what: `evict pods ${namespace}/${name}`, patient: false }, signal),
    );
    return undefined;
  } catch (error) {
    if (!isTooManyRequests(error)) throw error;
    return wordsOf(error);
  }
}

function withFinalizer(pod: Pod): Pod {
  const { finalizers = [] } = pod.metadata;
  if (finalizers.includes(RESTART_FINALIZER)) return pod;
  return { ...pod, metadata: { ...pod.metadata, finalizers: [...finalizers, RESTART_FINALIZER] } };
}
