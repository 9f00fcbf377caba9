/**
 * JSON values as YAML, in the style that Kubernetes writes: keys in order, lists not indented, texts of several lines as blocks. Texts
 * that could be taken for something else are quoted, as JSON quotes them.
 */
import { isList, isObject, type Json, type JsonObject } from "../json.ts";

/** With the end of its last line. */
export function toYaml(value: Json): string {
  if (isObject(value) && Object.keys(value).length > 0) return mapLines(value, "");
  if (isList(value) && value.length > 0) return listLines(value, "");
  return `${inline(value, "")}\n`;
}

/** The value as an item of a list that stands at this indent. */
export function yamlItem(value: Json, indent: string): string {
  return `${indent}- ${afterDash(value, `${indent}  `)}`;
}

function mapLines(map: JsonObject, indent: string): string {
  let text = "";
  for (const key of Object.keys(map).sort()) {
    const value = map[key] ?? null;
    text += `${indent}${scalarText(key)}:`;
    if (isObject(value) && Object.keys(value).length > 0) text += `\n${mapLines(value, `${indent}  `)}`;
    else if (isList(value) && value.length > 0) text += `\n${listLines(value, indent)}`;
    else text += ` ${inline(value, `${indent}  `)}\n`;
  }
  return text;
}

function listLines(list: readonly Json[], indent: string): string {
  let text = "";
  for (const item of list) text += yamlItem(item, indent);
  return text;
}

/** What follows a dash; `indent` is that of the lines below it. */
function afterDash(value: Json, indent: string): string {
  if (isObject(value) && Object.keys(value).length > 0) return mapLines(value, indent).slice(indent.length);
  if (isList(value) && value.length > 0) return listLines(value, indent).slice(indent.length);
  return `${inline(value, indent)}\n`;
}

function inline(value: Json, indent: string): string {
  if (isList(value)) return "[]";
  if (isObject(value)) return "{}";
  if (typeof value !== "string") return String(value);
  return isBlock(value) ? block(value, indent) : scalarText(value);
}

/** Several lines, of which the first is not blank and does not begin with a space: its indent would be taken for that of the block. */
const BLOCK = /^[^\s][^\r\u0085\u2028\u2029]*\n/;
/** Whatever YAML does not let stand in a text as it is, and a little more. */
const UNPRINTABLE = /[^\P{C}\t\n]|[\u2028\u2029]/u;

function isBlock(text: string): boolean {
  return text.includes("\n") && BLOCK.test(text) && !UNPRINTABLE.test(text);
}

/** How it ends is said in front: with one line break, with none, or with several. */
function block(text: string, indent: string): string {
  const ends = text.endsWith("\n\n") ? "|+" : text.endsWith("\n") ? "|" : "|-";
  const lines = (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
  return `${ends}\n${lines.map((line) => (line === "" ? "" : indent + line)).join("\n")}`;
}

const WORDS = /^[A-Za-z/_][\w./@+-]*(?::[\w./@+-]+)*(?: [\w./@+-]+(?::[\w./@+-]+)*)*$/;
const SIZE = /^\d+(?:[KMGTP]i|[mkMGTP])$/;
const ADDRESS = /^\d+\.\d+\.\d+\.\d+$/;
/** What one version of YAML or another takes for something else than a text. */
const MEANING = /^(?:y|n|yes|no|on|off|true|false|null|e\d+)$/i;

function scalarText(text: string): string {
  const isPlain = (WORDS.test(text) && !MEANING.test(text)) || SIZE.test(text) || ADDRESS.test(text);
  return isPlain ? text : JSON.stringify(text).replace(UNPRINTABLE_QUOTED, escaped);
}

const UNPRINTABLE_QUOTED = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

function escaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
