/**
 * One step into an object: a field, an item of a keyed list, an item of a set, or an index. `fieldsV1` writes a step as a
 * text (`f:spec`, `k:{"name":"a"}`, `v:"x"`, `i:0`), and that text is also how two steps are told apart.
 */
import { isList, isObject, type Json } from "../../json.ts";

export type PathElement =
  /** `text`: the step as `fieldsV1` writes it; made once, since every set that the step is in asks for it. */
  | { readonly kind: "field"; readonly name: string; readonly text: string }
  /** The fields that tell the item apart, sorted by name. */
  | { readonly kind: "key"; readonly fields: KeyFields; readonly text: string }
  | { readonly kind: "value"; readonly value: Json; readonly text: string }
  | { readonly kind: "index"; readonly index: number };

type KeyFields = readonly (readonly [name: string, value: Json])[];

/** Steps from an object to something in it. */
export type Path = readonly PathElement[];

/** The step to a field or a key of a map. */
export function field(name: string): PathElement {
  const known = FIELDS.get(name);
  if (known !== undefined) return known;
  const made: PathElement = { kind: "field", name, text: `f:${name}` };
  if (FIELDS.size < MAX_FIELDS) FIELDS.set(name, made);
  return made;
}

/** Every write asks for the same few hundred, again and again. Keys that users chose are among them: there may be any number of those. */
const FIELDS = new Map<string, PathElement>();
const MAX_FIELDS = 2000;

/** The step to the item of a keyed list with these fields. */
export function key(fields: KeyFields): PathElement {
  if (fields.length > 1) return keyOfMany(fields.toSorted(([a], [b]) => compareText(a, b)));
  const [only] = fields;
  return { kind: "key", fields, text: only === undefined ? "k:{}" : `k:{${goJson(only[0])}:${goJson(only[1])}}` };
}

function keyOfMany(fields: KeyFields): PathElement {
  const text = `k:{${fields.map(([name, inner]) => `${goJson(name)}:${goJson(inner)}`).join(",")}}`;
  return { kind: "key", fields, text };
}

/** The step to an item of a set. */
export function value(item: Json): PathElement {
  return { kind: "value", value: item, text: `v:${goJson(item)}` };
}

/** The step as `fieldsV1` writes it. */
export function encodeElement(element: PathElement): string {
  return element.kind === "index" ? `i:${element.index}` : element.text;
}

/** Reads a step; undefined for a kind that is not known, which is to be passed over. Throws for one that is malformed. */
export function decodeElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new SyntaxError("key must be 2 characters long:");
  if (text[1] !== ":") throw new SyntaxError(`missing colon: ${text}`);
  const content = text.slice(2);
  switch (text.charAt(0)) {
    case "f":
      return field(content);
    case "v":
      return value(JSON.parse(content) as Json);
    case "k": {
      const plain = PLAIN_KEY.exec(content);
      if (plain !== null) return { kind: "key", fields: [[plain[1] ?? "", plain[2] ?? ""]], text };
      const fields = JSON.parse(content) as Json;
      if (!isObject(fields)) throw new SyntaxError(`not the key of an item: ${text}`);
      return key(Object.entries(fields));
    }
    case "i":
      if (!/^[+-]?\d+$/.test(content)) throw new SyntaxError(`not an index: ${text}`);
      return { kind: "index", index: Number(content) };
    default:
      return undefined;
  }
}

/** What nearly every item is told apart by: one text, in which nothing is written otherwise. */
const PLAIN_KEY = /^\{"([\w.-]+)":"([ !#-%'-;=?-[\]-~]*)"\}$/;

/** `.spec.containers[name="a"].ports[containerPort=80,protocol="TCP"]` */
export function pathText(path: Path): string {
  return path.map(elementText).join("");
}

/** One step as messages show it. */
export function elementText(element: PathElement): string {
  switch (element.kind) {
    case "field":
      return `.${element.name}`;
    case "key":
      return `[${element.fields.map(([name, value]) => `${name}=${valueText(value)}`).join(",")}]`;
    case "value":
      return `[=${valueText(element.value)}]`;
    case "index":
      return `[${element.index}]`;
  }
}

/** The order in which Kubernetes lists steps: fields, keys, values, indices; each kind by its content. */
export function compareElements(a: PathElement, b: PathElement): number {
  if (a.kind === "field" && b.kind === "field") return compareText(a.name, b.name);
  if (a.kind === "value" && b.kind === "value") return compareJson(a.value, b.value);
  if (a.kind === "index" && b.kind === "index") return a.index - b.index;
  if (a.kind === "key" && b.kind === "key") {
    if (a.text === b.text) return 0;
    for (let index = 0; index < a.fields.length; index++) {
      const [own, other] = [a.fields[index], b.fields[index]];
      if (own === undefined || other === undefined) return 1;
      const order = compareText(own[0], other[0]) || compareJson(own[1], other[1]);
      if (order !== 0) return order;
    }
    return a.fields.length - b.fields.length;
  }
  return RANK[a.kind] - RANK[b.kind];
}

const RANK: Readonly<Record<PathElement["kind"], number>> = { field: 0, key: 1, value: 2, index: 3 };
const TYPES = ["number", "string", "boolean"];

function compareJson(a: Json, b: Json): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  if (typeof a === typeof b) return compareText(JSON.stringify(a), JSON.stringify(b));
  return TYPES.indexOf(typeof a) - TYPES.indexOf(typeof b);
}

/** The order of UTF-8 bytes. Only surrogates, which stand for what comes last, are in another order as JavaScript compares. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (left !== right)
      return isSurrogate(left) === isSurrogate(right) || left < 0xd800 || right < 0xd800 ? left - right : right - left;
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** The value as messages show it: Go's `%q` for strings. */
function valueText(value: Json): string {
  if (isList(value)) return `[${value.map(valueText).join(",")}]`;
  if (isObject(value))
    return Object.entries(value)
      .map(([name, inner]) => `${name}=${valueText(inner)}`)
      .join("");
  return JSON.stringify(value);
}

/** JSON as Go's encoder writes it: safe to stand in HTML. */
export function goJson(value: Json): string {
  if (typeof value === "string" && PLAIN.test(value)) return `"${value}"`;
  return JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, (found) => {
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** Nothing in it is written otherwise. */
const PLAIN = /^[ !#-%'-;=?-[\]-~]*$/;
