/** Output for programs: `-o json` and `-o yaml`. */
import { OutgrowError } from "../../core/errors.ts";

export type OutputFormat = "json" | "yaml";

/** Throws `USAGE` for a word that is no format. */
export function parseFormat(text: string): OutputFormat {
  if (text === "json" || text === "yaml") return text;
  throw new OutgrowError("USAGE", `${JSON.stringify(text)} is not an output format; choose json or yaml`);
}

/** The value as text, with a line end at the end. */
export async function printStructured(value: unknown, format: OutputFormat): Promise<string> {
  if (format === "json") return `${JSON.stringify(value, null, 2)}\n`;
  const { stringify } = await import("../yaml.ts");
  return stringify(value, { indentSeq: false, lineWidth: 0, aliasDuplicateObjects: false });
}
