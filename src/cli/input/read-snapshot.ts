/** Reads all sources into one snapshot: what `kubectl get ... -o yaml` or `-o json` prints, or manifests. */
import { OutgrowError } from "../../core/errors.ts";
import type { Cutter } from "./cutter.ts";
import { jsonCutter } from "./json-cutter.ts";
import { knownKind } from "./kinds.ts";
import { type Format, parsePiece } from "./parse-piece.ts";
import { describePlace, type Place } from "./place.ts";
import { type Snapshot, type SnapshotBuilder, snapshotBuilder } from "./snapshot.ts";
import { readText, type Source } from "./sources.ts";
import { yamlCutter } from "./yaml-cutter.ts";

interface Found {
  readonly value: unknown;
  readonly place: Place;
}

/**
 * All objects of the kinds that a plan reads; others are passed over. Throws `INPUT_UNREADABLE` or `OBJECT_MALFORMED`
 * naming the document, and the field where there is one.
 */
export async function readSnapshot(sources: readonly Source[]): Promise<Snapshot> {
  const builder = snapshotBuilder();
  let documents = 0;
  for (const source of sources) documents += await readSource(source, builder);
  if (documents === 0) {
    throw new OutgrowError(
      "INPUT_UNREADABLE",
      `there is no object in ${sources.map((source) => source.name).join(", ")}; ` +
        "give what `kubectl get sts,pvc,pv,sc,resourcequota,limitrange,csidriver,pod -o yaml` prints",
    );
  }
  return builder.build();
}

/** How many documents the source had. */
async function readSource(source: Source, builder: SnapshotBuilder): Promise<number> {
  let documents = 0;
  /** The items of the document that is being read: whether they are objects of a list, its last lines tell. */
  let items: Found[] = [];
  for await (const { piece, format } of piecesOf(source)) {
    const place: Place = { source: source.name, document: piece.document, item: piece.item };
    const value = await parsePiece(piece, format, describePlace(place));
    if (piece.item !== undefined) {
      if (value !== undefined) items.push({ value, place });
      continue;
    }
    documents++;
    addDocument({ value, place }, items, builder);
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

function addDocument({ value, place }: Found, cutOut: readonly Found[], builder: SnapshotBuilder): void {
  // A kind that no rule reads, known from its text; or nothing but comments.
  if (value === undefined || value === null) return;
  const { apiVersion, kind, items } = asObject(value, place);
  if (!kind.endsWith("List")) {
    const known = knownKind(apiVersion, kind);
    if (known !== undefined) builder.add(known, value, place);
    return;
  }
  for (const found of cutOut) addItem(found, apiVersion, kind, builder);
  if (items === undefined || items === null) return;
  if (!Array.isArray(items)) throw malformed(place, kind, "items: expected a list");
  for (const [index, item] of items.entries()) {
    addItem({ value: item, place: { ...place, item: index + 1 } }, apiVersion, kind, builder);
  }
}

/** The API server's own lists name the kind once, at the list (`PersistentVolumeClaimList`), and not at each item. */
function addItem({ value, place }: Found, apiVersion: string, listKind: string, builder: SnapshotBuilder): void {
  const inherited = listKind === "List" ? {} : { apiVersion, kind: listKind.slice(0, -"List".length) };
  const named = typeof value === "object" && value !== null ? { ...inherited, ...value } : value;
  addDocument({ value: named, place }, [], builder);
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
