/**
 * What a DELETE does to an object (upstream registry/rest/delete.go and registry/generic/registry/store.go): it is gone at
 * once, or it is marked, and gone when the last finalizer and the time of grace are over. Pure.
 */
import { toTimestamp } from "../../../core/clock.ts";
import { get, type JsonObject } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";
import { badRequest, StatusError } from "../status-error.ts";
import { finalizersOf, metadataOf, textOf, withMetadata } from "./metadata.ts";

export type Propagation = "Orphan" | "Background" | "Foreground";

export interface DeleteOptions {
  readonly propagationPolicy?: Propagation;
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

export type Deletion =
  /** Take it away now. */
  | { readonly kind: "remove" }
  /** Store this, which says that it is being deleted. `object` itself when it says so already. */
  | { readonly kind: "mark"; readonly object: JsonObject };

const ORPHAN = "orphan";
const FOREGROUND = "foregroundDeletion";

/**
 * Throws `StatusError` when a precondition does not hold or the options make no sense. `now` in milliseconds since the epoch.
 * `held`: something beside the finalizers of its metadata keeps it.
 */
export function prepareDelete(
  kind: Kind,
  stored: JsonObject,
  options: DeleteOptions,
  now: number,
  held = false,
): Deletion {
  checkPreconditions(kind, stored, options);
  const finalizers = finalizersAfter(stored, options.propagationPolicy);
  const grace = gracePeriod(kind, stored, options);
  const deleting = textOf(stored, "deletionTimestamp") !== "";
  if (finalizers.length === 0 && grace === 0 && !held) return { kind: "remove" };

  const fields = { finalizers: finalizers.length === 0 ? undefined : [...finalizers] };
  if (deleting) return { kind: "mark", object: shortened(withFinalizers(stored, fields), grace, now) };
  const generation = get(metadataOf(stored), "generation");
  return {
    kind: "mark",
    object: withMetadata(stored, {
      ...fields,
      deletionTimestamp: toTimestamp(now + grace * 1000),
      deletionGracePeriodSeconds: grace,
      ...(typeof generation === "number" && generation > 0 ? { generation: generation + 1 } : {}),
    }),
  };
}

/** Whether a write has taken the last finalizer off an object that waits for its end: then it is removed instead. */
export function isFinished(kind: Kind, object: JsonObject): boolean {
  if (textOf(object, "deletionTimestamp") === "" || finalizersOf(object).length > 0) return false;
  const grace = get(metadataOf(object), "deletionGracePeriodSeconds");
  return kind.kind !== "Pod" || grace === 0 || grace === undefined;
}

function checkPreconditions(
  kind: Kind,
  stored: JsonObject,
  { preconditions = {}, gracePeriodSeconds }: DeleteOptions,
): void {
  const conflict = (what: string, given: string, found: string, perhaps: string): StatusError =>
    new StatusError(
      409,
      "Conflict",
      `Operation cannot be fulfilled on ${kind.kind} ${JSON.stringify(textOf(stored, "name"))}: ` +
        `the ${what} in the precondition (${given}) does not match the ${what} in record (${found}). ${perhaps}`,
    );
  const { uid, resourceVersion } = preconditions;
  if (uid !== undefined && uid !== textOf(stored, "uid")) {
    throw conflict("UID", uid, textOf(stored, "uid"), "The object might have been deleted and then recreated");
  }
  if (resourceVersion !== undefined && resourceVersion !== textOf(stored, "resourceVersion")) {
    throw conflict(
      "ResourceVersion",
      resourceVersion,
      textOf(stored, "resourceVersion"),
      "The object might have been modified",
    );
  }
  if (gracePeriodSeconds !== undefined && !Number.isSafeInteger(gracePeriodSeconds)) {
    throw badRequest(`gracePeriodSeconds: ${gracePeriodSeconds} is not a whole number of seconds`);
  }
}

/** What is to happen to dependents is left for the garbage collector as a finalizer; the last word counts. */
function finalizersAfter(stored: JsonObject, policy: Propagation | undefined): readonly string[] {
  const current = finalizersOf(stored);
  if (policy === undefined) return current;
  const others = current.filter((finalizer) => finalizer !== ORPHAN && finalizer !== FOREGROUND);
  if (policy === "Background") return others;
  return [...others, policy === "Orphan" ? ORPHAN : FOREGROUND];
}

/** Only pods are given time; a pod that runs nowhere, or no longer, needs none. */
function gracePeriod(kind: Kind, stored: JsonObject, { gracePeriodSeconds }: DeleteOptions): number {
  if (kind.kind !== "Pod" || kind.group !== "") return 0;
  const spec = (get(stored, "spec") ?? {}) as JsonObject;
  const status = (get(stored, "status") ?? {}) as JsonObject;
  const phase = get(status, "phase");
  if (!get(spec, "nodeName") || phase === "Succeeded" || phase === "Failed") return 0;
  const own = get(spec, "terminationGracePeriodSeconds");
  const seconds = gracePeriodSeconds ?? (typeof own === "number" ? own : 30);
  return seconds < 0 ? 1 : seconds;
}

function withFinalizers(stored: JsonObject, fields: { finalizers: string[] | undefined }): JsonObject {
  const same = JSON.stringify(fields.finalizers ?? []) === JSON.stringify(finalizersOf(stored));
  return same ? stored : withMetadata(stored, fields);
}

/** A second deletion can only bring the end nearer. */
function shortened(object: JsonObject, grace: number, now: number): JsonObject {
  const current = get(metadataOf(object), "deletionGracePeriodSeconds");
  if (typeof current !== "number" || grace >= current) return object;
  return withMetadata(object, {
    deletionGracePeriodSeconds: grace,
    deletionTimestamp: toTimestamp(now + grace * 1000),
  });
}
