/** What the server does to an object before it is created (upstream registry/rest/create.go). Pure: who asks brings time and chance. */
import { get, type Json, type JsonObject } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";
import { groupVersionOf } from "../kinds/kind.ts";
import { badRequest, internalError } from "../status-error.ts";
import { textOf, withMetadata } from "./metadata.ts";

export interface Chance {
  /** A new uid. */
  uid(): string;
  /** A whole number from 0 up to, but without, `below`. */
  below(below: number): number;
}

export interface CreateRequest {
  /** From the path; undefined for kinds of the whole cluster. */
  readonly namespace: string | undefined;
  /** This moment, as a timestamp of the API. */
  readonly now: string;
  readonly chance: Chance;
}

/**
 * The object with everything that only the server sets. What a client sent there is dropped, except a resourceVersion, which
 * is refused: such a client believes that it updates. Throws `StatusError`.
 */
export function prepareCreate(kind: Kind, sent: JsonObject, request: CreateRequest): JsonObject {
  checkType(kind, sent);
  if (textOf(sent, "resourceVersion") !== "") {
    throw internalError("resourceVersion should not be set on objects to be created");
  }
  const namespace = namespaceFor(kind, sent, request.namespace);
  const generateName = textOf(sent, "generateName");
  const name = textOf(sent, "name") || (generateName === "" ? "" : generatedName(generateName, request.chance));
  return withMetadata(typed(kind, sent), {
    name: name === "" ? undefined : name,
    namespace,
    uid: request.chance.uid(),
    creationTimestamp: request.now,
    resourceVersion: undefined,
    selfLink: undefined,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    // Kinds that do not count generations, or not from the start, keep whatever a client has sent.
    ...(kind.generation === "none" || kind.generation === "later" ? {} : { generation: 1 }),
  });
}

/** What the body says it is must be what the path says. */
export function checkType(kind: Kind, sent: JsonObject): void {
  const version = groupVersionOf(kind);
  const sentVersion = get(sent, "apiVersion") || version;
  const sentKind = get(sent, "kind") || kind.kind;
  if (sentVersion === version && sentKind === kind.kind) return;
  const what = `${text(sentKind)} in version ${JSON.stringify(versionOf(sentVersion))} cannot be handled as a ${kind.kind}`;
  const why =
    sentVersion === version
      ? `converting (${kind.version}.${text(sentKind)}) to (${kind.group || "core"}.${kind.kind}): unknown conversion`
      : `no kind ${JSON.stringify(sentKind)} is registered for version ${JSON.stringify(sentVersion)}`;
  throw badRequest(`${what}: ${why}`);
}

function versionOf(apiVersion: Json): string {
  return text(apiVersion).split("/").at(-1) ?? "";
}

/** For a message. */
function text(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The object with what it is in front; the same object where it is so already. */
function typed(kind: Kind, sent: JsonObject): JsonObject {
  const [first, second] = Object.keys(sent);
  if (first === "kind" && second === "apiVersion" && isTyped(kind, sent)) return sent;
  const { apiVersion: _, kind: __, ...rest } = sent;
  return { kind: kind.kind, apiVersion: groupVersionOf(kind), ...rest };
}

function isTyped(kind: Kind, sent: JsonObject): boolean {
  return sent["kind"] === kind.kind && sent["apiVersion"] === groupVersionOf(kind);
}

function namespaceFor(kind: Kind, sent: JsonObject, fromPath: string | undefined): string | undefined {
  if (!kind.namespaced) return undefined;
  const inBody = textOf(sent, "namespace");
  if (inBody !== "" && inBody !== fromPath) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  return fromPath;
}

/** Letters that spell no word, as Kubernetes has chosen them. */
const LETTERS = "bcdfghjklmnpqrstvwxz2456789";
const RANDOM_LENGTH = 5;
const MAX_LENGTH = 63;

/** The base, cut so that the result is a name, and five letters. */
export function generatedName(base: string, chance: Pick<Chance, "below">): string {
  const letters = Array.from({ length: RANDOM_LENGTH }, () => LETTERS[chance.below(LETTERS.length)]).join("");
  return base.slice(0, MAX_LENGTH - RANDOM_LENGTH) + letters;
}
