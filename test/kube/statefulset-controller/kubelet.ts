/**
 * A stand-in for the kubelet: pods run and are ready as soon as they are seen, and are gone as soon as they should be.
 * A pod's annotations say otherwise: `test/state: unready` runs without ever being ready, `pending` does not start, and
 * `test/lingers: "true"` stays until the annotation is taken away.
 */
import { toTimestamp } from "../../../src/core/clock.ts";
import { messageOf } from "../../../src/core/errors.ts";
import type { Pod } from "../../../src/core/types.ts";
import { isConflict, isNotFound, type KubeClient, PODS, refOf, startInformer } from "../../../src/kube/index.ts";

/** Complaints of the API server other than "it is gone" end up in `problems`. */
export interface Kubelet {
  readonly problems: readonly string[];
  stop(): Promise<void>;
}

export function startKubelet(client: KubeClient): Kubelet {
  const problems: string[] = [];
  const busy = new Set<Promise<void>>();
  const pods = startInformer({ client, resource: PODS, trim: (pod) => pod });

  function look(pod: Pod): void {
    const work = care(client, pod)
      .catch((error: unknown) => {
        if (!isNotFound(error) && !isConflict(error)) problems.push(messageOf(error));
      })
      .finally(() => busy.delete(work));
    busy.add(work);
  }
  pods.addHandler({ added: look, updated: (_, pod) => look(pod) });

  return {
    problems,
    async stop() {
      await pods.stop();
      await Promise.all(busy);
    },
  };
}

async function care(client: KubeClient, pod: Pod): Promise<void> {
  const { annotations = {}, deletionTimestamp, uid = "" } = pod.metadata;
  if (deletionTimestamp !== undefined) {
    if (annotations["test/lingers"] === "true") return;
    await client.delete(PODS, refOf(pod), { gracePeriodSeconds: 0, preconditions: { uid } });
    return;
  }
  const state = annotations["test/state"] ?? "ready";
  if (pod.status?.phase !== "Pending" || state === "pending") return;
  const ready = {
    type: "Ready",
    status: state === "ready" ? "True" : "False",
    lastTransitionTime: toTimestamp(Date.now()),
  };
  const body = { metadata: { uid }, status: { phase: "Running", conditions: [ready] } };
  await client.patch(PODS, refOf(pod), { type: "strategic", body }, { subresource: "status" });
}
