/**
 * How printer columns write a JSONPath, as client-go reads it: fields (`.a.b`, `.a\.b`, `['a']`), places and slices of a list
 * (`[0]`, `[-1]`, `[1:3]`), everything (`[*]`, `.*`), items by a comparison or by what they have
 * (`[?(@.type=="Ready")]`, `[?(@.ready)]`), several (`[0,2]`), at any depth (`..name`).
 */
import type { Filter, JsonPath, Operand, Step } from "./json-path.ts";

/** The value at hand, at the start of a path and of an operand; blanks mean nothing. */
const SKIPPED = /[ @$]+/y;
/** Its second dot is also that of the field after it. */
const DESCENT = /\.(?=\.[\p{L}\p{N}_])|\.\./uy;
const FIELD = /\.((?:\\.|[^\s.,[\]$@{}\\])*)/y;
/** Up to the parenthesis that closes it; those in quotes are text. */
const FILTER = /\[\?\(((?:[^"')\n]|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')*)\)\]/y;
const BRACKETS = /\[([^\]\n]*)\]/y;

const KEY = /^'([^']*)'$/;
const SLICE = /^(-?\d+)?(:(?:-?\d+)?)?(:(?:-?\d+)?)?$/;
const COMPARISON = /^([^!<>=]+)([!<>=]+)(.+)$/s;

/** The steps of a path; undefined for what is not one. */
export function parseJsonPath(text: string): JsonPath | undefined {
  const steps: Step[] = [];
  let position = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = position;
    const found = pattern.exec(text);
    if (found === null) return undefined;
    position += found[0].length;
    return found[1] ?? "";
  };
  while (position < text.length) {
    if (match(SKIPPED) !== undefined) continue;
    const found = readSteps(match);
    if (found === undefined || (isDescent(found[0]) && isDescent(steps.at(-1)))) return undefined;
    steps.push(...found);
  }
  return steps;
}

function isDescent(step: Step | undefined): boolean {
  return step?.kind === "descent";
}

function readSteps(match: (pattern: RegExp) => string | undefined): JsonPath | undefined {
  if (match(DESCENT) !== undefined) return [{ kind: "descent" }];
  const field = match(FIELD);
  if (field !== undefined) return [readField(field)];
  const condition = match(FILTER);
  if (condition !== undefined) {
    const filter = readFilter(condition);
    return filter && [{ kind: "filter", filter }];
  }
  const inner = match(BRACKETS);
  return inner === undefined ? undefined : readBrackets(inner);
}

function readField(written: string): Step {
  return written === "*" ? { kind: "wildcard" } : { kind: "field", name: written.replaceAll("\\", "") };
}

/** A key in quotes is read like a field, dots and all: `['a.b']` is `.a.b`. */
function readBrackets(inner: string): JsonPath | undefined {
  if (inner === "*") return [{ kind: "slice", from: 0, to: undefined, step: 1 }];
  if (inner.includes(",")) {
    const paths = inner.split(",").map((part) => readBrackets(part.trim()));
    const read = paths.filter((path) => path !== undefined);
    return read.length < paths.length ? undefined : [{ kind: "union", paths: read }];
  }
  const key = KEY.exec(inner)?.[1];
  if (key !== undefined) return parseJsonPath(`.${key}`);
  const parts = SLICE.exec(inner);
  if (parts === null) return undefined;
  const [, from = "", to, step] = parts;
  if (to === undefined) return [{ kind: "index", index: Number(from || "0") }];
  return [{ kind: "slice", from: Number(from || "0"), to: afterColon(to), step: afterColon(step) ?? 1 }];
}

function afterColon(part: string | undefined): number | undefined {
  return part === undefined || part === ":" ? undefined : Number(part.slice(1));
}

function readFilter(condition: string): Filter | undefined {
  const parts = COMPARISON.exec(condition);
  if (parts === null) {
    const operand = readOperand(condition);
    return operand && { kind: "exists", operand };
  }
  const [, leftText = "", comparison = "", rightText = ""] = parts;
  const [left, right] = [readOperand(leftText), readOperand(rightText)];
  return left && right && { kind: "compare", left, comparison, right };
}

function readOperand(written: string): Operand | undefined {
  const text = written.trim();
  const quoted = /^(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)')$/.exec(text);
  if (quoted !== null) return { kind: "value", value: (quoted[1] ?? quoted[2] ?? "").replaceAll(/\\(.)/g, "$1") };
  if (/^[+-]?\d+(?:\.\d+)?$/.test(text)) return { kind: "value", value: Number(text) };
  if (text === "true" || text === "false") return { kind: "value", value: text === "true" };
  const path = parseJsonPath(text);
  return path && { kind: "path", path };
}
