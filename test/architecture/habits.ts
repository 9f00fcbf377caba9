/** Habits that hold for every file, whatever is in it. */
import type { SourceFile } from "./imports.ts";

const MAX_LINES = 400;

/** Spelled so that this file keeps its own rule. */
const UNFINISHED = /\b(?:TO(?:DO)|FIX(?:ME))\b/;
const MACHINE_PATH = /(?<![\w.-])\/(?:work|root|home\/[a-z]\w*)\//;

const isGenerated = (path: string) => /(?:^|\/)generated\/|_pb\.ts$/.test(path);

/** What a reader would stumble over in a file. */
export function badHabits({ path, text }: SourceFile): string[] {
  const found: string[] = [];
  const lines = text.split("\n");
  if (path.endsWith(".ts") && !isGenerated(path) && lines.length - 1 > MAX_LINES) {
    found.push(`${path}: ${lines.length - 1} lines; none has more than ${MAX_LINES}`);
  }
  for (const [index, line] of lines.entries()) {
    if (UNFINISHED.test(line)) found.push(`${path}:${index + 1}: something is left undone`);
    if (MACHINE_PATH.test(line)) found.push(`${path}:${index + 1}: a path of one machine`);
  }
  return found;
}
