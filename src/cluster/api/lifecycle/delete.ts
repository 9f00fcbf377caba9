/**
 * What a DELETE does to an object (upstream registry/rest/delete.go and registry/generic/registry/store.go): it is gone at
 * once, or it is marked, and gone when the last finalizer and the time of grace are over. Pure.
 */
import { fromTimestamp, toTimestamp } from "../../../core/clock.ts";
import { get, type JsonObject } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";
import type { StatusError } from "../status-error.ts";
import { finalizersOf, metadataOf, textOf, withMetadata } from "./metadata.ts";
import { conflict } from "./refusals.ts";

export type Propagation = "Orphan" | "Background" | "Foreground";

export interface DeleteOptions {
  readonly propagationPolicy?: Propagation;
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

export type Deletion =
  /** Take it away now. `last`: as it is to be seen before that, where it says first that it is being deleted. */
  | { readonly kind: "remove"; readonly last?: JsonObject }
  /** Store this, which says that it is being deleted. `object` itself when it says so already. */
  | { readonly kind: "mark"; readonly object: JsonObject };

const ORPHAN = "orphan";
const FOREGROUND = "foregroundDeletion";

/**
 * Throws `StatusError` when a precondition does not hold or the options make no sense. `now` in milliseconds since the epoch.
 * `held`: something beside the finalizers of its metadata keeps it, and takes it away in the end.
 */
export function prepareDelete(
  kind: Kind,
  stored: JsonObject,
  options: DeleteOptions,
  now: number,
  held = false,
): Deletion {
  checkPreconditions(kind, stored, options);
  const object = withFinalizers(stored, finalizersAfter(kind, stored, options.propagationPolicy));
  const waits = finalizersOf(object).length > 0;
  if (held) {
    const known = isMarked(stored) ? stored : withMetadata(object, { deletionTimestamp: toTimestamp(now) });
    return { kind: "mark", object: known };
  }
  if (kind.kind !== "Pod" || kind.group !== "") {
    if (!waits) return { kind: "remove" };
    return { kind: "mark", object: isMarked(object) ? object : marked(object, 0, now) };
  }
  const last = isMarked(object)
    ? sooner(object, options.gracePeriodSeconds, now)
    : marked(object, grace(object, options), now);
  const seconds = get(metadataOf(last), "deletionGracePeriodSeconds");
  return waits || seconds !== 0 ? { kind: "mark", object: last } : { kind: "remove", last };
}

function isMarked(object: JsonObject): boolean {
  return textOf(object, "deletionTimestamp") !== "";
}

/** The object, being deleted from now on. */
function marked(object: JsonObject, seconds: number, now: number): JsonObject {
  const generation = get(metadataOf(object), "generation");
  return withMetadata(object, {
    deletionTimestamp: toTimestamp(now + seconds * 1000),
    deletionGracePeriodSeconds: seconds,
    ...(typeof generation === "number" && generation > 0 ? { generation: generation + 1 } : {}),
  });
}

/** Whether a write has taken the last finalizer off an object that waits for its end: then it is removed instead. */
export function isFinished(kind: Kind, object: JsonObject): boolean {
  if (textOf(object, "deletionTimestamp") === "" || finalizersOf(object).length > 0) return false;
  const grace = get(metadataOf(object), "deletionGracePeriodSeconds");
  return kind.kind !== "Pod" || grace === 0 || grace === undefined;
}

function checkPreconditions(kind: Kind, stored: JsonObject, { preconditions = {} }: DeleteOptions): void {
  const refuse = (what: string, given: string, found: string, perhaps: string): StatusError => {
    const name = textOf(stored, "name");
    if (kind.staged) {
      const why = `Precondition failed: ${what} in precondition: ${given}, ${what} in object meta: ${found}`;
      return conflict(kind, name, why);
    }
    const why = `the ${what} in the precondition (${given}) does not match the ${what} in record (${found}). ${perhaps}`;
    // The kind stands where the resource would: so it is upstream.
    return conflict({ group: kind.group, plural: kind.kind }, name, why);
  };
  const { uid, resourceVersion } = preconditions;
  if (uid !== undefined && uid !== textOf(stored, "uid")) {
    throw refuse("UID", uid, textOf(stored, "uid"), "The object might have been deleted and then recreated");
  }
  if (resourceVersion !== undefined && resourceVersion !== textOf(stored, "resourceVersion")) {
    throw refuse(
      "ResourceVersion",
      resourceVersion,
      textOf(stored, "resourceVersion"),
      "The object might have been modified",
    );
  }
}

/** What is to happen to dependents is left for the garbage collector as a finalizer; the last word counts. */
function finalizersAfter({ dependents }: Kind, stored: JsonObject, asked: Propagation | undefined): readonly string[] {
  const current = finalizersOf(stored);
  const said = current.includes(ORPHAN) || current.includes(FOREGROUND);
  const policy = asked ?? (dependents === "Orphan" && !said ? "Orphan" : undefined);
  if (policy === undefined || dependents === "ignored") return current;
  const others = current.filter((finalizer) => finalizer !== ORPHAN && finalizer !== FOREGROUND);
  if (policy === "Background") return others;
  return [...others, policy === "Orphan" ? ORPHAN : FOREGROUND];
}

/** The seconds that a pod is given; one that runs nowhere, or no longer, needs none. */
function grace(pod: JsonObject, { gracePeriodSeconds }: DeleteOptions): number {
  const spec = (get(pod, "spec") ?? {}) as JsonObject;
  const status = (get(pod, "status") ?? {}) as JsonObject;
  const phase = get(status, "phase");
  if (!get(spec, "nodeName") || phase === "Succeeded" || phase === "Failed") return 0;
  const own = get(spec, "terminationGracePeriodSeconds");
  const seconds = gracePeriodSeconds ?? (typeof own === "number" ? own : 0);
  return seconds < 0 ? 1 : seconds;
}

function withFinalizers(stored: JsonObject, finalizers: readonly string[]): JsonObject {
  const same = JSON.stringify(finalizers) === JSON.stringify(finalizersOf(stored));
  return same ? stored : withMetadata(stored, { finalizers: finalizers.length === 0 ? undefined : [...finalizers] });
}

/** A second deletion can only bring the end nearer, and never into the past. */
function sooner(object: JsonObject, asked: number | undefined, now: number): JsonObject {
  const current = get(metadataOf(object), "deletionGracePeriodSeconds");
  const wanted = asked !== undefined && asked < 0 ? 1 : asked;
  if (typeof current !== "number" || wanted === undefined || wanted >= current) return object;
  const begun = (fromTimestamp(textOf(object, "deletionTimestamp")) ?? now) - current * 1000;
  const end = begun + wanted * 1000;
  return withMetadata(object, {
    deletionGracePeriodSeconds: end < now && wanted !== 0 ? 1 : wanted,
    deletionTimestamp: toTimestamp(Math.max(end, now)),
  });
}
