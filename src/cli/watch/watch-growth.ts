/** Watching until everything has its size, or nothing more happens by itself. */
import { someOf } from "../../admission/preflight/check.ts";
import { messageOf, OutgrowError } from "../../core/errors.ts";
import type { Connection } from "../cluster/connect.ts";
import { type Custom, readCustom } from "../custom/read-custom.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { oneLine } from "../output/one-line.ts";
import { wordFor } from "../plan/target.ts";
import type { Growth, StatusReport } from "../status/report.ts";
import { type Chosen, nothingGrows, select } from "../status/select.ts";
import type { Terminal } from "../terminal.ts";
import { dataView } from "./data-view.ts";
import { follow } from "./follow.ts";
import { lineView } from "./line-view.ts";
import { screenView } from "./screen-view.ts";
import type { View } from "./view.ts";

/** A set that is being re-created is not there for a moment; one that stays away for so long was deleted. */
const GONE_AFTER_MS = 15_000;

/** Done: 0. Stuck, or gone: 1. Ctrl-C: 130, and nothing is left half-drawn. */
export async function watchGrowth(connection: Connection, options: Chosen, terminal: Terminal): Promise<ExitCode> {
  const { target, namespace, format } = options;
  using interruption = terminal.listen();
  const view = viewFor(options, terminal);
  const known = new Set<string>();
  const fromTheStart = rememberStarts();
  let lastSeen = terminal.now();
  const custom = target?.kind === "Custom" ? await readCustom(connection, target) : undefined;
  for await (const report of follow(connection, namespace, custom, interruption.signal)) {
    let items: readonly Growth[];
    try {
      if (custom !== undefined && report.resource === undefined) throw notThere(custom);
      items = fromTheStart(
        target === undefined ? ofInterest(report, known) : select(report.items, target, connection.namespace),
      );
      lastSeen = terminal.now();
    } catch (error) {
      // Whatever was never there will not come.
      if (known.size === 0) throw error;
      if (terminal.now() - lastSeen <= GONE_AFTER_MS) continue;
      terminal.complain(`outgrow: ${oneLine(messageOf(error))}; it was there before, and was deleted\n`);
      return EXIT.refused;
    }
    for (const growth of items) known.add(keyOf(growth));
    if (items.length === 0) {
      terminal.complain(nothingGrows(namespace));
      return EXIT.done;
    }
    await view.show({ ...report, items });
    if (items.some(({ outcome }) => outcome === "growing")) continue;
    if (format === undefined) for (const growth of items) terminal.write(`${oneLine(conclusion(growth))}\n`);
    return items.some(({ outcome }) => outcome === "stuck") ? EXIT.refused : EXIT.done;
  }
  return EXIT.interrupted;
}

function notThere({ target: { kind, namespace, name } }: Custom): OutgrowError {
  return new OutgrowError("OBJECT_MISSING", `there is no ${kind} ${JSON.stringify(name)} in namespace ${namespace}`);
}

/** What has been of interest stays in sight, also when it is done. */
function ofInterest({ items }: StatusReport, known: ReadonlySet<string>): readonly Growth[] {
  return items.filter((growth) => growth.outcome !== "done" || known.has(keyOf(growth)));
}

function keyOf({ kind, namespace, name }: Growth): string {
  return `${kind} ${namespace}/${name}`;
}

/** Where each claim came from, as it was first seen: when it has grown, nothing but a record would tell. */
function rememberStarts(): (growths: readonly Growth[]) => readonly Growth[] {
  const starts = new Map<string, string>();
  return (growths) =>
    growths.map((growth) => ({
      ...growth,
      claims: growth.claims.map((claim) => {
        const key = `${growth.namespace}/${claim.name}`;
        const from = starts.get(key) ?? claim.from;
        starts.set(key, from);
        return { ...claim, from };
      }),
    }));
}

function viewFor({ format, namespace }: Chosen, terminal: Terminal): View {
  const write = (text: string): void => terminal.write(text);
  const withNamespace = namespace === undefined;
  if (format !== undefined) return dataView(write, format);
  const { screen, colours } = terminal;
  return screen === undefined ? lineView(write, withNamespace) : screenView({ write, screen, colours, withNamespace });
}

function conclusion({ kind, name, outcome, message, claims, wishedBy }: Growth): string {
  const what = wordFor({ kind, name });
  if (outcome === "done") {
    const sizes = [...new Set(claims.map(({ capacity }) => capacity))].filter((size) => size !== "").join(", ");
    return `${what} is done${sizes === "" ? "" : `: it has ${sizes}`}.`;
  }
  const failed = claims.filter(({ state }) => state === "Failed").map(({ name }) => name);
  if (failed.length > 0)
    return `${what} is stuck: ${someOf(failed)} failed; see outgrow recover ${wishedBy === undefined ? what : wordFor(wishedBy)}`;
  const stuck = claims.find((claim) => claim.outcome === "stuck");
  return `${what} is stuck: ${message || (stuck && `${stuck.name}: ${stuck.why}`) || "nothing more happens by itself"}`;
}
