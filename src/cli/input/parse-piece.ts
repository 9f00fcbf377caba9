/** Turns a piece of text into an object: the fast reader where it can, the full ones where it must. */
import { messageOf, OutgrowError } from "../../core/errors.ts";
import { readBlockYaml } from "./block-yaml.ts";
import type { Piece } from "./cutter.ts";
import { type Keep, prune } from "./keep.ts";

export type Format = "yaml" | "json";

/** What is kept of an object of this kind; undefined: nothing, it is passed over. */
export type KeepOf = (apiVersion: string, kind: string) => Keep | undefined;

/** The top-level keys of an item stand at column 2, those of a document at column 0; nothing else in it does. */
const ITEM = { apiVersion: /^ {2}apiVersion: ([\w./]+)$/m, kind: /^ {2}kind: (\w+)$/m } as const;
const DOCUMENT = { apiVersion: /^apiVersion: ([\w./]+)$/m, kind: /^kind: (\w+)$/m } as const;

/**
 * The value that a piece holds, pruned to what is kept of its kind; undefined for an object of a kind that is passed over,
 * where the text tells it without being read. Throws `INPUT_UNREADABLE`, naming `where`, for text that is neither.
 */
export async function parsePiece(piece: Piece, format: Format, where: string, keepOf: KeepOf): Promise<unknown> {
  const { text, item } = piece;
  if (format === "json" || text.startsWith("{")) return pruneByKind(parseJson(text, where), keepOf);

  const peek = item === undefined ? DOCUMENT : ITEM;
  const kind = peek.kind.exec(text)?.[1];
  const apiVersion = peek.apiVersion.exec(text)?.[1];
  let keep: Keep = true;
  if (kind !== undefined && apiVersion !== undefined && !kind.endsWith("List")) {
    const wanted = keepOf(apiVersion, kind);
    if (wanted === undefined) return undefined;
    keep = wanted;
  }
  const regular = readBlockYaml(text, keep);
  if (regular === undefined) return pruneByKind(await parseYaml(text, where), keepOf);
  return detach(regular);
}

/** Parts of a text keep the whole text in memory; a pod's text is many times what we keep of it. */
function detach(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function pruneByKind(value: unknown, keepOf: KeepOf): unknown {
  const { apiVersion, kind } = (value ?? {}) as Record<string, unknown>;
  if (typeof apiVersion !== "string" || typeof kind !== "string") return value;
  const keep = keepOf(apiVersion, kind);
  return keep === undefined ? value : prune(value, keep);
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new OutgrowError("INPUT_UNREADABLE", `${where}: not JSON: ${messageOf(error)}`, { cause: error });
  }
}

/** Loaded only when some text needs it: hand-written files do, what kubectl prints does not. */
async function parseYaml(text: string, where: string): Promise<unknown> {
  const { parse, YAMLError } = await import("../yaml.ts");
  try {
    return parse(text, { logLevel: "error", prettyErrors: false });
  } catch (error) {
    if (!(error instanceof YAMLError)) throw error;
    const line = text.slice(text.lastIndexOf("\n", error.pos[0] - 1) + 1).split("\n", 1)[0];
    throw new OutgrowError(
      "INPUT_UNREADABLE",
      `${where}: not YAML: ${error.message}, at ${JSON.stringify(line?.trim())}`,
      {
        cause: error,
      },
    );
  }
}
