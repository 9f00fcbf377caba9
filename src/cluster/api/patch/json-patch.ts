/**
 * JSON patch (RFC 6902), with the liberties that Kubernetes takes: indices may count from the end (`-1`), `replace` of a
 * key that is not there adds it, a `copy` of one gives null. Kubernetes tells the client nothing of what failed.
 */
import { fromEntries, get, has, isList, isObject, type Json, jsonEqual } from "../json.ts";
import { badRequest, type StatusError, tooLarge, unprocessable } from "../status-error.ts";

/** kube-apiserver's limits: operations in one patch, and bytes that its copies may add up to. */
const MAX_OPERATIONS = 10_000;
const MAX_COPIED_BYTES = 3 * 1024 * 1024;

interface Operation {
  readonly op: string;
  readonly path: string | undefined;
  readonly from: string | undefined;
  readonly value: Json;
}

/**
 * The document after the patch; the given one is left as it is. Throws `StatusError`: 400 for what is no JSON patch, 413
 * for too many operations, 422 for one that does not apply, a failed `test` among them.
 */
export function jsonPatch(document: Json, patch: Json): Json {
  const operations = readOperations(patch);
  if (operations.length > MAX_OPERATIONS) {
    throw tooLarge(`The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${operations.length}`);
  }
  let copied = 0;
  return operations.reduce((current, operation) => {
    if (operation.op === "copy") copied += JSON.stringify(valueAt(current, needed(operation.from)) ?? null).length;
    if (copied > MAX_COPIED_BYTES) throw unprocessable();
    return applyOperation(current, operation);
  }, document);
}

function applyOperation(document: Json, { op, path, from, value }: Operation): Json {
  switch (op) {
    case "add":
      return edit(document, needed(path), add(value));
    case "remove":
      return edit(document, needed(path), remove);
    case "replace":
      if (path === "" && (isObject(value) || isList(value))) return value;
      return edit(document, needed(path), replace(value));
    case "move": {
      const moved = valueAt(document, needed(from)) ?? null;
      return edit(edit(document, needed(from), remove), needed(path), add(moved));
    }
    case "copy":
      return edit(document, needed(path), add(valueAt(document, needed(from)) ?? null));
    case "test":
      if (!jsonEqual(path === "" ? document : (valueAt(document, needed(path)) ?? null), value)) throw unprocessable();
      return document;
    default:
      throw unprocessable();
  }
}

type Edit = (container: readonly Json[] | { readonly [key: string]: Json }, key: string) => Json;

const add =
  (value: Json): Edit =>
  (container, key) => {
    if (!isList(container)) return fromEntries([...Object.entries(container), [key, value]]);
    const index = key === "-" ? container.length : indexIn(key, container.length + 1);
    return container.toSpliced(index, 0, value);
  };

const replace =
  (value: Json): Edit =>
  (container, key) =>
    isList(container)
      ? container.with(indexIn(key, container.length), value)
      : fromEntries([...Object.entries(container), [key, value]]);

const remove: Edit = (container, key) => {
  if (isList(container)) return container.toSpliced(indexIn(key, container.length), 1);
  if (!has(container, key)) throw unprocessable();
  return fromEntries(Object.entries(container).filter(([name]) => name !== key));
};

/** The document with one container in it changed; the way there must exist. */
function edit(document: Json, path: string, change: Edit): Json {
  const steps = stepsOf(path);
  const last = steps.pop();
  if (last === undefined) throw unprocessable();
  return descend(document, steps, (container) => change(container, last));
}

function descend(value: Json, steps: readonly string[], change: (container: Parameters<Edit>[0]) => Json): Json {
  if (!isObject(value) && !isList(value)) throw unprocessable();
  const [step, ...rest] = steps;
  if (step === undefined) return change(value);
  const inner = descend(childOf(value, step) ?? null, rest, change);
  return replace(inner)(value, step);
}

/** What stands at a path; undefined for a key that an object does not have. Throws when the way there does not exist. */
function valueAt(document: Json, path: string): Json | undefined {
  const steps = stepsOf(path);
  if (steps.length === 0) throw unprocessable();
  return steps.reduce<Json | undefined>((value, step) => {
    if (!isObject(value) && !isList(value)) throw unprocessable();
    return childOf(value, step);
  }, document);
}

function childOf(container: Parameters<Edit>[0], step: string): Json | undefined {
  return isList(container) ? container[indexIn(step, container.length)] : get(container, step);
}

/** The steps of a JSON pointer. What stands before the first slash is not looked at, as upstream. */
function stepsOf(path: string): string[] {
  return path
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll(/~[01]/g, (escaped) => (escaped === "~1" ? "/" : "~")));
}

/** A position below `length`; a negative one counts from the end. */
function indexIn(key: string, length: number): number {
  if (!/^[+-]?\d+$/.test(key)) throw unprocessable();
  const number = Number(key);
  const index = number < 0 ? number + length : number;
  if (index < 0 || index >= length) throw unprocessable();
  return index;
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
