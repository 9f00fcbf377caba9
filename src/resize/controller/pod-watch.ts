/**
 * Which claims are used by pods. Only drivers that grow volumes offline need to know, and most never say so: the watch on
 * pods, the most numerous objects of a cluster, begins with the first such refusal.
 */
import type { Pod } from "../../core/types.ts";
import { type Informer, type InformerOptions, PODS, startInformer } from "../../kube/index.ts";
import { claimsOfPod, holdPod } from "./held.ts";

export interface PodWatch {
  /** Begins to watch, unless it does already. Nobody waits for it: pods may be many, or not ours to see. */
  begin(): void;
  /** Whether a pod is known to use this claim, `namespace/name`. Nothing is known before `begin` and the first list. */
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
    begin() {
      if (informer !== undefined) return;
      informer = startInformer({ ...shared, resource: PODS, trim: holdPod, indexes: { claim: claimsOfPod } });
      informer.addHandler({
        deleted(pod) {
          for (const claim of claimsOfPod(pod)) if (!uses(claim)) onReleased(claim);
        },
      });
    },
    async stop() {
      await informer?.stop();
    },
  };
}
