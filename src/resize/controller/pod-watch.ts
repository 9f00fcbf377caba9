/**
 * Which claims are used by pods. Only drivers that grow volumes offline need to know, and most never say so: the watch on
 * pods, the most numerous objects of a cluster, begins with the first such refusal.
 */
import type { Pod } from "../../core/types.ts";
import { type Informer, type InformerOptions, PODS, startInformer } from "../../kube/index.ts";
import { claimsOfPod, holdPod } from "./held.ts";

export interface PodWatch {
  /** Begins to watch, unless it does already; resolves when it is known who uses what. */
  begin(signal: AbortSignal): Promise<void>;
  /** Whether a pod uses this claim, `namespace/name`. False before `begin`. */
  uses(claim: string): boolean;
  stop(): Promise<void>;
}

type Shared = Pick<InformerOptions<Pod, Pod, "claim">, "client" | "timers" | "logger" | "metrics">;

/** `onReleased` hears of each claim whose last pod is gone. */
export function createPodWatch(shared: Shared, onReleased: (claim: string) => void): PodWatch {
  let informer: Informer<Pod, Pod, "claim"> | undefined;
  const uses = (claim: string): boolean => (informer?.byIndex("claim", claim).length ?? 0) > 0;

  return {
    uses,
    async begin() {
      if (informer === undefined) {
        informer = startInformer({ ...shared, resource: PODS, trim: holdPod, indexes: { claim: claimsOfPod } });
        informer.addHandler({
          deleted(pod) {
            for (const claim of claimsOfPod(pod)) if (!uses(claim)) onReleased(claim);
          },
        });
      }
      await informer.synced;
    },
    async stop() {
      await informer?.stop();
    },
  };
}
