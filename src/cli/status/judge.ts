/** From a picture of a cluster to a report: the rules of statefulset/ asked about everything that is there. Pure. */
import { readClaim } from "../../core/claim.ts";
import { DEFAULT_GATES } from "../../core/gates.ts";
import { Quantity } from "../../core/quantity.ts";
import type { PersistentVolumeClaim, StatefulSet } from "../../core/types.ts";
import { claimsOf } from "../../statefulset/decide/claim-ownership.ts";
import { planClaim } from "../../statefulset/decide/plan-claims.ts";
import { assumedClasses } from "../plan/surroundings.ts";
import { progressOf } from "./claim-progress.ts";
import { judgeSet } from "./judge-set.ts";
import type { Picture } from "./picture.ts";
import type { Growth } from "./report.ts";

/** Everything there is: each set with claims, and each claim that is no set's, in the order of their names. */
export function judge(picture: Picture): readonly Growth[] {
  const claims = Map.groupBy(picture.claims, namespaceOf);
  const sets = Map.groupBy(withSaved(picture), namespaceOf);
  const records = new Map((picture.records ?? []).map((record) => [keyOf(record), record]));
  const growths: Growth[] = [];
  for (const namespace of new Set([...claims.keys(), ...sets.keys()])) {
    const [inNamespace, neighbours] = [claims.get(namespace) ?? [], sets.get(namespace) ?? []];
    const taken = new Set<PersistentVolumeClaim>();
    for (const set of neighbours) {
      const { owned, disputed } = claimsOf(set, inNamespace, neighbours);
      for (const { claim } of [...owned, ...disputed]) taken.add(claim);
      growths.push(judgeSet(set, { claims: inNamespace, neighbours, record: records.get(keyOf(set)), picture }));
    }
    for (const claim of inNamespace) if (!taken.has(claim)) growths.push(judgeClaim(claim, picture));
  }
  return growths.toSorted((a, b) => compare(a.namespace, b.namespace) || compare(a.name, b.name));
}

/** Whether there is something to tell about it: it grows, or is stuck on the way. */
export function isOfInterest({ outcome }: Growth): boolean {
  return outcome !== "done";
}

function judgeClaim(claim: PersistentVolumeClaim, { classes, wishes }: Picture): Growth {
  const view = readClaim(claim);
  const plan = planClaim(
    { claim, template: "", ordinal: 0, inRange: true },
    { size: Quantity.max(view.request, wishes?.claims.get(view.name) ?? view.request) },
    { classes: classes ?? assumedClasses(), gates: DEFAULT_GATES, beyondReplicas: true },
  );
  const progress = progressOf(plan, { claim, row: undefined, held: "", restarts: false });
  const { namespace, name } = view;
  return { kind: "PersistentVolumeClaim", namespace, name, outcome: progress.outcome, message: "", claims: [progress] };
}

/** A set that is being re-created is not there for a moment; its record has it. */
function withSaved({ sets, records }: Picture): readonly StatefulSet[] {
  const known = new Set(sets.map(keyOf));
  const saved = (records ?? []).flatMap(({ status }) => {
    const set = status?.savedStatefulSet;
    return set === undefined || known.has(keyOf(set)) ? [] : [set];
  });
  return [...sets, ...saved];
}

function namespaceOf({ metadata }: { metadata: { namespace?: string } }): string {
  return metadata.namespace ?? "default";
}

function keyOf(object: { metadata: { namespace?: string; name: string } }): string {
  return `${namespaceOf(object)}/${object.metadata.name}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
