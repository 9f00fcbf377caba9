/** `outgrow recover`: what failed to grow, which sizes are legal, and the way back to one that can be had. */
import type { Command } from "commander";
import { OutgrowError } from "../../core/errors.ts";
import type { Quantity } from "../../core/quantity.ts";
import { parseWish, type Wish } from "../../statefulset/decide/wish.ts";
import { readClaimSize } from "../claim-size.ts";
import { addClusterFlags, type ClusterFlags, withCluster } from "../cluster/connect.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { oneLine } from "../output/one-line.ts";
import { type OutputFormat, parseFormat, printStructured } from "../output/structured.ts";
import { type CustomName, parseTarget, type TargetName, wordFor } from "../plan/target.ts";
import { tell } from "../resize/tell.ts";
import { type Picture, takePicture } from "../status/picture.ts";
import type { Terminal } from "../terminal.ts";
import { watchGrowth } from "../watch/watch-growth.ts";
import type { Diagnosis, Part } from "./diagnosis.ts";
import { goOn } from "./go-on.ts";
import { renderDiagnosis } from "./render.ts";
import { type Subject, subjectOf } from "./subject.ts";

interface Flags extends ClusterFlags {
  readonly to?: string;
  readonly yes?: boolean;
  readonly goOn?: boolean;
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
  outgrow recover sts/db --go-on               the claims that failed stay as they are, and the others take their turn
  outgrow recover mysqlcluster/shop --to 15Gi  writes the size where its operator reads it

Exit code: 0 done, or nothing has failed; 1 something has failed and nothing was done about it; 2 not understood.`;

export function completeRecover(command: Command, terminal: Terminal, finish: (code: ExitCode) => void): void {
  addClusterFlags(command)
    .argument("<target>", "sts/NAME, pvc/NAME, or KIND/NAME of a kind that an ExpansionSource knows")
    .option("--to <size>", "the size to go for instead: SIZE, or TEMPLATE=SIZE where there are several")
    .option("--yes", "go for the size that is proposed, without asking")
    .option("--go-on", "do not let what failed keep the others back any longer")
    .option("--watch", "go on watching until everything has its size")
    .option("-o, --output <format>", "json or yaml")
    .addHelpText("after", EXAMPLES)
    .action(async (word: string, flags: Flags) => {
      const target = parseTarget(word);
      const choice = readChoice(target, flags);
      const format = flags.output === undefined ? undefined : parseFormat(flags.output);
      finish(
        await withCluster(flags, terminal, async (connection) => {
          const { namespace } = connection;
          const subject = await subjectOf(connection, target);
          const { picture } = await takePicture(connection, namespace);
          const watch = flags.watch === true;
          const code =
            choice.kind === "go-on"
              ? await goOn(connection, subject.growths(picture), terminal)
              : await recover(subject, picture, { choice, format, watch }, terminal);
          if (!watch || code !== EXIT.done) return code;
          return watchGrowth(connection, { target, namespace, format }, terminal);
        }),
      );
    });
}

/** `explicit`: sizes by template; the empty name stands for the only one that failed. */
type Choice = { readonly kind: "explicit"; readonly sizes: Wish } | { readonly kind: "proposed" | "open" | "go-on" };

interface Options {
  readonly choice: Choice;
  readonly format: OutputFormat | undefined;
  readonly watch: boolean;
}

function readChoice(target: TargetName | CustomName, { to, yes, goOn: goesOn }: Flags): Choice {
  if (goesOn === true) {
    if (to === undefined && yes !== true && target.kind !== "PersistentVolumeClaim") return { kind: "go-on" };
    throw new OutgrowError("USAGE", "--go-on leaves what failed as it is: give sts/NAME --go-on, and no size");
  }
  if (to === undefined) return { kind: yes === true ? "proposed" : "open" };
  if (target.kind !== "PersistentVolumeClaim" && to.includes("=")) return { kind: "explicit", sizes: parseWish(to) };
  const size = readClaimSize([to]);
  return { kind: "explicit", sizes: new Map(size === undefined ? [] : [["", size]]) };
}

async function recover(
  subject: Subject,
  picture: Picture,
  { choice, format, watch }: Options,
  terminal: Terminal,
): Promise<ExitCode> {
  const diagnosis = subject.diagnose(picture);
  const isBlank = diagnosis.parts.length === 0;
  if (format === undefined) {
    const text = renderDiagnosis(diagnosis, terminal.screen?.columns());
    if (text !== "") terminal.write(text);
  } else if (choice.kind === "open") {
    terminal.write(await printStructured(diagnosis, format));
  }
  if (isBlank && choice.kind !== "explicit") {
    if (format === undefined && diagnosis.apart.length === 0) {
      const word = wordFor(diagnosis.target);
      terminal.write(`${word} has nothing to recover from; see outgrow status ${word}\n`);
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
  return tell(await subject.ask(sizes, terminal.now()), format, terminal, watch);
}

/** A claim that its set wants large is asked for it again, as soon as it asks for less; so is a set by its custom resource. */
function heldBack({ target, heldBy, wishedBy }: Diagnosis): string | undefined {
  if (wishedBy !== undefined) {
    return `${wordFor(target)} has its sizes from ${wishedBy.kind} ${wishedBy.name}; recover that: outgrow recover ${wordFor(wishedBy)} -n ${target.namespace}`;
  }
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
      `outgrow: nothing was done; go for a size with: outgrow recover ${wordFor(diagnosis.target)} --to ${words} -n ${diagnosis.target.namespace}\n`,
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
      ? `no claim of ${wordFor(target)} has failed; to ask for another size, write outgrow resize ${wordFor(target)} TEMPLATE=SIZE`
      : `several templates of ${wordFor(target)} have failed; say which, for example --to ${names}`,
  );
}
