/** What a pure file may not reach: clock, randomness, environment, network, file system, and files that may. */
import { codeOnly } from "./code-only.ts";
import { importsOf, isTest, type SourceFile } from "./imports.ts";

/** An identifier by itself: no property of something else, no key of an object, no part of a longer name. */
const name = (word: string) => new RegExp(`(?<![.\\w$])${word}\\b(?!\\s*\\??:)`);

const REACHES: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: "a clock", pattern: /\bDate\.now\b/ },
  { what: "a clock", pattern: /\bnew\s+Date\s*(?:\(\s*\)|(?![\w\s(]))/ },
  { what: "a clock", pattern: /(?<!new\s+)(?<![.\w$])Date\s*\(/ },
  { what: "a clock", pattern: name("performance") },
  { what: "a clock", pattern: name("Temporal") },
  { what: "a timer", pattern: name("(?:setTimeout|setInterval|setImmediate|queueMicrotask)") },
  { what: "randomness", pattern: /\bMath\.random\b/ },
  { what: "randomness", pattern: name("crypto") },
  { what: "the environment", pattern: name("process") },
  { what: "the environment", pattern: name("(?:globalThis|console)") },
  { what: "the network", pattern: name("(?:fetch|WebSocket|EventSource)") },
];

/**
 * Whether a file must be pure: the vocabulary, the admission rules (their webhook server apart), every `decide`, and the
 * `types.ts` of a capability, which its rules speak. Tests beside them may read files and draw random numbers.
 */
export function mustBePure(path: string): boolean {
  if (isTest(path) || !path.endsWith(".ts")) return false;
  if (path.startsWith("src/admission/webhook/")) return false;
  return /^src\/(?:core|admission)\//.test(path) || /^src\/(?:.*\bdecide(?:\/|\.ts$)|[^/]+\/types\.ts$)/.test(path);
}

/** Everything in a file that a pure one may not do; importing a file that need not be pure is one of them. */
export function impurities(file: SourceFile): string[] {
  const code = codeOnly(file.text);
  const reaches = REACHES.flatMap(({ what, pattern }) => {
    const found = pattern.exec(code);
    return found === null ? [] : [`${file.path}:${lineOf(code, found.index)}: reaches ${what} (${found[0].trim()})`];
  });
  const imports = importsOf(file)
    .filter((path) => !mustBePure(path))
    .map((path) => `${file.path}: a pure file may not import ${path}`);
  return [...reaches, ...imports];
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
