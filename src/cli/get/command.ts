/** `outgrow get` and `outgrow events`: what is in a cluster, for machines without kubectl. */
import type { Command } from "commander";
import { OutgrowError } from "../../core/errors.ts";
import { addClusterFlags, type ClusterFlags, type Connection, withCluster } from "../cluster/connect.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { parseFormat, printStructured } from "../output/structured.ts";
import type { Terminal } from "../terminal.ts";
import { findKind, pathOf } from "./find-kind.ts";
import { type ServerTable, showTable } from "./server-table.ts";

interface Flags extends ClusterFlags {
  readonly allNamespaces?: boolean;
  readonly selector?: string;
  readonly output?: string;
}

const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

export function completeGet(command: Command, terminal: Terminal, finish: (code: ExitCode) => void): void {
  addSelection(addClusterFlags(command))
    .argument(
      "<kind>",
      "for example sts, pvc, persistentvolume, nodes, volumeexpansions.outgrow.dev, several by commas; or sts/db",
    )
    .argument("[name]", "one object")
    .option("-o, --output <format>", "json, yaml, or wide for all columns")
    .addHelpText(
      "after",
      "\nExamples:\n  outgrow get sts\n  outgrow get pvc data-db-0 -o yaml\n  outgrow get pods -A -l app=db",
    )
    .action(async (kind: string, name: string | undefined, flags: Flags) => {
      const targets = kind.split(",").map((each) => words(each, name));
      finish(await withCluster(flags, terminal, (connection) => getAll(connection, terminal, targets, flags)));
    });
}

export function completeEvents(command: Command, terminal: Terminal, finish: (code: ExitCode) => void): void {
  addSelection(addClusterFlags(command)).action(async (flags: Flags) => {
    finish(await withCluster(flags, terminal, (connection) => events(connection, terminal, flags)));
  });
}

function addSelection(command: Command): Command {
  return command
    .option("-A, --all-namespaces", "of all namespaces")
    .option("-l, --selector <labels>", "only objects with these labels");
}

/** `sts/db` is the same as `sts db`. */
function words(kind: string, name: string | undefined): { readonly kind: string; readonly name: string | undefined } {
  const [word = "", part, ...more] = kind.split("/");
  if (part === undefined) return { kind, name };
  if (part !== "" && more.length === 0 && name === undefined) return { kind: word, name: part };
  throw new OutgrowError(
    "USAGE",
    `${JSON.stringify([kind, name].join(" ").trim())} names no object; write KIND NAME or KIND/NAME`,
  );
}

/** Several kinds come one after the other, with a line between them. */
async function getAll(
  connection: Connection,
  terminal: Terminal,
  targets: readonly ReturnType<typeof words>[],
  flags: Flags,
): Promise<ExitCode> {
  for (const [index, target] of targets.entries()) {
    if (index > 0 && flags.output === undefined) terminal.write("\n");
    await get(connection, terminal, target, flags);
  }
  return EXIT.done;
}

async function get(
  { client, namespace }: Connection,
  terminal: Terminal,
  { kind, name }: ReturnType<typeof words>,
  { allNamespaces = false, selector, output }: Flags,
): Promise<void> {
  const wide = output === "wide";
  const format = output === undefined || wide ? undefined : parseFormat(output);
  if (name !== undefined && allNamespaces) {
    throw new OutgrowError("USAGE", "an object is in one namespace: leave out --all-namespaces, or the name");
  }
  const found = await findKind(client, kind);
  const query = selector === undefined ? "" : `?${new URLSearchParams({ labelSelector: selector })}`;
  const path = `${pathOf(found, allNamespaces ? undefined : namespace, name)}${query}`;
  if (format !== undefined) {
    terminal.write(await printStructured(await client.raw({ method: "GET", path }), format));
    return;
  }
  const shown = await client.raw<ServerTable>({ method: "GET", path, accept: TABLE });
  const withNamespace = allNamespaces && found.namespaced;
  const text = showTable(shown, { wide, withNamespace });
  if (text !== "") terminal.write(text);
  else
    terminal.complain(
      `No ${found.plural} ${allNamespaces || !found.namespaced ? "in the cluster" : `in namespace ${namespace}`}.\n`,
    );
}

/** Oldest first: what happened last stands at the end. */
async function events(
  { client, namespace }: Connection,
  terminal: Terminal,
  { allNamespaces = false, selector }: Flags,
): Promise<ExitCode> {
  const kind = { group: "", version: "v1", plural: "events", namespaced: true };
  const query = new URLSearchParams({
    ...(selector === undefined ? {} : { labelSelector: selector }),
    includeObject: "Object",
  });
  const path = `${pathOf(kind, allNamespaces ? undefined : namespace, undefined)}?${query}`;
  const shown = await client.raw<ServerTable>({ method: "GET", path, accept: TABLE });
  const rows = (shown.rows ?? []).toSorted((a, b) => momentOf(a.object) - momentOf(b.object));
  const text = showTable({ ...shown, rows }, { wide: false, withNamespace: allNamespaces });
  terminal.write(text === "" ? "Nothing has happened in the last hour.\n" : text);
  return EXIT.done;
}

function momentOf(event: object | undefined): number {
  const { lastTimestamp, eventTime } = (event ?? {}) as Record<
    "lastTimestamp" | "eventTime",
    string | null | undefined
  >;
  return Date.parse(lastTimestamp ?? eventTime ?? "") || 0;
}
