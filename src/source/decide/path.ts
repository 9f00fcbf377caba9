/**
 * Where something stands in a custom resource: `.spec.storage.size`, `.metadata.annotations["example.com/paused"]`,
 * `.spec.nodeSets[*].volumeClaimTemplates`. The part of JSONPath that names places; nothing in it can run or search.
 */
import { OutgrowError } from "../../core/errors.ts";

/** One step down: to a field, to a place of a list, or to every item of a list. */
export type Step =
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "each" };

/** From the resource down. Never empty. */
export type Path = readonly Step[];

/** What stands at one of the places that a path leads to. */
export interface Found {
  readonly value: unknown;
  /** The way there, without `[*]`. */
  readonly at: Path;
  /** The item of the list that `[*]` went through on the way; of the last, where there are several. */
  readonly item: unknown;
}

const EXAMPLE = "as .spec.storage.size";
const OTHER_LETTERS = 'a name with other letters is written ["like.this"]';

const NAME = /[A-Za-z_][A-Za-z0-9_-]*/y;
const INDEX = /\[(\d{1,9})\]/y;
const EACH = /\[\*\]/y;
const QUOTED = /\[("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\]/sy;

/**
 * Reads a path. Throws `PATH_MALFORMED`, which names the position (counted from 1) of the first step that is none, and what
 * could stand there.
 */
export function parsePath(text: string): Path {
  const steps: Step[] = [];
  let at = 0;
  while (at < text.length) {
    const [step, next] = text[at] === "." ? fieldAt(text, at) : bracketAt(text, at);
    steps.push(step);
    at = next;
  }
  if (steps.length === 0) throw malformed(text, 0, `write it from the resource down, ${EXAMPLE}`);
  return steps;
}

/** The text of a path; `parsePath` gives the same path back. */
export function formatPath(path: Path): string {
  return path.map(formatStep).join("");
}

/** The same as Kubernetes names a field in its messages, without the dot in front: `spec.nodeSets[0].count`. */
export function fieldPath(path: Path): string {
  return formatPath(path).replace(/^\./, "");
}

/** Whether it goes through a list whole. */
export function goesThroughList(path: Path): boolean {
  return path.some(({ kind }) => kind === "each");
}

/**
 * What the path leads to, in the order of the lists on the way: none where a field is missing, one where it is there (whatever
 * is in it, null as well), several with `[*]`. Only what is the object's own counts: `.constructor` is a field like others.
 */
export function readAt(object: unknown, path: Path): readonly Found[] {
  return path.reduce<readonly Found[]>(
    (found, step) => found.flatMap((each) => down(each, step)),
    [{ value: object, at: [], item: undefined }],
  );
}

function down({ value, at, item }: Found, step: Step): readonly Found[] {
  switch (step.kind) {
    case "key":
      return isFields(value) && Object.hasOwn(value, step.key)
        ? [{ value: value[step.key], at: [...at, step], item }]
        : [];
    case "index":
      return Array.isArray(value) && step.index < value.length
        ? [{ value: value[step.index], at: [...at, step], item }]
        : [];
    case "each":
      return Array.isArray(value)
        ? value.map((each: unknown, index) => ({ value: each, at: [...at, { kind: "index", index }], item: each }))
        : [];
  }
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fieldAt(text: string, dot: number): [Step, number] {
  const name = matchAt(NAME, text, dot + 1)?.[0];
  if (name !== undefined) return [{ kind: "key", key: name }, dot + 1 + name.length];
  throw malformed(text, dot, `after this dot a field's name should stand; ${OTHER_LETTERS}`);
}

function bracketAt(text: string, at: number): [Step, number] {
  const index = matchAt(INDEX, text, at);
  if (index !== undefined) return [{ kind: "index", index: Number(index[1]) }, at + index[0].length];
  if (matchAt(EACH, text, at) !== undefined) return [{ kind: "each" }, at + "[*]".length];
  const quoted = matchAt(QUOTED, text, at);
  const key = unquote(quoted?.[1] ?? "");
  if (quoted !== undefined && key !== undefined) return [{ kind: "key", key }, at + quoted[0].length];
  if (text[at] === "[") throw malformed(text, at, 'this should be [0], [*] or ["a field"]');
  throw malformed(
    text,
    at,
    at === 0 ? `it begins with a dot, ${EXAMPLE}` : `here a dot should stand; ${OTHER_LETTERS}`,
  );
}

/** A text of JSON, or one in single quotes in which a backslash takes the next letter as it is. */
function unquote(quoted: string): string | undefined {
  if (quoted.startsWith("'")) return quoted.slice(1, -1).replaceAll(/\\(.)/gs, "$1");
  try {
    return String(JSON.parse(quoted));
  } catch {
    return undefined;
  }
}

function formatStep(step: Step): string {
  switch (step.kind) {
    case "key":
      return matchAt(NAME, step.key, 0)?.[0] === step.key ? `.${step.key}` : `[${JSON.stringify(step.key)}]`;
    case "index":
      return `[${step.index}]`;
    case "each":
      return "[*]";
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

function malformed(text: string, at: number, problem: string): OutgrowError {
  return new OutgrowError("PATH_MALFORMED", `${JSON.stringify(text)} is no path, at position ${at + 1}: ${problem}`);
}
