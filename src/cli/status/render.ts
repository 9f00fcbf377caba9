/** A report as a table: one line per claim, as kubectl prints them. */
import { oneLine } from "../output/one-line.ts";
import { table } from "../output/table.ts";
import { hanging } from "../output/wrap.ts";
import { wordFor } from "../plan/target.ts";
import type { Growth, ResourceStatus, StatusReport } from "./report.ts";

export interface RenderOptions {
  /** Of the screen; undefined for a file. */
  readonly width: number | undefined;
  /** Of several namespaces: each line tells which. */
  readonly withNamespace: boolean;
}

/** What is said about a whole set stands below the table. Empty when there is nothing to tell. */
export function renderStatus(
  { items, resource, notRead }: StatusReport,
  { width, withNamespace }: RenderOptions,
): string {
  const rows = items.flatMap(({ namespace, claims }) =>
    claims.map(({ name, from, to, capacity, state, why }) =>
      [...(withNamespace ? [namespace] : []), name, from || "-", to, capacity || "-", state, why].map(oneLine),
    ),
  );
  if (rows.length === 0) return "";
  const headings = [...(withNamespace ? ["NAMESPACE"] : []), "CLAIM", "FROM", "TO", "CAPACITY", "STATE", "WHY"];
  // A condition that says what failed has it from the sets.
  const isTold = resource?.condition?.status === "False";
  const told = items.filter(({ message }) => message !== "" && !isTold);
  const notes = told.map((growth) => summary(growth, width));
  if (resource?.condition !== undefined) notes.unshift(conditionLine(resource, resource.condition, width));
  if (notRead.length > 0) notes.push(hanging("not read: ", `${notRead.join(", ")}; you may not`, width));
  return [table(headings, rows, width), ...notes.map((note) => `${note}\n`)].join("");
}

/** `sts/db Growing: 2 of 3 claims have their size` */
function summary({ kind, name, phase, message }: Growth, width: number | undefined): string {
  return hanging(`${wordFor({ kind, name })}${phase === undefined ? "" : ` ${phase}`}: `, oneLine(message), width);
}

/** `mysqlcluster/shop VolumeResized=False: ...` */
function conditionLine(
  resource: ResourceStatus,
  { type, status, message }: NonNullable<ResourceStatus["condition"]>,
  width: number | undefined,
): string {
  return hanging(`${wordFor(resource)} ${type}=${status}: `, oneLine(message), width);
}
