/**
 * A condition reported on a custom resource: server-side apply of this one entry of its status, under a name of ours, so that
 * the operator's own conditions are not touched and neither takes the other's back.
 *
 * Many kinds (MOCO's among them) do not say in their schema that conditions are told apart by their type. There the list is one value
 * that belongs to the operator: it is written as operators write it, whole and only if nobody wrote the resource meanwhile.
 */
import { SOURCE_MANAGER } from "../../core/names.ts";
import type { Condition, KubeObject } from "../../core/types.ts";
import {
  apiVersionOf,
  ifThere,
  isConflict,
  isInvalid,
  isNotFound,
  type KubeClient,
  KubeError,
  type Resource,
  refOf,
  withPrecondition,
} from "../../kube/index.ts";
import { wordsOf } from "../../statefulset/apply/ask-claim.ts";
import { formatPath, type Path, readAt } from "../decide/path.ts";

export type ReportAnswer =
  | { readonly kind: "reported"; readonly resource: KubeObject }
  /** Somebody wrote the resource meanwhile, or it is gone: look again. */
  | { readonly kind: "lost" }
  /** The kind does not take it, or somebody else reports the same condition; in a sentence. It would be the same next time. */
  | { readonly kind: "refused"; readonly why: string };

/** `object` is the resource as the condition was decided on. Rejects when nobody knows what has become of it. */
export async function report(
  client: Pick<KubeClient, "get" | "patch">,
  resource: Resource,
  object: KubeObject,
  path: Path,
  condition: Condition,
  signal: AbortSignal,
): Promise<ReportAnswer> {
  const { name, namespace, uid, resourceVersion } = object.metadata;
  const metadata = { name, namespace, uid, resourceVersion };
  const body = { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata, ...nested(path, [condition]) };
  const options = { subresource: "status", fieldManager: SOURCE_MANAGER };
  try {
    const answer = await client.patch(resource, refOf(object), { type: "apply", body }, options, signal);
    if (has(answer, path, condition.type)) return { kind: "reported", resource: answer };
    const why = `${resource.kind} has no ${formatPath(path)} in its schema, and the API server drops what is written there`;
    return { kind: "refused", why };
  } catch (error) {
    if (isOwned(error, formatPath(path))) return amend(client, resource, object, path, condition, signal);
    // A kind without a status is answered as if the object were not there.
    if (isNotFound(error) && (await ifThere(client.get(resource, refOf(object), {}, signal))) !== undefined) {
      return { kind: "refused", why: `${resource.plural} have no status subresource` };
    }
    return answerTo(error, resource, condition.type);
  }
}

/** The list as it stands, with the condition in it. */
async function amend(
  client: Pick<KubeClient, "patch">,
  resource: Resource,
  object: KubeObject,
  path: Path,
  condition: Condition,
  signal: AbortSignal,
): Promise<ReportAnswer> {
  const [found] = readAt(object, path);
  const conditions = Array.isArray(found?.value) ? (found.value as Condition[]) : [];
  const others = conditions.filter(({ type }) => type !== condition.type);
  const body = withPrecondition({ ...nested(path, [...others, condition]) }, object);
  const options = { subresource: "status", fieldManager: SOURCE_MANAGER };
  try {
    const answer = await client.patch(resource, refOf(object), { type: "merge", body }, options, signal);
    return { kind: "reported", resource: answer };
  } catch (error) {
    return answerTo(error, resource, condition.type);
  }
}

/** Whether the error says that another manager owns this field; without one, whether it says so of any. */
function isOwned(error: unknown, field?: string): boolean {
  if (!isConflict(error) || !(error instanceof KubeError)) return false;
  const causes = error.details?.causes ?? [];
  return causes.some((cause) => cause.reason === OWNED && (field === undefined || cause.field === field));
}

function answerTo(error: unknown, { kind }: Resource, type: string): ReportAnswer {
  if (isConflict(error)) {
    if (!isOwned(error)) return { kind: "lost" };
    return {
      kind: "refused",
      why: `another writes condition ${type} of ${kind}, which is left to it: ${wordsOf(error)}`,
    };
  }
  if (isNotFound(error)) return { kind: "lost" };
  if (isInvalid(error)) return { kind: "refused", why: wordsOf(error) };
  throw error;
}

/** Why a field cannot be applied: another manager owns it. */
const OWNED = "FieldManagerConflict";

function nested(path: Path, value: unknown): object {
  return path.reduceRight<unknown>(
    (inner, step) => (step.kind === "key" ? { [step.key]: inner } : inner),
    value,
  ) as object;
}

function has(object: KubeObject, path: Path, type: string): boolean {
  const [found] = readAt(object, path);
  return Array.isArray(found?.value) && found.value.some((each: Partial<Condition>) => each.type === type);
}
