/** `outgrow recover`: what failed to grow, which sizes are legal, and the way back to one that can be had. */
import type { Command } from "commander";
import { OutgrowError } from "../../core/errors.ts";
import type { Quantity } from "../../core/quantity.ts";
import { parseWish, type Wish } from "../../statefulset/decide/wish.ts";
import { readClaimSize } from "../claim-size.ts";
import { addClusterFlags, type ClusterFlags, type Connection, withCluster } from "../cluster/connect.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { oneLine } from "../output/one-line.ts";
import { type OutputFormat, parseFormat, printStructured } from "../output/structured.ts";
import { parseTarget, type TargetName } from "../plan/target.ts";
import { ask } from "../resize/ask.ts";
import { tell } from "../resize/tell.ts";
import { takePicture } from "../status/picture.ts";
import type { Terminal } from "../terminal.ts";
import { watchGrowth } from "../watch/watch-growth.ts";
import { type Diagnosis, diagnose, type Part } from "./diagnosis.ts";
import { renderDiagnosis } from "./render.ts";

interface Flags extends ClusterFlags {
  readonly to?: string;
  readonly yes?: boolean;
  readonly watch?: boolean;
  readonly output?: string;
}

const EXAMPLES = `
A volume never shrinks, but a size that it failed to reach can be given up for one between that and what it has.

Examples:
  outgrow recover pvc/uploads                  explains; on a terminal it asks what to do
  outgrow recover pvc/uploads --to 15Gi
  outgrow recover sts/db --to data=150Gi       the set asks for less, and its claims follow
  outgrow recover sts/db --yes                 goes for the size that is proposed

Exit code: 0 done, or nothing has failed; 1 something has failed and nothing was done about it; 2 not understood.`;

export function completeRecover(command: Command, terminal: Terminal, finish: (code: ExitCode) => void): void {
  addClusterFlags(command)
    .argument("<target>", "sts/NAME or pvc/NAME")
    .option("--to <size>", "the size to go for instead: SIZE, or TEMPLATE=SIZE for a StatefulSet")
    .option("--yes", "go for the size that is proposed, without asking")
    .option("--watch", "go on watching until everything has its size")
    .option("-o, --output <format>", "json or yaml")
    .addHelpText("after", EXAMPLES)
    .action(async (word: string, flags: Flags) => {
      const target = parseTarget(word);
      const choice = readChoice(target, flags);
      const format = flags.output === undefined ? undefined : parseFormat(flags.output);
      finish(
        await withCluster(flags, terminal, (connection) =>
          recover(connection, target, { choice, format, watch: flags.watch === true }, terminal),
        ),
      );
    });
}

/** `explicit`: sizes by template; the empty name stands for the only one that failed. */
type Choice = { readonly kind: "explicit"; readonly sizes: Wish } | { readonly kind: "proposed" | "open" };

interface Options {
  readonly choice: Choice;
  readonly format: OutputFormat | undefined;
  readonly watch: boolean;
}

function readChoice(target: TargetName, { to, yes }: Flags): Choice {
  if (to === undefined) return { kind: yes === true ? "proposed" : "open" };
  if (target.kind === "StatefulSet" && to.includes("=")) return { kind: "explicit", sizes: parseWish(to) };
  const size = readClaimSize([to]);
  return { kind: "explicit", sizes: new Map(size === undefined ? [] : [["", size]]) };
}

async function recover(
  connection: Connection,
  target: TargetName,
  { choice, format, watch }: Options,
  terminal: Terminal,
): Promise<ExitCode> {
  const { namespace } = connection;
  const { picture } = await takePicture(connection, namespace);
  const diagnosis = diagnose(target, namespace, picture);
  const isBlank = diagnosis.parts.length === 0;
  if (format === undefined) {
    const text = renderDiagnosis(diagnosis, terminal.screen?.columns());
    if (text !== "") terminal.write(text);
  } else if (choice.kind === "open") {
    terminal.write(await printStructured(diagnosis, format));
  }
  if (isBlank && choice.kind !== "explicit") {
    if (format === undefined && diagnosis.apart.length === 0) {
      terminal.write(`${nameOf(target)} has nothing to recover from; see outgrow status ${nameOf(target)}\n`);
    }
    return diagnosis.apart.length === 0 ? EXIT.done : EXIT.refused;
  }
  const held = heldBack(diagnosis);
  if (held !== undefined) {
    terminal.complain(`outgrow: ${oneLine(held)}\n`);
    return EXIT.refused;
  }
  const sizes = await choose(diagnosis, choice, format === undefined ? terminal : { ...terminal, ask: undefined });
  if (sizes === undefined) return EXIT.refused;
  const code = await tell(await ask(connection, { target, asked: sizes }, {}, terminal.now()), format, terminal, watch);
  if (!watch || code !== EXIT.done) return code;
  return watchGrowth(connection, { target, namespace, format }, terminal);
}

/** A claim that its set wants large is asked for it again, as soon as it asks for less. */
function heldBack({ target, heldBy }: Diagnosis): string | undefined {
  if (heldBy === undefined) return undefined;
  const { set, template, wants } = heldBy;
  return `sts/${set} wants ${wants} of ${template} and would ask pvc/${target.name} for it again; recover the set: outgrow recover sts/${set} -n ${target.namespace}`;
}

/** The sizes to ask for; undefined when nobody has chosen any. */
async function choose(diagnosis: Diagnosis, choice: Choice, terminal: Terminal): Promise<Wish | undefined> {
  if (choice.kind === "explicit") return resolve(diagnosis, choice.sizes);
  const proposed = diagnosis.parts.flatMap(({ name, proposal }): [string, Quantity][] =>
    proposal === undefined ? [] : [[name, proposal]],
  );
  if (proposed.length < diagnosis.parts.length) {
    terminal.complain("outgrow: there is no smaller size to propose; name one with --to, or mend what failed\n");
    return undefined;
  }
  if (choice.kind === "proposed") return new Map(proposed);
  const words = proposed.map(([name, size]) => (name === "" ? size.toString() : `${name}=${size}`)).join(",");
  if (terminal.ask === undefined) {
    terminal.complain(
      `outgrow: nothing was done; go for a size with: outgrow recover ${nameOf(diagnosis.target)} --to ${words} -n ${diagnosis.target.namespace}\n`,
    );
    return undefined;
  }
  return askFor(diagnosis, words, terminal.ask);
}

async function askFor(
  diagnosis: Diagnosis,
  proposed: string,
  askPerson: NonNullable<Terminal["ask"]>,
): Promise<Wish | undefined> {
  const answer = await askPerson(`Go for ${proposed}? Yes, another size, or nothing to leave it: `);
  if (answer === undefined || answer === "" || /^no?$/i.test(answer)) return undefined;
  const text = /^y(?:es)?$/i.test(answer) ? proposed : answer;
  if (text.includes("=")) return resolve(diagnosis, parseWish(text));
  const size = readClaimSize([text]);
  return size === undefined ? undefined : resolve(diagnosis, new Map([["", size]]));
}

/** A size without a template's name is for the one that failed. Throws `USAGE` when that could be several, or none. */
function resolve({ target, parts }: Diagnosis, sizes: Wish): Wish {
  const size = sizes.get("");
  if (size === undefined || target.kind === "PersistentVolumeClaim") return sizes;
  const [part, ...others] = parts;
  if (part !== undefined && others.length === 0) return new Map([[part.name, size]]);
  const names = parts.map(({ name }: Part) => `${name}=${size}`).join(",");
  throw new OutgrowError(
    "USAGE",
    part === undefined
      ? `no claim of sts/${target.name} has failed; to ask for another size, write outgrow resize sts/${target.name} TEMPLATE=SIZE`
      : `several templates of sts/${target.name} have failed; say which, for example --to ${names}`,
  );
}

function nameOf({ kind, name }: TargetName): string {
  return `${kind === "StatefulSet" ? "sts" : "pvc"}/${name}`;
}
