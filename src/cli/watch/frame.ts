/** One picture of a watch: the lines that stand on the screen, none wider or more than fit on it. */
import { type Palette, palette } from "../output/colour.ts";
import { oneLine } from "../output/one-line.ts";
import type { ClaimProgress, Growth } from "../status/report.ts";
import { movement } from "./line-view.ts";

export interface FrameOptions {
  readonly columns: number;
  readonly rows: number;
  readonly colours: boolean;
  /** Of several namespaces: each line tells which. */
  readonly withNamespace: boolean;
}

const BAR = 10;

export function drawFrame(growths: readonly Growth[], options: FrameOptions): readonly string[] {
  const paint = palette(options.colours);
  const claims = growths.flatMap((growth) => growth.claims);
  const widths = {
    name: Math.max(0, ...claims.map(({ name }) => name.length)),
    sizes: Math.max(0, ...claims.map((claim) => movement(claim).length)),
    state: Math.max(0, ...claims.map(({ state }) => state.length)),
  };
  const lines = growths.flatMap((growth) => [
    ...headingOf(growth, options),
    ...growth.claims.map((claim) => ({
      text: claimLine(claim, widths, options.columns, paint),
      settled: claim.state === "Done" || claim.state === "Left",
    })),
  ]);
  return fitted(lines, options.rows);
}

interface Line {
  readonly text: string;
  /** Nothing more is to be seen there: the first to go where there is not enough room. */
  readonly settled: boolean;
}

function headingOf(
  { kind, namespace, name, phase, message }: Growth,
  { columns, withNamespace }: FrameOptions,
): Line[] {
  if (kind !== "StatefulSet") return [];
  const where = withNamespace ? `${namespace}/` : "";
  const text = [`sts/${where}${name}`, phase, message].filter((part) => part !== undefined && part !== "").join("  ");
  return [{ text: cut(oneLine(text), columns), settled: false }];
}

function claimLine(
  claim: ClaimProgress,
  widths: { readonly name: number; readonly sizes: number; readonly state: number },
  columns: number,
  paint: Palette,
): string {
  const filled = Math.round(claim.progress * BAR);
  const bar = "█".repeat(filled) + "░".repeat(BAR - filled);
  const lead = `${claim.name.padEnd(widths.name)}  ${movement(claim).padEnd(widths.sizes)}  `;
  const state = claim.state.padEnd(widths.state);
  const plain = `${lead}${bar}  ${state}  ${oneLine(claim.why)}`.trimEnd();
  const shown = cut(plain, columns);
  // Colours have no width; they are put in where all that they surround is still there.
  const end = lead.length + BAR + 2 + state.length;
  if (shown.length < end) return shown;
  return `${lead}${paintFor(claim, paint)(`${bar}  ${state}`)}${shown.slice(end)}`.trimEnd();
}

function paintFor({ state }: ClaimProgress, paint: Palette): (text: string) => string {
  switch (state) {
    case "Done":
    case "Left":
      return paint.good;
    case "Failed":
    case "Blocked":
      return paint.bad;
    case "Pending":
    case "Growing":
    case "Recovering":
    case "Waiting":
      return (text) => text;
  }
}

/** What is settled goes first; what then still does not fit is counted. */
function fitted(lines: readonly Line[], rows: number): readonly string[] {
  let surplus = lines.length - rows;
  if (surplus <= 0) return lines.map(({ text }) => text);
  surplus++;
  const kept = lines.filter(({ settled }) => !(settled && surplus-- > 0)).slice(0, Math.max(0, rows - 1));
  return [...kept.map(({ text }) => text), `… and ${lines.length - kept.length} more`];
}

function cut(text: string, columns: number): string {
  return text.length <= columns ? text : `${text.slice(0, Math.max(0, columns - 1))}…`;
}
