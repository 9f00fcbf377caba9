/** What the server shows of objects, as the text table that people know from kubectl. */
import { table } from "../output/table.ts";

export interface ServerTable {
  readonly columnDefinitions?: readonly { readonly name: string; readonly priority?: number }[] | null;
  readonly rows?:
    | readonly {
        readonly cells: readonly unknown[];
        readonly object?: { readonly metadata?: { readonly name?: string; readonly namespace?: string } };
      }[]
    | null;
}

export interface ShowOptions {
  /** All columns, also those that most people need not see. */
  readonly wide: boolean;
  /** Objects of several namespaces: each tells where it is. */
  readonly withNamespace: boolean;
}

/** Empty when there is nothing to show. */
export function showTable({ columnDefinitions, rows }: ServerTable, { wide, withNamespace }: ShowOptions): string {
  const columns = (columnDefinitions ?? []).map(({ name, priority = 0 }, index) => ({ name, priority, index }));
  const shown = columns.filter(({ priority }) => wide || priority === 0);
  const lines = (rows ?? []).map(({ cells, object }) => [
    ...(withNamespace ? [object?.metadata?.namespace ?? ""] : []),
    ...shown.map(({ index }) => textOf(cells[index])),
  ]);
  if (lines.length === 0) return "";
  return table([...(withNamespace ? ["NAMESPACE"] : []), ...shown.map(({ name }) => name.toUpperCase())], lines);
}

/** One line, whatever a cell holds. */
function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return "<none>";
  const text = typeof cell === "string" ? cell : JSON.stringify(cell);
  return text.replaceAll(/\s+/g, " ").trim();
}
