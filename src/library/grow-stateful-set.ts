/** Growing one StatefulSet, from the wish to the end, in one call. */
import { type Logger, silentLogger, startInformer } from "../kube/index.ts";
import { startGrowth } from "../statefulset/index.ts";
import { VOLUME_EXPANSIONS } from "../statefulset/resource.ts";
import type { VolumeExpansion } from "../statefulset/types.ts";
import { type GrowthOutcome, isFinal, outcomeOfRecord } from "./growth-outcome.ts";
import { type GrowthRequest, writeRequest } from "./request-growth.ts";

export interface GrowOptions extends GrowthRequest {
  /**
   * `caller`: this call does the work, for as long as it lasts. `controller`: it only waits, where `outgrow controller`
   * runs on the cluster, or a `startGrowth` in this process. @default caller
   */
  readonly carriedOutBy?: "caller" | "controller";
  /** Told whenever something has changed. */
  readonly onProgress?: (outcome: GrowthOutcome) => void;
  /** Hears what is tried again: an API server that is away, a right that is missing. */
  readonly logger?: Logger;
}

/**
 * Grows every claim of the set and brings its template along; no pod is restarted unless `restartPods` says so. Resolves when
 * it has come to an end, `resized` or `failed`; never with `growing`.
 *
 * Everything that matters is in the cluster. Whoever dies in the middle calls again, with the same sizes or others, and it
 * goes on from there; so does `outgrow controller` if it is started instead. A growth that failed is looked at
 * anew by the next call. Rejects as `requestGrowth` does, or with the signal's reason: then, too, what was begun stays as it is.
 */
export async function growStatefulSet(options: GrowOptions, signal?: AbortSignal): Promise<GrowthOutcome> {
  const { client, namespace, name, carriedOutBy = "caller", onProgress = () => {}, logger = silentLogger } = options;
  const { metadata } = await writeRequest(options, signal);
  const end = Promise.withResolvers<GrowthOutcome>();
  let last: GrowthOutcome | undefined;
  const hear = (record: VolumeExpansion): void => {
    // A cache may begin with what was before the wish.
    if ((record.metadata.generation ?? 0) < (metadata.generation ?? 0)) return;
    const outcome = outcomeOfRecord(record);
    if (outcome.message !== last?.message || outcome.kind !== last.kind) onProgress(outcome);
    last = outcome;
    if (isFinal(outcome)) end.resolve(outcome);
  };
  const giveUp = (): void => end.reject(signal?.reason);
  signal?.throwIfAborted();
  signal?.addEventListener("abort", giveUp, { once: true });
  const follower = carriedOutBy === "caller" ? work() : watch();
  try {
    return await end.promise;
  } finally {
    signal?.removeEventListener("abort", giveUp);
    await follower.stop();
  }

  function work(): { stop(): Promise<void> } {
    const only = (set: { readonly name: string }): boolean => set.name === name;
    return startGrowth({ client, namespaces: [namespace], only, onLook: hear, logger });
  }

  function watch(): { stop(): Promise<void> } {
    const fieldSelector = `metadata.name=${name}`;
    const trim = (record: VolumeExpansion): VolumeExpansion => record;
    const records = startInformer({ client, resource: VOLUME_EXPANSIONS, namespace, fieldSelector, trim, logger });
    records.addHandler({ added: hear, updated: (_, record) => hear(record) });
    return records;
  }
}
