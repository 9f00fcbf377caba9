/** Where input comes from: files, the files of a folder, standard input. */
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, OutgrowError } from "../../core/errors.ts";

/** One stream of text, with the name that messages call it by. */
export interface Source {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
}

const ENDINGS = [".yaml", ".yml", ".json"];

/**
 * The sources that the paths stand for, in the order given: `-` is standard input, a folder is its YAML and JSON files
 * by name (not those of folders in it, as kubectl does). Throws `INPUT_UNREADABLE` for what is not there.
 */
export async function openSources(
  paths: readonly string[],
  standardInput: AsyncIterable<Uint8Array>,
): Promise<Source[]> {
  if (paths.filter((path) => path === "-").length > 1) {
    throw new OutgrowError("USAGE", "standard input can be read once only; give -f - once");
  }
  const sources: Source[] = [];
  for (const path of paths) {
    if (path === "-") sources.push({ name: "standard input", chunks: standardInput });
    else sources.push(...(await filesAt(path)).map((file) => ({ name: file, chunks: readFile(file) })));
  }
  return sources;
}

async function filesAt(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const names = (await readdir(path)).filter((name) => ENDINGS.some((ending) => name.endsWith(ending))).sort();
    if (names.length > 0) return names.map((name) => join(path, name));
  } catch (error) {
    throw new OutgrowError("INPUT_UNREADABLE", `cannot read ${path}: ${messageOf(error)}`, { cause: error });
  }
  throw new OutgrowError("INPUT_UNREADABLE", `${path} has no file that ends in ${ENDINGS.join(", ")}`);
}

/** The stream is opened when it is first read, so that a hundred files are not open at once. */
async function* readFile(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: 256 * 1024 });
  } catch (error) {
    throw new OutgrowError("INPUT_UNREADABLE", `cannot read ${path}: ${messageOf(error)}`, { cause: error });
  }
}

/** The text of a source in portions, with `\n` as the only line end. Throws `INPUT_UNREADABLE` when it is not UTF-8. */
export async function* readText(source: Source): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  // A carriage return at the end of a portion waits for the line feed that may open the next one.
  let held = "";
  const decode = (bytes?: Uint8Array) => {
    try {
      return held + (bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true }));
    } catch (error) {
      throw new OutgrowError("INPUT_UNREADABLE", `${source.name} is not UTF-8 text`, { cause: error });
    }
  };
  for await (const bytes of source.chunks) {
    let text = decode(bytes);
    held = text.endsWith("\r") ? "\r" : "";
    if (held !== "") text = text.slice(0, -1);
    yield text.includes("\r") ? text.replaceAll("\r\n", "\n") : text;
  }
  const rest = decode();
  if (rest !== "") yield rest;
}
