/**
 * A reader for the YAML that kubectl prints, and nothing else.
 *
 * kubectl prints one regular subset: block style, plain keys, one scalar per line (long ones wrapped), lists that may
 * stand at the column of their key, `{}` and `[]` for what is empty. That subset can be read in one pass without building
 * a syntax tree, many times faster than a full YAML reader can. Anything outside it (comments, anchors, flow
 * collections, tags, odd keys, tabs, a key given twice) gives `undefined`, and the caller asks the full reader.
 * What is read here is what the full reader would have said: a property test compares the two.
 */
import { foldLines, readLiteral, readPlain } from "./block-scalar.ts";
import { type Keep, ruleFor } from "./keep.ts";
import { LineCursor } from "./line-cursor.ts";

/** Left out are words that YAML does not read as text, also when they stand as a key; and one that JavaScript does not. */
const KEY = /(?!(?:null|Null|NULL|true|True|TRUE|false|False|FALSE|__proto__):)[A-Za-z_][\w./-]*:(?=[ \n]|$)/y;
const LITERAL = /\|([+-]?)\n/y;
const SINGLE_QUOTED = /'([^']*(?:''[^']*)*)'/y;
const DOUBLE_QUOTED = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"/y;

/** Thrown and caught in this file alone: the text is outside the subset. */
class Irregular extends Error {}

/** The mapping that the text holds, as far as it is to be kept; undefined when the text is outside the subset. */
export function readBlockYaml(text: string, keep: Keep): Record<string, unknown> | undefined {
  if (text.includes("\t") || text.includes("\r")) return undefined;
  const cursor = new LineCursor(text);
  try {
    const column = cursor.nextColumn();
    const value = readMapping(cursor, column, cursor.at + column, keep);
    return cursor.nextColumn() < 0 ? value : undefined;
  } catch (error) {
    if (error instanceof Irregular) return undefined;
    throw error;
  }
}

/** Entries whose keys stand at `column`; the first key starts at `start`, which may be behind a dash. */
function readMapping(cursor: LineCursor, column: number, start: number, keep: Keep): Record<string, unknown> {
  const entries: Record<string, unknown> = {};
  for (let at = start; ; at = cursor.at + column) {
    KEY.lastIndex = at;
    if (!KEY.test(cursor.text)) throw new Irregular();
    cursor.at = KEY.lastIndex;
    const key = cursor.text.slice(at, cursor.at - 1);
    if (Object.hasOwn(entries, key)) throw new Irregular();

    const rule = ruleFor(keep, key);
    if (rule === undefined) skipValue(cursor, column);
    else entries[key] = readValue(cursor, column, rule);

    const next = cursor.nextColumn();
    if (next < column) return entries;
    if (next > column) throw new Irregular();
  }
}

/** What stands behind the colon of a key at `column`, or below it. */
function readValue(cursor: LineCursor, column: number, keep: Keep): unknown {
  if (!cursor.finishLine()) return readScalar(cursor, cursor.contentAt(cursor.at), column);
  const next = cursor.nextColumn();
  if (next > column) return readCollection(cursor, next, keep);
  const start = cursor.at + column;
  return next === column && cursor.isDash(start) ? readList(cursor, column, start, keep) : null;
}

/** A collection on lines of its own, the first of which is the next line and starts at `column`. */
function readCollection(cursor: LineCursor, column: number, keep: Keep): unknown {
  const start = cursor.at + column;
  return cursor.isDash(start) ? readList(cursor, column, start, keep) : readMapping(cursor, column, start, keep);
}

/** Entries whose dashes stand at `column`; the first dash is at `start`. */
function readList(cursor: LineCursor, column: number, start: number, keep: Keep): unknown[] {
  const entries: unknown[] = [];
  for (let dash = start; ; dash = cursor.at + column) {
    cursor.at = dash + 1;
    entries.push(readEntry(cursor, column, dash, keep));
    const next = cursor.nextColumn();
    if (next < column) return entries;
    if (next > column) throw new Irregular();
    // A list at the column of its key ends where the next key of that mapping starts.
    if (!cursor.isDash(cursor.at + column)) return entries;
  }
}

function readEntry(cursor: LineCursor, column: number, dash: number, keep: Keep): unknown {
  if (cursor.finishLine()) {
    const next = cursor.nextColumn();
    return next > column ? readCollection(cursor, next, keep) : null;
  }
  const start = cursor.contentAt(cursor.at);
  const inner = column + start - dash;
  if (cursor.isDash(start)) return readList(cursor, inner, start, keep);
  KEY.lastIndex = start;
  return KEY.test(cursor.text) ? readMapping(cursor, inner, start, keep) : readScalar(cursor, start, column);
}

/** A scalar that starts at `start`; lines below it that stand right of `column` belong to it. */
function readScalar(cursor: LineCursor, start: number, column: number): unknown {
  const first = cursor.text[start];
  if (first === '"') return readDoubleQuoted(cursor, start);
  if (first === "'") return readSingleQuoted(cursor, start, column);
  if (first === "|") return readLiteralBlock(cursor, start, column);
  if (first === "{" || first === "[") return readEmpty(cursor, start);
  return readPlainLines(cursor, start, column);
}

function readEmpty(cursor: LineCursor, start: number): unknown {
  const pair = cursor.text.slice(start, start + 2);
  if (pair !== "{}" && pair !== "[]") throw new Irregular();
  endScalar(cursor, start + 2);
  return pair === "{}" ? {} : [];
}

/** On one line and with escapes that JSON has, too; the full reader knows the others. */
function readDoubleQuoted(cursor: LineCursor, start: number): string {
  DOUBLE_QUOTED.lastIndex = start;
  const quoted = regular(DOUBLE_QUOTED.exec(cursor.text)?.[0]);
  endScalar(cursor, start + quoted.length);
  if (!quoted.includes("\\")) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw new Irregular();
  }
}

function readSingleQuoted(cursor: LineCursor, start: number, column: number): string {
  SINGLE_QUOTED.lastIndex = start;
  const inner = regular(SINGLE_QUOTED.exec(cursor.text)?.[1]);
  endScalar(cursor, start + inner.length + 2);
  return foldQuoted(inner, column).replaceAll("''", "'");
}

function foldQuoted(inner: string, column: number): string {
  if (!inner.includes("\n")) return inner;
  // Space at the edges counts when it is quoted; kubectl does not wrap such text.
  if (/^[ \n]|[ \n]$/.test(inner)) throw new Irregular();
  return regular(foldLines(inner, column));
}

function readLiteralBlock(cursor: LineCursor, start: number, column: number): string {
  LITERAL.lastIndex = start;
  const chomping = regular(LITERAL.exec(cursor.text)?.[1]);
  const from = LITERAL.lastIndex;
  cursor.at = cursor.endOfDeeper(from, column);
  return regular(readLiteral(cursor.text.slice(from, cursor.at), chomping));
}

function readPlainLines(cursor: LineCursor, start: number, column: number): unknown {
  const end = cursor.lineEnd(start);
  cursor.at = cursor.lineAfter(start);
  if (cursor.nextColumn() <= column) return regular(readPlain(cursor.text.slice(start, end)));
  cursor.at = cursor.endOfDeeper(cursor.at, column);
  return regular(readPlain(regular(foldLines(cursor.text.slice(start, cursor.at), column))));
}

/** Moves behind the value of a key at `column`, reading nothing of it. */
function skipValue(cursor: LineCursor, column: number): void {
  let line = cursor.lineAfter(cursor.at);
  for (;;) {
    line = cursor.endOfDeeper(line, column);
    if (cursor.columnAt(line) !== column || !cursor.isDash(line + column)) break;
    line = cursor.lineAfter(line);
  }
  cursor.at = line;
}

function endScalar(cursor: LineCursor, end: number): void {
  cursor.at = end;
  if (!cursor.finishLine()) throw new Irregular();
}

function regular<T>(value: T | undefined): T {
  if (value === undefined) throw new Irregular();
  return value;
}
