/**
 * A set of fields of an object, as a tree. A field may be in the set by itself (`member`), with fields below it, or both:
 * who owns `.metadata.labels` and who owns a label in it are two questions. Sets are never changed, only made.
 */
import { compareElements, encodeElement, type Path, type PathElement } from "./path-element.ts";

export type FieldSet = ReadonlyMap<string, FieldNode>;

export interface FieldNode {
  readonly element: PathElement;
  readonly member: boolean;
  /** Fields below this one. A node that is no member has some. */
  readonly children: FieldSet;
}

/** The empty set. */
export const NO_FIELDS: FieldSet = new Map();

/** Collects a set step by step. */
export interface FieldSetBuilder {
  /** Adds what is given to the node of this element. */
  add(element: PathElement, member: boolean, children?: FieldSet): void;
  /** What was added so far. Nothing is added once it is given away. */
  built(): FieldSet;
}

/** A builder that has nothing yet. Made many times for each write, and so without a getter, which is slow to make. */
export function buildFieldSet(): FieldSetBuilder {
  return new Builder();
}

/** A class: closures for each of a hundred thousand take longer than all that is done with them. */
class Builder implements FieldSetBuilder {
  // Most stay empty: of what a write compares, nearly everything is the same, or all of it is new.
  #nodes: Map<string, FieldNode> | undefined;

  built(): FieldSet {
    return this.#nodes === undefined ? NO_FIELDS : shared(this.#nodes);
  }

  add(element: PathElement, member: boolean, children: FieldSet = NO_FIELDS): void {
    if (!member && children.size === 0) return;
    this.#nodes ??= new Map();
    const text = encodeElement(element);
    const old = this.#nodes.get(text);
    const joined = old === undefined ? children : union(old.children, children);
    this.#nodes.set(text, { element, member: member || (old?.member ?? false), children: joined });
  }
}

/**
 * The one set of just these fields, where they are few and nothing is below them: items of a list mostly have the same ones, and a hundred
 * thousand items need no more than one set between them. Larger sets are given back as they are.
 */
function shared(nodes: FieldSet): FieldSet {
  if (nodes.size > MAX_SHARED_FIELDS) return nodes;
  let text = "";
  for (const [step, { element, member, children }] of nodes) {
    if (element.kind !== "field" || !member || children.size > 0) return nodes;
    text += `${step.length}${step}`;
  }
  const known = SHARED.get(text);
  if (known !== undefined) return known;
  if (SHARED.size < MAX_SHARED) SHARED.set(text, nodes);
  return nodes;
}

const MAX_SHARED_FIELDS = 4;

/** Keys that users chose are among them: there may be any number of those. */
const SHARED = new Map<string, FieldSet>();
const MAX_SHARED = 2000;

/** The set of exactly these fields. */
export function setOfPaths(paths: Iterable<Path>): FieldSet {
  let set = NO_FIELDS;
  for (const path of paths) set = union(set, setOfPath(path));
  return set;
}

function setOfPath([element, ...rest]: Path): FieldSet {
  if (element === undefined) return NO_FIELDS;
  return node(encodeElement(element), { element, member: rest.length === 0, children: setOfPath(rest) });
}

function node(text: string, value: FieldNode): FieldSet {
  return new Map([[text, value]]);
}

/** What is in one of the two. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a.size === 0) return b;
  if (b.size === 0 || a === b) return a;
  const joined = new Map(a);
  for (const [text, right] of b) {
    const left = joined.get(text);
    joined.set(
      text,
      left === undefined ? right : withParts(left, left.member || right.member, union(left.children, right.children)),
    );
  }
  return joined;
}

/** What is in both. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a.size === 0 || a === b) return a;
  if (b.size === 0) return NO_FIELDS;
  return mapNodes(a, (left, text) => {
    const right = b.get(text);
    if (right === undefined) return undefined;
    return withParts(left, left.member && right.member, intersection(left.children, right.children));
  });
}

/** What is in the first and not in the second. A field that goes leaves those below it. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (a.size === 0 || b.size === 0) return a;
  if (a === b) return NO_FIELDS;
  return mapNodes(a, (left, text) => {
    const right = b.get(text);
    if (right === undefined) return left;
    return withParts(left, left.member && !right.member, difference(left.children, right.children));
  });
}

/** What is in the first, and neither in the second nor below anything in it. */
export function differenceBelow(a: FieldSet, b: FieldSet): FieldSet {
  if (a.size === 0 || b.size === 0) return a;
  if (a === b) return NO_FIELDS;
  return mapNodes(a, (left, text) => {
    const right = b.get(text);
    if (right === undefined) return left;
    return right.member ? undefined : withParts(left, left.member, differenceBelow(left.children, right.children));
  });
}

/** The node with these; the node itself where they are its own. */
function withParts(node: FieldNode, member: boolean, children: FieldSet): FieldNode {
  return member === node.member && children === node.children ? node : { element: node.element, member, children };
}

/** The set with each node replaced, and without those of which nothing is left. The same set when all stay: large ones mostly do. */
export function mapNodes(set: FieldSet, change: (node: FieldNode, text: string) => FieldNode | undefined): FieldSet {
  let mapped: Map<string, FieldNode> | undefined;
  let kept = 0;
  for (const [text, old] of set) {
    const next = change(old, text);
    if (next === old && mapped === undefined) {
      kept++;
      continue;
    }
    mapped ??= firstOf(set, kept);
    if (next !== undefined && (next.member || next.children.size > 0)) mapped.set(text, next);
  }
  return mapped ?? set;
}

function firstOf(set: FieldSet, count: number): Map<string, FieldNode> {
  const first = new Map<string, FieldNode>();
  for (const [text, each] of set) {
    if (first.size === count) break;
    first.set(text, each);
  }
  return first;
}

/** Whether the field at the path is itself in the set. */
export function hasPath(set: FieldSet, [element, ...rest]: Path): boolean {
  if (element === undefined) return false;
  const found = set.get(encodeElement(element));
  return found !== undefined && (rest.length === 0 ? found.member : hasPath(found.children, rest));
}

/** Nodes in Kubernetes' order. */
export function sortedNodes(set: FieldSet): FieldNode[] {
  return [...set.values()].sort((a, b) => compareElements(a.element, b.element));
}

/** The paths of all members: at each level first the members themselves, then what is below. */
export function pathsOf(set: FieldSet, prefix: Path = []): Path[] {
  const nodes = sortedNodes(set);
  return [
    ...nodes.filter(({ member }) => member).map(({ element }) => [...prefix, element]),
    ...nodes.flatMap(({ element, children }) => pathsOf(children, [...prefix, element])),
  ];
}
