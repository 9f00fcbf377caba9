/** The nodes of a YAML document as JSON text: aliases written out, `<<` merged in, keys sorted, as sigs.k8s.io/yaml does. */
import { isAlias, isMap, isScalar, isSeq, type ParsedNode } from "yaml";
import { goQuote } from "./go-quote.ts";
import { YamlError } from "./yaml-error.ts";
import type { YamlDocument } from "./yaml-parse.ts";
import { resolveScalar, type YamlScalar } from "./yaml-scalar.ts";

export interface ConvertedYaml {
  /** JSON. */
  readonly text: string;
  /** Keys that stand twice, a line each: `line 3: key "a" already set in map`. The last one counts. */
  readonly duplicates: readonly string[];
}

/** Throws `YamlError` for what has no JSON, and for aliases that would make too much of little. */
export function writeJson(document: YamlDocument): ConvertedYaml {
  const converter = new Converter(document);
  return { text: converter.json(document.contents), duplicates: converter.duplicates };
}

type Node = ParsedNode | null;

/** Written out, a text with aliases may be longer than it was, but not without end. */
const MAX_LENGTH = 2 ** 24;

class Converter {
  readonly duplicates: string[] = [];
  readonly #document: YamlDocument;
  readonly #anchors = new Map<string, ParsedNode>();
  /** The anchors whose aliases are being written out. */
  readonly #open = new Set<string>();
  #nodes = 0;
  #aliased = 0;
  #length = 0;

  constructor(document: YamlDocument) {
    this.#document = document;
  }

  json(node: Node): string {
    this.#count();
    if (node === null) return "null";
    if (isAlias(node)) return this.#through(node.source, (target) => this.json(target));
    this.#remember(node);
    if (isSeq(node)) return `[${node.items.map((item) => this.json(item as Node)).join(",")}]`;
    if (!isMap(node)) return this.#measured(scalarJson(valueOf(node)));
    const entries = new Map<string, string>();
    this.#fill(entries, node);
    const keys = [...entries.keys()].sort();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${entries.get(key) ?? "null"}`).join(",")}}`;
  }

  /** Adds the entries of a mapping, and of what it merges in, in the order in which they stand. */
  #fill(entries: Map<string, string>, node: Node): void {
    if (!isMap(node)) throw new YamlError("map merge requires map or sequence of maps as the value");
    this.#remember(node);
    for (const { key, value } of node.items as { key: Node; value: Node }[]) {
      if (isMergeKey(key)) {
        this.#merge(entries, value);
        continue;
      }
      const name = this.#measured(this.#keyText(key));
      const json = this.json(value);
      if (entries.has(name)) this.duplicates.push(this.#duplicate(name, key, value));
      entries.set(name, json);
    }
  }

  /** Of several mappings the first counts most, so it comes last. */
  #merge(entries: Map<string, string>, node: Node): void {
    const nodes = isSeq(node) ? (node.items as Node[]).toReversed() : [node];
    for (const each of nodes) {
      this.#count();
      if (isAlias(each)) this.#through(each.source, (target) => this.#fill(entries, target));
      else this.#fill(entries, each);
    }
  }

  #keyText(key: Node): string {
    this.#count();
    if (isAlias(key)) return this.#through(key.source, (target) => this.#keyText(target));
    if (key !== null) this.#remember(key);
    if (key !== null && !isScalar(key)) throw new YamlError("invalid map key: only scalars can be keys");
    const value = key === null ? null : valueOf(key);
    if (value === null) throw new YamlError("unsupported map key: null");
    return typeof value === "number" ? floatKey(value) : String(value);
  }

  #duplicate(name: string, key: Node, value: Node): string {
    const line = this.#document.lineOf((value ?? key)?.range[0] ?? 0);
    const shown = isScalar(key) && typeof valueOf(key) !== "string" ? name : goQuote(name);
    return `line ${line}: key ${shown} already set in map`;
  }

  #remember(node: ParsedNode): void {
    if (!isAlias(node) && node.anchor !== undefined) this.#anchors.set(node.anchor, node);
  }

  #through<T>(name: string, read: (target: ParsedNode) => T): T {
    const target = this.#anchors.get(name);
    if (target === undefined) throw new YamlError(`unknown anchor '${name}' referenced`);
    if (this.#open.has(name)) throw new YamlError(`anchor '${name}' value contains itself`);
    this.#open.add(name);
    const result = read(target);
    this.#open.delete(name);
    return result;
  }

  #count(): void {
    this.#nodes++;
    if (this.#open.size > 0) this.#aliased++;
    if (this.#aliased > 100 && this.#nodes > 1000 && this.#aliased / this.#nodes > allowedAliases(this.#nodes)) {
      throw excessive();
    }
  }

  #measured(text: string): string {
    this.#length += text.length;
    if (this.#open.size > 0 && this.#length > MAX_LENGTH) throw excessive();
    return text;
  }
}

function excessive(): YamlError {
  return new YamlError("document contains excessive aliasing");
}

/** How much of a document may come from aliases (go-yaml v2, decode.go): the larger it is, the less. */
function allowedAliases(nodes: number): number {
  const [small, large] = [400_000, 4_000_000];
  return 0.99 - 0.89 * Math.min(1, Math.max(0, (nodes - small) / (large - small)));
}

function isMergeKey(key: Node): boolean {
  return isScalar(key) && key.source === "<<" && key.type === "PLAIN";
}

function valueOf(node: Node): YamlScalar {
  if (!isScalar(node)) return null;
  const text = typeof node.value === "string" ? node.value : "";
  return resolveScalar(text, node.type === "PLAIN" || node.type === undefined, node.tag);
}

function scalarJson(value: YamlScalar): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number" && !Number.isFinite(value)) {
    const shown = Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
    throw new YamlError(`unsupported value: ${shown}`, "json");
  }
  return JSON.stringify(value);
}

/** As short as a number of 32 bits may be written: upstream prints keys no more exactly than that. */
function floatKey(value: number): string {
  if (Number.isNaN(value)) return ".nan";
  if (!Number.isFinite(value)) return value > 0 ? ".inf" : "-.inf";
  return String(Number(Math.fround(value).toPrecision(7)));
}
