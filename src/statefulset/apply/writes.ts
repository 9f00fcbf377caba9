/** Writing with a precondition: the difference as one patch, bound to the object and the version that was decided on. */
import { FIELD_MANAGER } from "../../core/names.ts";
import type { KubeObject } from "../../core/types.ts";
import {
  isConflict,
  isNotFound,
  type KubeClient,
  mergePatch,
  type Resource,
  refOf,
  type WriteOptions,
  withPrecondition,
} from "../../kube/index.ts";

/** Who is recorded as the owner of what is written, apart from a re-creation, which leaves no trace. */
export { FIELD_MANAGER };

/** Somebody else wrote it first, or it is gone: look again, and decide again. */
export type Lost = "lost";

/** Sends nothing when nothing differs. */
export async function writeChange<T extends KubeObject>(
  client: Pick<KubeClient, "patch">,
  resource: Resource<T>,
  change: { readonly before: T; readonly after: T },
  options: WriteOptions,
  signal: AbortSignal,
): Promise<T | Lost> {
  const { before, after } = change;
  const body = mergePatch(before, after);
  if (body === undefined) return before;
  const patch = { type: "merge", body: withPrecondition(body, before) } as const;
  return unlessLost(client.patch(resource, refOf(before), patch, { fieldManager: FIELD_MANAGER, ...options }, signal));
}

export async function unlessLost<T>(call: Promise<T>): Promise<T | Lost> {
  try {
    return await call;
  } catch (error) {
    if (isConflict(error) || isNotFound(error)) return "lost";
    throw error;
  }
}
