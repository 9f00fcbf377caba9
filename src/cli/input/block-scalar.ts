/** The scalars of kubectl's YAML: plain, wrapped over lines, literal. `undefined`: outside the subset (block-yaml.ts). */

/** What a plain scalar may start with; indicators (`&`, `*`, `!`, `>`, `%`, `@`, ...) are for the full reader. */
const PLAIN_START = /^[A-Za-z0-9_/.+~$(<=;^\\\u00a1-\ud7ff-]/;
/** A mapping or a comment hides in it, or a dash stands alone. */
const NOT_PLAIN = /:(?=[ \n]|$)| #|^-(?=[ \n]|$)/;
const NUMBER_OR_WORD_START = /^[-+.0-9~tTfFnN]/;
const INTEGER = /^[-+]?[0-9]+$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*|(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)[eE][-+]?[0-9]+)$/;
const OTHER_NUMBER = /^(?:0o[0-7]+|0x[0-9a-fA-F]+|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ...["~", "null", "Null", "NULL"].map((word) => [word, null] as const),
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
]);

/** A plain scalar in the core schema of YAML 1.2: text, number, boolean or null. */
export function readPlain(line: string): string | number | boolean | null | undefined {
  const text = trimEnd(line);
  if (!PLAIN_START.test(text) || NOT_PLAIN.test(text)) return undefined;
  if (!NUMBER_OR_WORD_START.test(text)) return text;
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (INTEGER.test(text) || FLOAT.test(text)) return Number(text);
  return OTHER_NUMBER.test(text) ? undefined : text;
}

/**
 * One text from lines: a line break is a space, each blank line a line break. Lines after the first must stand right of
 * `column`, the column of their key or dash.
 */
export function foldLines(lines: string, column: number): string | undefined {
  const [first = "", ...rest] = lines.split("\n");
  let text = trimEnd(first);
  let blank = 0;
  for (const line of rest) {
    const indent = indentOf(line);
    const content = trimEnd(line.slice(indent));
    if (content === "") {
      blank++;
      continue;
    }
    if (indent <= column || content.startsWith("#")) return undefined;
    text += blank > 0 ? "\n".repeat(blank) : " ";
    text += content;
    blank = 0;
  }
  return text;
}

/** The lines of a literal block (`|`); `chomping` is "", "-" or "+". */
export function readLiteral(block: string, chomping: string): string | undefined {
  const lines = block.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const first = lines[0] ?? "";
  const indent = indentOf(first);
  if (indent === first.length) return undefined;
  const content: string[] = [];
  for (const line of lines) {
    const own = indentOf(line);
    if (own < line.length && own < indent) return undefined;
    content.push(line.slice(indent));
  }
  let end = content.length;
  while (end > 0 && content[end - 1] === "") end--;
  const text = content.slice(0, end).join("\n");
  if (chomping === "-") return text;
  return text + "\n".repeat(chomping === "+" ? content.length - end + 1 : 1);
}

/** Spaces only: the language's own `trim` also takes what is text to YAML. */
function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === " ") end--;
  return end === text.length ? text : text.slice(0, end);
}

function indentOf(line: string): number {
  let start = 0;
  while (line[start] === " ") start++;
  return start;
}
