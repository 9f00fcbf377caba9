/** A claim asked for another size: one patch, which the API server refuses when the claim is not as it was seen. */
import { type PersistentVolumeClaim, STORAGE } from "../../core/types.ts";
import { CLAIMS, isForbidden, isInvalid, type KubeClient, KubeError } from "../../kube/index.ts";
import type { Startable } from "../decide/rollout.ts";
import { FIELD_MANAGER, unlessLost } from "./writes.ts";

export type ClaimAnswer =
  | { readonly kind: "asked"; readonly claim: PersistentVolumeClaim }
  | { readonly kind: "lost" }
  /** Quota, a limit range, an admission check: in the server's own words. */
  | { readonly kind: "refused"; readonly message: string };

/** Rejects when nobody knows what has become of it. */
export async function askClaim(
  client: Pick<KubeClient, "patch">,
  namespace: string | undefined,
  { name, uid, resourceVersion, to }: Startable,
  signal: AbortSignal,
): Promise<ClaimAnswer> {
  const requests = { [STORAGE]: to.toString() };
  const body = { metadata: { uid, resourceVersion }, spec: { resources: { requests } } };
  try {
    const options = { fieldManager: FIELD_MANAGER };
    const patch = { type: "merge", body } as const;
    const claim = await unlessLost(client.patch(CLAIMS, { namespace, name }, patch, options, signal));
    return claim === "lost" ? { kind: "lost" } : { kind: "asked", claim };
  } catch (error) {
    if (isForbidden(error) || isInvalid(error)) return { kind: "refused", message: wordsOf(error) };
    throw error;
  }
}

/** The server's own words, without what we were doing. */
export function wordsOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof KubeError ? message.replace(/^(?:patch|create|update|delete|evict) \S+ \S+: /, "") : message;
}
