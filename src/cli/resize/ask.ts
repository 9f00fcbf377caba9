/** Asking a cluster for another size: the checks of a plan first, then the one write that says it. */
import { asking } from "../../admission/preflight/asking.ts";
import { DEFAULT_GATES } from "../../core/gates.ts";
import type { PersistentVolumeClaim, StatefulSet } from "../../core/types.ts";
import { CLAIMS, mergePatch, refOf, withPrecondition } from "../../kube/index.ts";
import { desiredSizes } from "../../statefulset/decide/desired-sizes.ts";
import { againOnConflict } from "../cluster/again.ts";
import type { Connection } from "../cluster/connect.ts";
import { type HowToGrow, overRecord } from "../growth-flags.ts";
import type { Evidence } from "../plan/evidence.ts";
import { gather } from "../plan/gather.ts";
import { answerWith, type Question } from "../plan/question.ts";
import { refusalOf } from "../plan/refusal.ts";
import type { PlanReport } from "../plan/report.ts";
import { findTarget, wordFor } from "../plan/target.ts";
import { askInTemplates, askInWish } from "./ask-set.ts";
import { whyNotHeard, whyNotInstalled } from "./installed.ts";
import { writeHow } from "./record-spec.ts";

/** What came of it: what `outgrow resize -o json` prints. */
export interface Asked {
  readonly target: { readonly kind: string; readonly namespace: string; readonly name: string };
  readonly sizes: PlanReport["sizes"];
  /** Where it was written: in the set's templates, as its wish, in the claim, in the custom resource; or nowhere: it says so already. */
  readonly way: "template" | "wish" | "claim" | "resource" | "none";
  /** Why it was refused, and the way out; nothing was written then. */
  readonly refusal?: string;
  /** What goes on, but somebody should know. */
  readonly warnings: readonly string[];
}

/** Throws `OBJECT_MISSING` for a target or a template that is not there. */
export function ask(connection: Connection, question: Question, how: HowToGrow, now: number): Promise<Asked> {
  return againOnConflict(async () => {
    const evidence = await gather(connection, question.target, question.asked, now);
    const options = { how, gates: DEFAULT_GATES, now };
    const report = answerWith(evidence, question, connection.namespace, options);
    const { target, sizes } = report;
    const told = { target, sizes, warnings: warningsOf(report) };
    // How a growth is done may be said at any time, also when nothing of it goes on.
    const refusal = question.asked.size === 0 ? undefined : (whoseSizes(evidence, sizes) ?? refusalOf(report));
    if (refusal !== undefined) return { ...told, way: "none", refusal };
    const written = await write(connection, question, how, evidence, report);
    const away = written.way === "wish" ? await whyNotHeard(connection.client, now) : undefined;
    return { ...told, ...written, warnings: [...told.warnings, ...(away === undefined ? [] : [away])] };
  });
}

async function write(
  connection: Connection,
  question: Question,
  how: HowToGrow,
  evidence: Evidence,
  report: PlanReport,
): Promise<Pick<Asked, "way" | "refusal">> {
  const { target } = question;
  const { StatefulSet: sets, PersistentVolumeClaim: claims } = evidence.snapshot;
  if (target.kind === "PersistentVolumeClaim") {
    return writeClaim(connection, findTarget(target, connection.namespace, claims.values()), question);
  }
  const set = findTarget(target, connection.namespace, sets.values());
  const { client } = connection;
  const changesHow = Object.keys(how).length > 0;
  // A cluster that follows its templates by itself raises all claims at once: an order is kept by the controller alone.
  const { rollout = {} } = overRecord(how, evidence.record?.spec);
  const inTemplates = evidence.answer?.takesEdits === true && Object.keys(rollout).length === 0;
  const isSaid = saysAlready(set, question);
  if (isSaid && !changesHow && report.verdict === "nothing-to-do") return { way: "none" };
  if (changesHow || !inTemplates) {
    const refusal = await whyNotInstalled(client);
    if (refusal !== undefined) return { way: "none", refusal };
  }
  // Before the wish: the growth must not begin in another order than was asked for.
  if (changesHow) await writeHow(client, refOf(set), how);
  if (isSaid) return { way: "none" };
  if (inTemplates) await askInTemplates(client, set, question.asked);
  else await askInWish(client, set, question.asked);
  return { way: inTemplates ? "template" : "wish" };
}

async function writeClaim(
  { client }: Connection,
  claim: PersistentVolumeClaim,
  { asked }: Question,
): Promise<Pick<Asked, "way">> {
  const size = asked.get("");
  const patch = size === undefined ? undefined : mergePatch(claim, asking(claim, size));
  if (patch === undefined) return { way: "none" };
  // What was checked is this claim as it is: in another state the same size may mean something else.
  const body = withPrecondition(patch, claim);
  await client.patch(CLAIMS, refOf(claim), { type: "merge", body });
  return { way: "claim" };
}

/** A set whose sizes come from a custom resource is asked there: what is written on the set itself counts for nothing. */
function whoseSizes({ record }: Evidence, sizes: PlanReport["sizes"]): string | undefined {
  const { wishedBy } = record?.spec ?? {};
  if (record === undefined || wishedBy === undefined) return undefined;
  const { namespace, name } = record.metadata;
  const words = sizes.filter(({ because }) => because === "asked").map((size) => `${size.name}=${size.to}`);
  const command = `outgrow resize ${wordFor(wishedBy)} ${words.join(" ")} -n ${namespace}`;
  return `sts/${name} has its sizes from ${wishedBy.kind} ${wishedBy.name}; ask that: ${command}`;
}

/** Whether the set wants just that as it is, by its annotation or its templates. */
function saysAlready(set: StatefulSet, { asked }: Question): boolean {
  const wanted = new Map(desiredSizes(set).map(({ template, size }) => [template, size]));
  return [...asked].every(([template, size]) => wanted.get(template)?.equals(size) === true);
}

/** Of all that a plan warns of, what the reader will notice. */
const WORTH_TELLING: ReadonlySet<string> = new Set([
  "rounding",
  "claims-stuck",
  "node-or-offline",
  "owner-reverts",
  "set-left-behind",
]);

export function warningsOf({ checks }: PlanReport): readonly string[] {
  return checks
    .filter(({ id, outcome }) => outcome === "warn" && WORTH_TELLING.has(id))
    .map(({ message, wayOut }) => (wayOut === undefined ? message : `${message}; ${wayOut}`));
}
