/** What became of a dump, said by name and reason. */
import type { ImportReport, Remark } from "../../cluster/index.ts";

/** More of one kind and reason are counted: a cluster has thousands of events. */
const NAMED = 12;

export function importReport({ plan, outcome }: ImportReport): string {
  if (outcome === undefined) {
    return "This was imported before; what has become of it since stays as it is. Another --data imports it afresh.\n\n";
  }
  const counts = [...outcome.created].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, count]) => `${count} ${kind}`);
  const there = outcome.there.map((what) => ({ what, why: "there already, and stays as it is" }));
  return [
    `Imported: ${counts.length === 0 ? "nothing" : counts.join(", ")}.`,
    ...section("Added, because the dump lacks them", plan.added),
    ...section("Changed", plan.changed),
    ...section("Left out", [...plan.leftOut, ...there]),
    ...section("Refused by the API server", outcome.refused),
    "",
    "",
  ].join("\n");
}

function section(title: string, remarks: readonly Remark[]): string[] {
  if (remarks.length === 0) return [];
  const groups = Map.groupBy(remarks, ({ what, why }) => `${what.split(" ", 1)[0]}\n${why}`);
  return [`${title}:`, ...[...groups.values()].map(line)];
}

function line(remarks: readonly Remark[]): string {
  const kind = remarks[0]?.what.split(" ", 1)[0] ?? "";
  const names = remarks.map(({ what }) => what.slice(kind.length + 1));
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
  return `  ${kind} ${names.slice(0, NAMED).join(", ")}${more}: ${remarks[0]?.why ?? ""}`;
}
