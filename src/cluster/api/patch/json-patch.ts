/**
 * JSON patch (RFC 6902), with the liberties that Kubernetes takes: indices may count from the end (`-1`), `replace` of a
 * key that is not there adds it, a `copy` of one gives null. Kubernetes tells the client nothing of what failed.
 */
import { get, isList, isObject, type Json } from "../json.ts";
import { badRequest, StatusError, tooLarge, unprocessable } from "../status-error.ts";
import { type JsonDraft, NoPlace, openDraft } from "./json-draft.ts";

/** kube-apiserver's limits: operations in one patch, and bytes that its copies may add up to. */
const MAX_OPERATIONS = 10_000;
const MAX_COPIED_BYTES = 3 * 1024 * 1024;

interface Operation {
  readonly op: string;
  readonly path: string | undefined;
  readonly from: string | undefined;
  readonly value: Json;
}

/** An operation that does not apply. Whoever sent the patch is told nothing more; who made it for somebody else can say why. */
export class DoesNotApply extends StatusError {
  readonly operation: Pick<Operation, "op" | "path" | "from">;
  /** `test`: something else stands there; `place`: the way to the place does not exist. */
  readonly why: "test" | "place" | "other";

  constructor(operation: Operation, why: DoesNotApply["why"]) {
    const { code, reason, message, causes, about } = unprocessable();
    super(code, reason, message, causes, about);
    this.operation = operation;
    this.why = why;
  }
}

/**
 * The document after the patch; the given one is left as it is. Throws `StatusError`: 400 for what is no JSON patch, 413
 * for too many operations, and `DoesNotApply`, which is 422, for one that does not apply, a failed `test` among them.
 */
export function jsonPatch(document: Json, patch: Json): Json {
  const operations = readOperations(patch);
  if (operations.length > MAX_OPERATIONS) {
    throw tooLarge(`The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${operations.length}`);
  }
  const draft = openDraft(document);
  let copied = 0;
  for (const operation of operations) {
    try {
      if (operation.op === "copy") copied += copy(draft, operation, MAX_COPIED_BYTES - copied);
      else apply(draft, operation);
    } catch (error) {
      if (!(error instanceof StatusError) || error instanceof DoesNotApply) throw error;
      throw new DoesNotApply(operation, error instanceof NoPlace ? "place" : "other");
    }
  }
  return draft.close();
}

function apply(draft: JsonDraft, operation: Operation): void {
  const { op, path, from, value } = operation;
  switch (op) {
    case "add":
      draft.add(needed(path), value);
      return;
    case "remove":
      draft.remove(needed(path));
      return;
    case "replace":
      draft.replace(needed(path), value);
      return;
    case "move":
      draft.move(needed(from), needed(path));
      return;
    case "test":
      if (!draft.equals(needed(path), value)) throw new DoesNotApply(operation, "test");
      return;
    default:
      throw unprocessable();
  }
}

/** The bytes that were copied. Throws when they are more than there may be. */
function copy(draft: JsonDraft, { path, from }: Operation, allowed: number): number {
  const value = draft.at(needed(from)) ?? null;
  const bytes = JSON.stringify(value).length;
  if (bytes > allowed) throw unprocessable();
  draft.add(needed(path), value);
  return bytes;
}

function needed(text: string | undefined): string {
  if (text === undefined) throw unprocessable();
  return text;
}

function readOperations(patch: Json): Operation[] {
  if (patch === null) return [];
  if (!isList(patch)) throw undecodable(patch, "value of type []handlers.jsonPatchOp");
  return patch.map((operation) => {
    if (operation !== null && !isObject(operation)) throw undecodable(operation, "value of type handlers.jsonPatchOp");
    const text = (name: "op" | "path" | "from") => {
      const value = operation === null ? undefined : get(operation, name);
      if (value === undefined || value === null) return undefined;
      if (typeof value !== "string") throw undecodable(value, `struct field jsonPatchOp.${name} of type string`);
      return value;
    };
    const value = operation === null ? null : (get(operation, "value") ?? null);
    return { op: text("op") ?? "unknown", path: text("path"), from: text("from"), value };
  });
}

function undecodable(value: Json, into: string): StatusError {
  return badRequest(`error decoding patch: json: cannot unmarshal ${goJsonKind(value)} into Go ${into}`);
}

/** What Go's decoder calls a JSON value in its errors. */
export function goJsonKind(value: Json): string {
  if (isList(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}
