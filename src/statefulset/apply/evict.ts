/** A pod evicted: deleted as far as disruption budgets allow. */
import type { Pod } from "../../core/types.ts";
import { isTooManyRequests, type KubeClient } from "../../kube/index.ts";
import { wordsOf } from "./ask-claim.ts";
import { unlessLost } from "./writes.ts";

/** Undefined: it goes, or is gone. Else why not now, in the server's words: a budget does not allow it. */
export async function evict(
  client: Pick<KubeClient, "raw">,
  { metadata: { namespace = "default", name, uid } }: Pod,
  signal: AbortSignal,
): Promise<string | undefined> {
  const body = {
    apiVersion: "policy/v1",
    kind: "Eviction",
    metadata: { namespace, name },
    deleteOptions: { preconditions: { uid } },
  };
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}/eviction`;
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
