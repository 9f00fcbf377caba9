import { hanging } from "./wrap.ts";

/**
 * Tables as kubectl prints them: a row of headings, columns parted by two spaces, no lines. On a screen of this width the
 * last column is broken into lines below each other; in a file (undefined) a row is one line.
 */
export function table(headings: readonly string[], rows: readonly (readonly string[])[], width?: number): string {
  const widths = headings.map((heading) => heading.length);
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  return [headings, ...rows].map((row) => `${line(row, widths, width)}\n`).join("");
}

function line(cells: readonly string[], widths: readonly number[], width: number | undefined): string {
  const lead = cells.slice(0, -1).map((cell, column) => `${cell.padEnd(widths[column] ?? 0)}  `);
  return hanging(lead.join(""), cells.at(-1) ?? "", width);
}
