/** What came of asking, told to whoever asked. */
import { EXIT, type ExitCode } from "../exit-code.ts";
import { oneLine } from "../output/one-line.ts";
import { type OutputFormat, printStructured } from "../output/structured.ts";
import type { PlanReport } from "../plan/report.ts";
import { wordFor } from "../plan/target.ts";
import type { Terminal } from "../terminal.ts";
import type { Asked } from "./ask.ts";

/** Refusals and warnings are for people, on standard error; data goes to standard output, unless a watch follows there. */
export async function tell(
  asked: Asked,
  format: OutputFormat | undefined,
  terminal: Terminal,
  watched: boolean,
): Promise<ExitCode> {
  if (format !== undefined && !watched) terminal.write(await printStructured(asked, format));
  else if (asked.refusal === undefined && format === undefined)
    terminal.write(`${oneLine(tellAsked(asked, watched))}\n`);
  if (asked.refusal !== undefined) {
    terminal.complain(`outgrow: ${oneLine(asked.refusal)}\n`);
    return EXIT.refused;
  }
  if (format === undefined) for (const warning of asked.warnings) terminal.complain(`warning: ${oneLine(warning)}\n`);
  return EXIT.done;
}

/** What was asked for, for people; and where to look on, unless that comes next by itself. */
function tellAsked({ target, sizes, way }: Asked, watched: boolean): string {
  const what = wordFor(target);
  const asked = sizes.filter(({ because }) => because === "asked");
  const words = target.kind === "PersistentVolumeClaim" ? (asked[0]?.to ?? "") : formatSizes(asked);
  const see = watched ? "" : `; see outgrow watch ${what} -n ${target.namespace}`;
  switch (way) {
    case "none":
      return asked.length === 0 ? `${what}: noted` : `${what} asks for ${words} already${see}`;
    case "claim":
      return `${what} asks for ${words} now${see}`;
    case "template":
    case "wish":
    case "resource":
      return `${what} asks for ${words} now, and its claims follow${see}`;
  }
}

function formatSizes(sizes: PlanReport["sizes"]): string {
  return sizes.map(({ name, to }) => `${name}=${to}`).join(" ");
}
