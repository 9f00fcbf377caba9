/** The plan for a custom resource: may it be edited so, and what would become of everything that follows it. */
import { storageClasses } from "../../admission/storage-classes.ts";
import { fieldErrorText } from "../../admission/verdict.ts";
import type { Quantity } from "../../core/quantity.ts";
import { CLAIMS, STATEFUL_SETS, STORAGE_CLASSES } from "../../kube/index.ts";
import { isPaused } from "../../source/decide/paused.ts";
import { validateResourceUpdate } from "../../source/decide/validate-resource.ts";
import type { Wish } from "../../statefulset/decide/wish.ts";
import type { Connection } from "../cluster/connect.ts";
import { readAllowed } from "../cluster/read-allowed.ts";
import { gather } from "../plan/gather.ts";
import type { PlanOptions } from "../plan/options.ts";
import { answerWith } from "../plan/question.ts";
import type { PlanReport } from "../plan/report.ts";
import { assumedClasses } from "../plan/surroundings.ts";
import type { TargetName } from "../plan/target.ts";
import { changing, type Edit, edited } from "./edit.ts";
import { type Custom, customOf, placesOf, sizesOf } from "./read-custom.ts";
import type { CustomPlan, CustomSize } from "./report.ts";
import { quotaErrors } from "./shared-quota.ts";
import { wishesOf } from "./wishes.ts";

/** Throws `OBJECT_MISSING` or `USAGE` for sizes that the resource does not have. Without any: what happens to it as it is. */
export async function planCustom(
  connection: Connection,
  custom: Custom,
  asked: Wish,
  options: PlanOptions,
): Promise<CustomPlan> {
  const edits = placesOf(custom, asked);
  const next = customOf(custom.sources, edited(custom.object, edits));
  const allowed = readAllowed();
  const { client, namespace } = connection;
  const [claims, sets, classes] = await Promise.all([
    client.listAll(CLAIMS, { namespace }),
    client.listAll(STATEFUL_SETS, { namespace }),
    allowed.read(STORAGE_CLASSES.plural, () => client.listAll(STORAGE_CLASSES)),
  ]);
  const known = classes === undefined ? assumedClasses() : storageClasses(classes);
  const ruled = custom.sources.flatMap(({ spec }) =>
    validateResourceUpdate({ spec, old: custom.object, next: next.object, sets, classes: known }).map(fieldErrorText),
  );
  const wishes = wishesOf(next.targets, sets, claims);
  const parts: PlanReport[] = [];
  for (const [name, wish] of wishes.sets) {
    parts.push(await part(connection, { kind: "StatefulSet", name }, wish, options));
  }
  for (const [name, size] of wishes.claims) {
    parts.push(await part(connection, { kind: "PersistentVolumeClaim", name }, ofClaim(size), options));
  }
  const errors = [...ruled, ...quotaErrors(parts)];
  return {
    target: custom.target,
    verdict: verdictOf(errors, parts, changing(edits)),
    sources: custom.sources.map(({ metadata }) => metadata.name),
    grownBy: custom.sources.every(({ spec }) => spec.grownBy === "Operator") ? "Operator" : "Outgrow",
    paused: custom.sources.some(({ spec }) => isPaused(spec, custom.object)),
    sizes: sizesIn(custom, edits),
    errors,
    parts,
    notRead: [...new Set([...allowed.notRead(), ...parts.flatMap(({ notRead }) => notRead)])],
  };
}

/** That an operator owns the set is no obstacle here: its resource is where the size comes from. */
async function part(
  connection: Connection,
  target: TargetName,
  asked: Wish,
  options: PlanOptions,
): Promise<PlanReport> {
  const evidence = await gather(connection, target, asked, options.now);
  const how = { ...options.how, evenIfOwned: true };
  const report = answerWith(evidence, { target, asked }, connection.namespace, { ...options, how, fromResource: true });
  return { ...report, checks: report.checks.filter(({ id }) => id !== "owner-reverts") };
}

function ofClaim(size: Quantity): Wish {
  return new Map([["", size]]);
}

function verdictOf(
  errors: readonly string[],
  parts: readonly PlanReport[],
  changes: readonly Edit[],
): CustomPlan["verdict"] {
  if (errors.length > 0 || parts.some(({ verdict }) => verdict === "refused")) return "refused";
  const isOpen = changes.length > 0 || parts.some(({ verdict }) => verdict === "would-be-done");
  return isOpen ? "would-be-done" : "nothing-to-do";
}

function sizesIn(custom: Custom, edits: readonly Edit[]): readonly CustomSize[] {
  const asked = new Map(edits.map(({ size, to }) => [size.name, to]));
  return sizesOf(custom).map(({ name, size, path }) => {
    const from = size?.toString() ?? "";
    const to = asked.get(name);
    return { name, from, to: to?.toString() ?? from, because: to === undefined ? "as-is" : "asked", path };
  });
}
