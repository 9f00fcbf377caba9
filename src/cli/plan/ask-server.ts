/** What the API server says to another size in the templates of a set: asked with dry runs, so that nothing is changed. */
import { isTemplateImmutableError } from "../../admission/statefulset-update.ts";
import { messageOf } from "../../core/errors.ts";
import type { StatefulSet } from "../../core/types.ts";
import { type JsonPatchOperation, type KubeClient, KubeError, refOf, STATEFUL_SETS } from "../../kube/index.ts";
import { readDryRun } from "../../statefulset/decide/dry-run.ts";
import type { DryRun } from "../../statefulset/decide/holds.ts";
import { setToCreate } from "../../statefulset/decide/saved-set.ts";
import { type TemplateSizes, withTemplateSizes } from "../../statefulset/decide/template-target.ts";
import type { AllowedReader } from "../cluster/read-allowed.ts";
import type { ServerAnswer } from "./evidence.ts";

type Client = Pick<KubeClient, "patch" | "create">;

/** Undefined when nothing would change, or the user may not try. */
export async function askServer(
  client: Client,
  set: StatefulSet,
  sizes: TemplateSizes,
  allowed: AllowedReader,
  now: number,
): Promise<ServerAnswer | undefined> {
  if (withTemplateSizes(set, sizes) === set) return undefined;
  const takesEdits = await allowed.read("a dry run of the edit of the template", () => tryEdit(client, set, sizes));
  if (takesEdits === undefined) return undefined;
  if (takesEdits) return { takesEdits, dryRun: undefined };
  const dryRun = await allowed.read("a dry run of creating the set anew", () => tryCreation(client, set, sizes, now));
  return { takesEdits, dryRun };
}

/** The edit of the templates, for a server that takes it. It holds only while the templates stand where they stood. */
export function templateEdit(set: StatefulSet, sizes: TemplateSizes): JsonPatchOperation[] {
  const templates = set.spec.volumeClaimTemplates ?? [];
  return templates.flatMap(({ metadata }, index) => {
    const size = sizes.get(metadata.name);
    if (size === undefined) return [];
    const path = `/spec/volumeClaimTemplates/${index}`;
    return [
      { op: "test" as const, path: `${path}/metadata/name`, value: metadata.name },
      { op: "replace" as const, path: `${path}/spec/resources/requests/storage`, value: size.toString() },
    ];
  });
}

/** Where a policy puts the old templates back and notes the wish instead, the answer is a set without the edit. */
async function tryEdit(client: Client, set: StatefulSet, sizes: TemplateSizes): Promise<boolean> {
  try {
    const body = templateEdit(set, sizes);
    const after = await client.patch(STATEFUL_SETS, refOf(set), { type: "json", body }, { dryRun: true });
    return withTemplateSizes(after, sizes) === after;
  } catch (error) {
    if (lacksPermission(error)) throw error;
    if (!(error instanceof KubeError) || error.status < 400 || error.status >= 500) throw error;
    // One that looks at the sizes themselves would take others.
    return !isTemplateImmutableError(error.message) && error.message.includes("spec.volumeClaimTemplates[");
  }
}

async function tryCreation(client: Client, set: StatefulSet, sizes: TemplateSizes, at: number): Promise<DryRun> {
  const object = setToCreate(set, sizes);
  try {
    await client.create(STATEFUL_SETS, object, { dryRun: true });
    return { object, at, refusal: undefined };
  } catch (error) {
    if (lacksPermission(error) || !(error instanceof KubeError)) throw error;
    const { status: code, reason } = error;
    const verdict = readDryRun({ code, reason, message: messageOf(error) });
    if (verdict.kind === "unknown") throw error;
    return { object, at, refusal: verdict.kind === "refused" ? verdict.message : undefined };
  }
}

/** RBAC and admission both say 403; only RBAC speaks of what the user cannot do. */
function lacksPermission(error: unknown): boolean {
  return error instanceof KubeError && error.status === 403 && / cannot (?:patch|create) resource /.test(error.message);
}
