/** What the server does to an object before it replaces the stored one (upstream registry/rest/update.go). Pure. */
import { get, type Json, type JsonObject, jsonEqual } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";
import { badRequest } from "../status-error.ts";
import { metadataOf, textOf, withMetadata } from "./metadata.ts";
import { conflict, modified } from "./refusals.ts";

/** Refuses what was made for another object, or for another version of it. Throws `StatusError`. */
export function checkPreconditions(kind: Kind, stored: JsonObject, sent: JsonObject): void {
  checkUid(kind, stored, sent);
  checkVersion(kind, stored, sent);
}

/** Refuses what was made for another version of the object. A name or version that is not named says nothing. Throws `StatusError`. */
export function checkVersion(kind: Kind, stored: JsonObject, sent: JsonObject): void {
  const name = textOf(stored, "name");
  const sentName = textOf(sent, "name");
  if (sentName !== "" && sentName !== name) {
    throw badRequest(`the name of the object (${sentName}) does not match the name on the URL (${name})`);
  }
  const version = textOf(sent, "resourceVersion");
  if (version !== "" && version !== textOf(stored, "resourceVersion")) throw modified(kind, name);
}

/**
 * Refuses what was made for another object of that name. A patch says nothing of the kind: a uid in it is a field like others,
 * and not the object's an error of that field. Throws `StatusError`.
 */
export function checkUid(kind: Kind, stored: JsonObject, sent: JsonObject): void {
  const uid = textOf(sent, "uid");
  if (uid !== "" && uid !== textOf(stored, "uid")) {
    const failed = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${textOf(stored, "uid")}`;
    throw conflict(
      kind,
      textOf(stored, "name"),
      `StorageError: invalid object, Code: 4, Key: ${storageKey(kind, stored)}, ResourceVersion: 0, AdditionalErrorMsg: ${failed}`,
    );
  }
}

/**
 * The object to be stored: what was sent, with what only the server sets. The halves that this request may not touch are kept
 * already, and what the kind's own strategy makes of it is made. `stored` itself when nothing would differ: then nothing is written.
 */
export function prepareUpdate(
  kind: Kind,
  stored: JsonObject,
  sent: JsonObject,
  subresource: string | undefined,
): JsonObject {
  const identity = {
    name: get(metadataOf(stored), "name"),
    namespace: get(metadataOf(stored), "namespace"),
    resourceVersion: get(metadataOf(stored), "resourceVersion"),
  };
  const next = withMetadata(sent, { ...keptOf(stored, sent), ...identity });
  if (jsonEqual(next, stored)) return stored;
  if ((subresource !== undefined && !WRITES_SPEC.has(subresource)) || !raisesGeneration(kind, stored, next))
    return next;
  const generation = get(metadataOf(stored), "generation");
  return withMetadata(next, { generation: (typeof generation === "number" ? generation : 0) + 1 });
}

/**
 * What only the server sets. Some of it is kept whatever was sent; of the rest, what was sent stays, to be refused where it is not
 * what is stored.
 */
function keptOf(stored: JsonObject, sent: JsonObject): Record<string, Json | undefined> {
  const [before, after] = [metadataOf(stored), metadataOf(sent)];
  return {
    uid: textOf(sent, "uid") || get(before, "uid"),
    creationTimestamp: get(before, "creationTimestamp"),
    deletionTimestamp: get(before, "deletionTimestamp") ?? get(after, "deletionTimestamp") ?? undefined,
    deletionGracePeriodSeconds:
      get(after, "deletionGracePeriodSeconds") ?? get(before, "deletionGracePeriodSeconds") ?? undefined,
    generation: get(before, "generation"),
    selfLink: get(before, "selfLink"),
  };
}

/** Endpoints beside the object's own through which its spec changes. */
const WRITES_SPEC: ReadonlySet<string> = new Set(["ephemeralcontainers"]);

/**
 * The main resource does not write the status, and the status does not write the spec. What another endpoint writes is put
 * together by the kind's own strategy.
 */
export function keepOtherHalf(
  kind: Kind,
  stored: JsonObject,
  sent: JsonObject,
  subresource: string | undefined,
): JsonObject {
  if (subresource === "status") return withField(sent, "spec", get(stored, "spec"));
  if (subresource !== undefined) return sent;
  const hasStatus = kind.subresources.some(({ name }) => name === "status");
  return hasStatus ? withField(sent, "status", get(stored, "status")) : sent;
}

function withField(object: JsonObject, field: string, value: Json | undefined): JsonObject {
  const { [field]: _, ...rest } = object;
  return value === undefined ? rest : { ...rest, [field]: value };
}

/** Whether the change is one that the kind counts. */
function raisesGeneration({ generation }: Kind, before: JsonObject, after: JsonObject): boolean {
  switch (generation) {
    case "none":
    case "once":
      return false;
    case "spec":
    case "later":
      return changesContent(before, after, ["status"]);
    case "content":
      return changesContent(before, after, []);
    case "labels":
    case "annotations":
      return changesContent(before, after, ["status"]) || differ(metadataOf(before), metadataOf(after), generation);
  }
}

/** Anything but metadata, and what else does not count. */
function changesContent(before: JsonObject, after: JsonObject, uncounted: readonly string[]): boolean {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  for (const key of ["metadata", ...uncounted]) keys.delete(key);
  return [...keys].some((key) => differ(before, after, key));
}

function differ(before: JsonObject, after: JsonObject, key: string): boolean {
  return !jsonEqual(get(before, key) ?? null, get(after, key) ?? null);
}

/** Where etcd would have it: clients show it to people as it is. */
function storageKey(kind: Kind, stored: JsonObject): string {
  const namespace = textOf(stored, "namespace");
  return ["", "registry", kind.plural, ...(namespace === "" ? [] : [namespace]), textOf(stored, "name")].join("/");
}
