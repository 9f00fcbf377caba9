/** A watch for programs: the whole report at each change, one line of JSON or one document of YAML. */
import { type OutputFormat, printStructured } from "../output/structured.ts";
import type { View } from "./view.ts";

export function dataView(write: (text: string) => void, format: OutputFormat): View {
  let last = "";
  return {
    async show(report) {
      const text = JSON.stringify(report);
      if (text === last) return;
      last = text;
      write(format === "json" ? `${text}\n` : `---\n${await printStructured(report, format)}`);
    },
  };
}
