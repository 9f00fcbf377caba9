/** An installation as text: one document per object, each with a line about it. */
import { printStructured } from "../output/structured.ts";
import type { Explained, Part } from "./part.ts";

export async function printParts(parts: readonly Part[]): Promise<string> {
  const documents = await Promise.all(parts.flatMap(({ objects }) => objects).map(printObject));
  return documents.join("---\n");
}

/** One document, without the line that parts it from others. */
export async function printObject({ why, object }: Explained): Promise<string> {
  return `# ${why}\n${await printStructured(object, "yaml")}`;
}
