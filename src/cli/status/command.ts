/** `outgrow status`: how far everything is that grows, at this moment. */
import type { Command } from "commander";
import { OutgrowError } from "../../core/errors.ts";
import { addClusterFlags, type ClusterFlags, type Connection, withCluster } from "../cluster/connect.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { parseFormat, printStructured } from "../output/structured.ts";
import { findTarget, parseTarget, type TargetName } from "../plan/target.ts";
import type { Terminal } from "../terminal.ts";
import { isOfInterest, judge } from "./judge.ts";
import { takePicture } from "./picture.ts";
import { renderStatus } from "./render.ts";
import type { Growth } from "./report.ts";

export interface SelectionFlags extends ClusterFlags {
  readonly allNamespaces?: boolean;
  readonly output?: string;
}

const EXAMPLES = `
Without a target: everything in the namespace that grows, or is stuck on the way.

Examples:
  outgrow status
  outgrow status sts/db -n prod
  outgrow status -A -o json`;

export function completeStatus(command: Command, terminal: Terminal, finish: (code: ExitCode) => void): void {
  addSelection(command)
    .addHelpText("after", EXAMPLES)
    .action(async (word: string | undefined, flags: SelectionFlags) => {
      const target = readSelection(word, flags);
      const format = flags.output === undefined ? undefined : parseFormat(flags.output);
      finish(
        await withCluster(flags, terminal, async (connection) => {
          const { allNamespaces: withNamespace = false } = flags;
          const namespace = withNamespace ? undefined : connection.namespace;
          const report = await look(connection, namespace, target);
          if (format !== undefined) terminal.write(await printStructured(report, format));
          else {
            const text = renderStatus(report, { width: terminal.screen?.columns(), withNamespace });
            if (text === "") terminal.complain(nothingGrows(namespace));
            else terminal.write(text);
          }
          return EXIT.done;
        }),
      );
    });
}

export function addSelection(command: Command): Command {
  return addClusterFlags(command)
    .argument("[target]", "sts/NAME or pvc/NAME; all that grows or is stuck without it")
    .option("-A, --all-namespaces", "in all namespaces")
    .option("-o, --output <format>", "json or yaml");
}

/** Throws `USAGE` for a target in all namespaces. */
export function readSelection(word: string | undefined, { allNamespaces }: SelectionFlags): TargetName | undefined {
  if (word !== undefined && allNamespaces === true) {
    throw new OutgrowError("USAGE", `${word} is in one namespace: leave out --all-namespaces, or the target`);
  }
  return word === undefined ? undefined : parseTarget(word);
}

export function nothingGrows(namespace: string | undefined): string {
  return `Nothing grows ${namespace === undefined ? "in the cluster" : `in namespace ${namespace}`}.\n`;
}

async function look(connection: Connection, namespace: string | undefined, target: TargetName | undefined) {
  const { picture, notRead } = await takePicture(connection, namespace);
  return { items: select(judge(picture), target, connection.namespace), notRead };
}

/**
 * Without a target what is of interest; with one that alone. A claim of a set is shown by itself. Throws `OBJECT_MISSING`
 * when it is not there.
 */
export function select(
  growths: readonly Growth[],
  target: TargetName | undefined,
  namespace: string,
): readonly Growth[] {
  if (target === undefined) return growths.filter(isOfInterest);
  const candidates =
    target.kind === "StatefulSet"
      ? growths.filter(({ kind }) => kind === "StatefulSet")
      : growths.flatMap((growth) => growth.claims.map((claim) => ofOneClaim(growth, claim)));
  const named = candidates.map((growth) => ({ metadata: { name: growth.name, namespace: growth.namespace }, growth }));
  return [findTarget(target, namespace, named).growth];
}

function ofOneClaim(growth: Growth, claim: Growth["claims"][number]): Growth {
  if (growth.kind === "PersistentVolumeClaim") return growth;
  const { state } = claim;
  const outcome =
    state === "Done" || state === "Left" ? "done" : state === "Failed" || state === "Blocked" ? "stuck" : "growing";
  const { namespace } = growth;
  return { kind: "PersistentVolumeClaim", namespace, name: claim.name, outcome, message: "", claims: [claim] };
}
