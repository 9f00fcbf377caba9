/** Every object of a stream of documents: what `kubectl get ... -o yaml` or `-o json` prints, lists in lists, or manifests. */
import { OutgrowError } from "../../core/errors.ts";
import type { Cutter } from "./cutter.ts";
import { jsonCutter } from "./json-cutter.ts";
import { type Format, type KeepOf, parsePiece } from "./parse-piece.ts";
import { describePlace, type Place } from "./place.ts";
import { readText, type Source } from "./sources.ts";
import { yamlCutter } from "./yaml-cutter.ts";

/** An object, or what claims to be one: only its kind and version have been looked at. */
export interface FoundObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly value: unknown;
  readonly place: Place;
}

interface Found {
  readonly value: unknown;
  readonly place: Place;
}

/**
 * Hands over each object that `keepOf` wants something of, in the order of the input, and gives the number of documents.
 * Throws `INPUT_UNREADABLE` or `OBJECT_MALFORMED` naming the document.
 */
export async function readObjects(
  sources: readonly Source[],
  keepOf: KeepOf,
  give: (object: FoundObject) => void,
): Promise<number> {
  let documents = 0;
  for (const source of sources) documents += await readSource(source, keepOf, give);
  return documents;
}

/** How many documents the source had. */
async function readSource(source: Source, keepOf: KeepOf, give: (object: FoundObject) => void): Promise<number> {
  let documents = 0;
  /** The items of the document that is being read: whether they are objects of a list, its last lines tell. */
  let items: Found[] = [];
  for await (const { piece, format } of piecesOf(source)) {
    const place: Place = { source: source.name, document: piece.document, item: piece.item };
    const value = await parsePiece(piece, format, describePlace(place), keepOf);
    if (piece.item !== undefined) {
      if (value !== undefined) items.push({ value, place });
      continue;
    }
    documents++;
    for (const object of objectsIn({ value, place }, items)) give(object);
    items = [];
  }
  return documents;
}

async function* piecesOf(source: Source) {
  let reader: { cutter: Cutter; format: Format } | undefined;
  for await (const text of readText(source)) {
    if (reader === undefined && !/\S/.test(text)) continue;
    reader ??= /^\s*\{/.test(text)
      ? { cutter: jsonCutter(), format: "json" }
      : { cutter: yamlCutter(), format: "yaml" };
    for (const piece of reader.cutter.push(text)) yield { piece, format: reader.format };
  }
  if (reader !== undefined) for (const piece of reader.cutter.end()) yield { piece, format: reader.format };
}

function* objectsIn({ value, place }: Found, cutOut: readonly Found[]): Generator<FoundObject> {
  // A kind that is passed over, known from its text; or nothing but comments.
  if (value === undefined || value === null) return;
  const { apiVersion, kind, items } = asObject(value, place);
  if (!kind.endsWith("List")) {
    yield { apiVersion, kind, value, place };
    return;
  }
  for (const found of cutOut) yield* itemsIn(found, apiVersion, kind);
  if (items === undefined || items === null) return;
  if (!Array.isArray(items)) throw malformed(place, kind, "items: expected a list");
  for (const [index, item] of items.entries()) {
    yield* itemsIn({ value: item, place: { ...place, item: index + 1 } }, apiVersion, kind);
  }
}

/** The API server's own lists name the kind once, at the list (`PersistentVolumeClaimList`), and not at each item. */
function itemsIn({ value, place }: Found, apiVersion: string, listKind: string): Generator<FoundObject> {
  const inherited = listKind === "List" ? {} : { apiVersion, kind: listKind.slice(0, -"List".length) };
  const named = typeof value === "object" && value !== null ? { ...inherited, ...value } : value;
  return objectsIn({ value: named, place }, []);
}

function asObject(value: unknown, place: Place): { apiVersion: string; kind: string; items?: unknown } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new OutgrowError("INPUT_UNREADABLE", `${describePlace(place)}: not a Kubernetes object`);
  }
  const { apiVersion, kind, items } = value as Record<string, unknown>;
  if (typeof kind !== "string" || kind === "") {
    throw malformed(place, undefined, "kind: is missing; was the document cut short?");
  }
  if (typeof apiVersion !== "string" || apiVersion === "") throw malformed(place, kind, "apiVersion: is missing");
  return { apiVersion, kind, items };
}

function malformed(place: Place, kind: string | undefined, problem: string): OutgrowError {
  const who = kind === undefined ? "" : ` (${kind})`;
  return new OutgrowError("OBJECT_MALFORMED", `${describePlace(place)}${who}: ${problem}`);
}
