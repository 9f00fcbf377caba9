/** A watch on a terminal: drawn in place, with one write for each change, of the lines that differ. */
import type { Screen } from "../terminal.ts";
import { drawFrame } from "./frame.ts";
import type { View } from "./view.ts";

const CLEAR_LINE_END = "\u001b[K";
const CLEAR_BELOW = "\u001b[J";
const up = (lines: number): string => (lines === 0 ? "" : `\u001b[${lines}A`);

export interface ScreenViewOptions {
  readonly write: (text: string) => void;
  readonly screen: Screen;
  readonly colours: boolean;
  readonly withNamespace: boolean;
}

export function screenView({ write, screen, colours, withNamespace }: ScreenViewOptions): View {
  let shown: readonly string[] = [];
  return {
    show({ items }) {
      // The last column and the last row stay free: a terminal that runs over moves everything.
      const room = { columns: screen.columns() - 1, rows: screen.rows() - 1 };
      const lines = drawFrame(items, { ...room, colours, withNamespace });
      const text = redraw(shown, lines);
      shown = lines;
      if (text !== "") write(text);
    },
  };
}

/** What turns one picture into the next, the cursor being below the first and ending below the second; empty for the same. */
export function redraw(before: readonly string[], after: readonly string[]): string {
  const first = after.findIndex((line, index) => line !== before[index]);
  if (first < 0 && after.length === before.length) return "";
  const from = first < 0 ? after.length : first;
  const changed = after
    .slice(from)
    .map((line, index) => (line === before[from + index] ? "\n" : `${line}${CLEAR_LINE_END}\n`));
  return `${up(before.length - from)}${changed.join("")}${after.length < before.length ? CLEAR_BELOW : ""}`;
}
