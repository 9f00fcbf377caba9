/** What the API server says to another size in the templates of a set: asked with dry runs, so that nothing is changed. */
import { messageOf } from "../../core/errors.ts";
import type { StatefulSet } from "../../core/types.ts";
import { type JsonPatchOperation, type KubeClient, KubeError, STATEFUL_SETS } from "../../kube/index.ts";
import { tryEdit } from "../../statefulset/apply/try-edit.ts";
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
  const takesEdits = await allowed.read("a dry run of the edit of the template", () => takesEdit(client, set, sizes));
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

async function takesEdit(client: Client, set: StatefulSet, sizes: TemplateSizes): Promise<boolean> {
  const answer = await tryEdit(client, set, sizes, new AbortController().signal);
  if (answer.kind !== "refused") return answer.kind === "taken";
  if (LACKS_PERMISSION.test(answer.message)) throw new KubeError("Forbidden", answer.message, { status: 403 });
  // One that looks at the sizes themselves would take others.
  return answer.message.includes("spec.volumeClaimTemplates[");
}

async function tryCreation(client: Client, set: StatefulSet, sizes: TemplateSizes, at: number): Promise<DryRun> {
  const object = setToCreate(set, sizes);
  try {
    await client.create(STATEFUL_SETS, object, { dryRun: true });
    return { object, at, refusal: undefined };
  } catch (error) {
    if (!(error instanceof KubeError) || LACKS_PERMISSION.test(error.message)) throw error;
    const { status: code, reason } = error;
    const verdict = readDryRun({ code, reason, message: messageOf(error) });
    if (verdict.kind === "unknown") throw error;
    return { object, at, refusal: verdict.kind === "refused" ? verdict.message : undefined };
  }
}

/** RBAC and admission both say 403; only RBAC speaks of what the user cannot do. */
const LACKS_PERMISSION = / cannot (?:patch|create) resource /;
