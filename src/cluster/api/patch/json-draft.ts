/**
 * A JSON document that is being edited in many small steps. Only the containers on the way to an edit are copied, each once,
 * whatever it holds: ten thousand edits of an object with ten thousand keys are not a hundred million copies.
 */
import { fromEntries, isList, isObject, type Json, jsonEqual } from "../json.ts";
import { StatusError, unprocessable } from "../status-error.ts";
import { ChunkedList } from "./chunked-list.ts";

/** Plain JSON, which stays as it is, or a container that was opened for editing and belongs to the draft alone. */
type Node = Json | OpenObject | OpenList;
class OpenObject {
  readonly entries: Map<string, Node>;
  constructor(entries: Iterable<readonly [string, Node]>) {
    this.entries = new Map(entries);
  }
}
class OpenList {
  readonly items: ChunkedList<Node>;
  constructor(items: readonly Node[]) {
    this.items = new ChunkedList(items);
  }
}
type Container = OpenObject | OpenList;

/** No object is nested deeper; what is made of it here could otherwise become so, by moving. */
const MAX_DEPTH = 1_000;

/** The way to a place does not exist: told apart from all else that may be wrong with an operation. */
export class NoPlace extends StatusError {
  constructor() {
    const { code, reason, message, causes, about } = unprocessable();
    super(code, reason, message, causes, about);
  }
}

/** All paths are JSON pointers. Every operation throws `StatusError` 422 when the way to its place does not exist. */
export interface JsonDraft {
  /** What stands there; undefined for a key that an object does not have. */
  at(path: string): Json | undefined;
  /** Whether just this stands there; null is what is not there, too. */
  equals(path: string, value: Json): boolean;
  /** Into an object under its key, into a list at its place; `-` is behind the last. */
  add(path: string, value: Json): void;
  /** A key that an object does not have is added. */
  replace(path: string, value: Json): void;
  remove(path: string): void;
  move(from: string, path: string): void;
  /** The document as plain JSON. */
  close(): Json;
}

/** The given document is left as it is. */
export function openDraft(document: Json): JsonDraft {
  let root: Node = document;

  /** The container that a path ends in, opened, and the last step. */
  function place(path: string): readonly [Container, string] {
    const steps = stepsOf(path);
    const last = steps.pop();
    if (last === undefined) throw unprocessable();
    let container = opened(root);
    root = container;
    for (const step of steps) {
      const child = opened(childOf(container, step) ?? null);
      setChild(container, step, child);
      container = child;
    }
    return [container, last];
  }

  function insert(path: string, value: Node): void {
    const [container, step] = place(path);
    if (container instanceof OpenObject) container.entries.set(step, value);
    else {
      const { items } = container;
      items.insert(step === "-" ? items.length : indexIn(step, items.length + 1), value);
    }
  }

  /** What was there. */
  function take(path: string): Node {
    const [container, step] = place(path);
    const taken = childOf(container, step);
    if (taken === undefined) throw unprocessable();
    if (container instanceof OpenObject) container.entries.delete(step);
    else container.items.remove(indexIn(step, container.items.length));
    return taken;
  }

  return {
    at(path) {
      const found = childOf(...place(path));
      return found === undefined ? undefined : closed(found);
    },
    equals(path, value) {
      if (path === "") return same(root, value);
      return same(childOf(...place(path)) ?? null, value);
    },
    add: insert,
    replace(path, value) {
      if (path === "" && (isObject(value) || isList(value))) {
        root = value;
        return;
      }
      const [container, step] = place(path);
      setChild(container, step, value);
    },
    remove: (path) => void take(path),
    move: (from, path) => insert(path, take(from)),
    close: () => closed(root),
  };
}

function opened(node: Node): Container {
  if (node instanceof OpenObject || node instanceof OpenList) return node;
  if (isList(node)) return new OpenList(node);
  if (isObject(node)) return new OpenObject(Object.entries(node));
  throw new NoPlace();
}

function childOf(container: Container, step: string): Node | undefined {
  if (container instanceof OpenObject) return container.entries.get(step);
  return container.items.at(indexIn(step, container.items.length));
}

function setChild(container: Container, step: string, value: Node): void {
  if (container instanceof OpenObject) container.entries.set(step, value);
  else container.items.set(indexIn(step, container.items.length), value);
}

/** Nothing is written anew for it: how many keys an open object has is known. */
function same(node: Node, value: Json): boolean {
  if (node instanceof OpenObject) {
    if (!isObject(value)) return false;
    const entries = Object.entries(value);
    return (
      entries.length === node.entries.size &&
      entries.every(([key, inner]) => {
        const child = node.entries.get(key);
        return child !== undefined && same(child, inner);
      })
    );
  }
  if (node instanceof OpenList) {
    if (!isList(value) || value.length !== node.items.length) return false;
    const items = node.items.items();
    return value.every((inner, index) => same(items[index] ?? null, inner));
  }
  return jsonEqual(node, value);
}

function closed(node: Node, depth = 0): Json {
  if (depth > MAX_DEPTH) throw unprocessable();
  if (node instanceof OpenList) return node.items.items().map((item) => closed(item, depth + 1));
  if (!(node instanceof OpenObject)) return node;
  const entries: [string, Json][] = [];
  for (const [key, value] of node.entries) entries.push([key, closed(value, depth + 1)]);
  return fromEntries(entries);
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
