/** The answer as text: what is in flight, what it comes to, and the commands. */
import { type Palette, palette } from "../output/colour.ts";
import { oneLine } from "../output/one-line.ts";
import type { Report } from "./gather.ts";
import type { Finding } from "./in-flight.ts";

export function renderReport({ inFlight, commands }: Report, colours: boolean): string {
  const paint = palette(colours);
  return [inFlight.map((finding) => entry(finding, paint)).join(""), conclusion(inFlight.length), removal(commands)]
    .filter((part) => part !== "")
    .join("\n");
}

function entry({ weight, object, namespace, what, without }: Finding, paint: Palette): string {
  const colour = weight === "lost" ? paint.bad : paint.careful;
  return `${colour(oneLine(`${namespace} ${object}: ${what}`))}\n  without Outgrow: ${oneLine(without)}\n`;
}

function conclusion(count: number): string {
  if (count === 0) return "Nothing is in flight: Outgrow can go, and nothing is lost.\n";
  const what = count === 1 ? "1 thing is" : `${count} things are`;
  return `${what} in flight. Let the controller finish (outgrow watch shows it), or take back what was asked for (outgrow resize sts/NAME --cancel); then check again.\n`;
}

function removal(commands: readonly string[]): string {
  if (commands.length === 0) return "Nothing of Outgrow is installed in this cluster.\n";
  return `To remove it, once nothing is in flight:\n${commands.map((command) => `  ${command}\n`).join("")}`;
}
