/** Which part of everything somebody wants to see. */
import type { Command } from "commander";
import { OutgrowError } from "../../core/errors.ts";
import { addClusterFlags, type ClusterFlags, type Connection, withCluster } from "../cluster/connect.ts";
import type { ExitCode } from "../exit-code.ts";
import { type OutputFormat, parseFormat } from "../output/structured.ts";
import { type CustomName, findTarget, parseTarget, type TargetName } from "../plan/target.ts";
import type { Terminal } from "../terminal.ts";
import { isOfInterest } from "./judge.ts";
import type { Growth } from "./report.ts";

interface SelectionFlags extends ClusterFlags {
  readonly allNamespaces?: boolean;
  readonly output?: string;
}

/** What a person wants to see, where, and how it is printed. */
export interface Chosen {
  readonly target: Selection;
  /** Undefined: all of them. */
  readonly namespace: string | undefined;
  readonly format: OutputFormat | undefined;
}

/** Arguments and flags of a verb that shows growth, and its action. */
export function addSelection(
  command: Command,
  terminal: Terminal,
  finish: (code: ExitCode) => void,
  show: (connection: Connection, chosen: Chosen) => Promise<ExitCode>,
): void {
  addClusterFlags(command)
    .argument("[target]", "sts/NAME, pvc/NAME or KIND/NAME of a source's kind; all that grows or is stuck without it")
    .option("-A, --all-namespaces", "in all namespaces")
    .option("-o, --output <format>", "json or yaml")
    .action(async (word: string | undefined, flags: SelectionFlags) => {
      const target = readSelection(word, flags);
      const format = flags.output === undefined ? undefined : parseFormat(flags.output);
      finish(
        await withCluster(flags, terminal, (connection) => {
          const namespace = flags.allNamespaces === true ? undefined : connection.namespace;
          return show(connection, { target, namespace, format });
        }),
      );
    });
}

/** What a person wants to see: everything (undefined), or one target. */
export type Selection = TargetName | CustomName | undefined;

/** Throws `USAGE` for a target in all namespaces. */
function readSelection(word: string | undefined, { allNamespaces }: SelectionFlags): Selection {
  if (word !== undefined && allNamespaces === true) {
    throw new OutgrowError("USAGE", `${word} is in one namespace: leave out --all-namespaces, or the target`);
  }
  return word === undefined ? undefined : parseTarget(word);
}

export function nothingGrows(namespace: string | undefined): string {
  return `Nothing grows ${namespace === undefined ? "in the cluster" : `in namespace ${namespace}`}.\n`;
}

/**
 * Without a target what is of interest; with one that alone. A claim of a set is shown by itself; of a custom resource everything
 * that was judged for it. Throws `OBJECT_MISSING` when it is not there.
 */
export function select(growths: readonly Growth[], target: Selection, namespace: string): readonly Growth[] {
  if (target === undefined) return growths.filter(isOfInterest);
  if (target.kind === "Custom") return growths;
  const candidates =
    target.kind === "StatefulSet"
      ? growths.filter(({ kind }) => kind === "StatefulSet")
      : growths.flatMap((growth) => growth.claims.map((claim) => ofOneClaim(growth, claim)));
  const named = candidates.map((growth) => ({ metadata: { name: growth.name, namespace: growth.namespace }, growth }));
  return [findTarget(target, namespace, named).growth];
}

function ofOneClaim(growth: Growth, claim: Growth["claims"][number]): Growth {
  if (growth.kind === "PersistentVolumeClaim") return growth;
  const { namespace } = growth;
  const { name, outcome } = claim;
  return { kind: "PersistentVolumeClaim", namespace, name, outcome, message: "", claims: [claim] };
}
