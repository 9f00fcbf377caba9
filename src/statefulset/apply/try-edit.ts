/** Whether the API server takes another size in a template of this set: tried out, as a dry run of the patch. */
import { isTemplateImmutableError } from "../../admission/statefulset-update.ts";
import type { StatefulSet } from "../../core/types.ts";
import { isForbidden, isInvalid, type KubeClient, mergePatch, refOf, STATEFUL_SETS } from "../../kube/index.ts";
import { RECREATE_MANAGER } from "../decide/managed-fields.ts";
import { type TemplateSizes, withTemplateSizes } from "../decide/template-target.ts";
import { wordsOf } from "./ask-claim.ts";
import { unlessLost } from "./writes.ts";

export type EditAnswer =
  | { readonly kind: "taken" | "immutable" | "lost" }
  /** For another reason than that templates are immutable. */
  | { readonly kind: "refused"; readonly message: string };

/**
 * `set` was read just now, whole. An answer in which the templates are as before means that somebody has put them
 * back (an admission policy that turns the edit into a wish): the same as immutable.
 */
export async function tryEdit(
  client: Pick<KubeClient, "patch">,
  set: StatefulSet,
  sizes: TemplateSizes,
  signal: AbortSignal,
): Promise<EditAnswer> {
  const body = mergePatch(set, withTemplateSizes(set, sizes));
  if (body === undefined) return { kind: "lost" };
  try {
    // Under the name that the policies and the webhook of ours let pass.
    const options = { dryRun: true, fieldManager: RECREATE_MANAGER };
    const answer = await unlessLost(client.patch(STATEFUL_SETS, refOf(set), { type: "merge", body }, options, signal));
    if (answer === "lost") return { kind: "lost" };
    return { kind: withTemplateSizes(answer, sizes) === answer ? "taken" : "immutable" };
  } catch (error) {
    if (!isForbidden(error) && !isInvalid(error)) throw error;
    const message = wordsOf(error);
    return isTemplateImmutableError(message) ? { kind: "immutable" } : { kind: "refused", message };
  }
}
