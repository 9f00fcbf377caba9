/** What is under way or holds on to something, and what would become of it if nobody went on with it. */
import { messageOf } from "../../core/errors.ts";
import type { KubeObject, StatefulSet } from "../../core/types.ts";
import { desiredSizes } from "../../statefulset/decide/desired-sizes.ts";
import { JOURNAL_FINALIZER } from "../../statefulset/decide/recreate-step.ts";
import { isSuspended, SUSPENDED_POLICY } from "../../statefulset/decide/retention-policy.ts";
import { hasFinalizer, RECREATE_FINALIZER } from "../../statefulset/decide/saved-set.ts";
import type { VolumeExpansion } from "../../statefulset/types.ts";

/** `lost`: only we have it. `marked`: something of ours stays on it and is in the way. `unfinished`: it stops where it is. */
export type Weight = "lost" | "marked" | "unfinished";

export interface Finding {
  readonly weight: Weight;
  /** As one types it: `sts/db`, `vx/db`. */
  readonly object: string;
  readonly namespace: string;
  /** What is under way. */
  readonly what: string;
  /** What it comes to without us. */
  readonly without: string;
}

const WEIGHTS: readonly Weight[] = ["lost", "marked", "unfinished"];

/** The gravest first, then by namespace and object. Empty: everything of ours may go, and nothing is lost. */
export function inFlight(sets: readonly StatefulSet[], records: readonly VolumeExpansion[]): readonly Finding[] {
  return [...sets.flatMap(ofSet), ...records.flatMap(ofRecord)].sort(
    (a, b) =>
      WEIGHTS.indexOf(a.weight) - WEIGHTS.indexOf(b.weight) ||
      compareText(a.namespace, b.namespace) ||
      compareText(a.object, b.object),
  );
}

function ofSet(set: StatefulSet): readonly Finding[] {
  const about = (weight: Weight, what: string, without: string): Finding => ({
    weight,
    ...at("sts", set),
    what,
    without,
  });
  const findings: Finding[] = [];
  if (isSuspended(set)) {
    const policy = set.metadata.annotations?.[SUSPENDED_POLICY] ?? "";
    findings.push(
      about(
        "marked",
        `its retention policy is suspended: ${policy}`,
        "it keeps all its claims, and the policy does not come back",
      ),
    );
  }
  if (hasFinalizer(set, RECREATE_FINALIZER)) {
    findings.push(
      about("marked", `it has the finalizer ${RECREATE_FINALIZER}`, "nobody can delete it before that is taken off"),
    );
  }
  const wish = openWish(set);
  if (wish !== undefined) findings.push(about("unfinished", wish, "new replicas come up with the template's size"));
  return findings;
}

/** The part of a set's wish that its template has not reached, in words. */
function openWish(set: StatefulSet): string | undefined {
  try {
    const open = desiredSizes(set).filter(({ size, templateSize }) => size.moreThan(templateSize));
    if (open.length === 0) return undefined;
    return `wants ${open.map(({ template, size, templateSize }) => `${template}=${size} (now ${templateSize})`).join(", ")}`;
  } catch (error) {
    return `wants what cannot be read: ${messageOf(error)}`;
  }
}

function ofRecord(record: VolumeExpansion): readonly Finding[] {
  const { spec, status = {} } = record;
  const about = (weight: Weight, what: string, without: string): Finding => ({
    weight,
    ...at("vx", record),
    what,
    without,
  });
  const findings: Finding[] = [];
  if (status.savedStatefulSet !== undefined) {
    findings.push(
      about(
        "lost",
        `sts/${spec.statefulSetName} is being re-created, and may exist nowhere but here`,
        `the set is gone for good with this record; it stands in status.savedStatefulSet`,
      ),
    );
  } else if (record.metadata.finalizers?.includes(JOURNAL_FINALIZER) === true) {
    findings.push(
      about(
        "marked",
        `it has the finalizer ${JOURNAL_FINALIZER}`,
        "it cannot be deleted before that is taken off, nor its definition",
      ),
    );
  }
  const ready = status.conditions?.find(({ type }) => type === "Ready");
  if (ready?.status !== "True") {
    const stalled = status.conditions?.some(({ type, status: is }) => type === "Stalled" && is === "True") === true;
    const how = `${stalled ? "stalled" : "growing"}: ${ready?.message ?? "not looked at yet"}`;
    findings.push(
      about(
        "unfinished",
        how,
        "claims that were asked go on by themselves, the others and the template stay as they are",
      ),
    );
  }
  return findings;
}

function at(word: string, { metadata }: KubeObject): Pick<Finding, "object" | "namespace"> {
  return { object: `${word}/${metadata.name}`, namespace: metadata.namespace ?? "default" };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
