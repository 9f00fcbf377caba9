/** What has failed to grow, in the driver's own words, and what that means for going back. Pure. */
import { readClaim } from "../../core/claim.ts";
import { toTimestamp } from "../../core/clock.ts";
import { DEFAULT_GATES } from "../../core/gates.ts";
import { Quantity } from "../../core/quantity.ts";
import type { PersistentVolumeClaim } from "../../core/types.ts";
import { planClaim } from "../../statefulset/decide/plan-claims.ts";
import { assumedClasses } from "../plan/surroundings.ts";

export interface Failure {
  readonly claim: string;
  /** What it asks for, and did not get. */
  readonly request: Quantity;
  /** What its pod has. */
  readonly capacity: Quantity;
  /** Who said no. On the node the storage has grown already, and asking for less does not take that back (KEP-1790). */
  readonly at: "storage" | "node";
  /** In the words of the driver. */
  readonly message: string;
  /** When it was last tried, as far as the claim tells. */
  readonly tried: string | undefined;
}

/** Undefined for a claim whose expansion has not failed for good: it is at rest, or may still succeed. */
export function failureOf(claim: PersistentVolumeClaim): Failure | undefined {
  const { name, request, capacity = Quantity.zero, state, conditions } = readClaim(claim);
  const plan = planClaim(
    { claim, template: "", ordinal: 0, inRange: true },
    { size: request },
    { classes: assumedClasses(), gates: DEFAULT_GATES, beyondReplicas: true },
  );
  if (plan.kind !== "failed") return undefined;
  const at = state === "node-infeasible" ? "node" : "storage";
  const moment = conditions.get(at === "node" ? "node-error" : "controller-error")?.at;
  return {
    claim: name,
    request,
    capacity,
    at,
    message: plan.message,
    tried: moment === undefined ? undefined : toTimestamp(moment),
  };
}

const MEBI = 1n << 20n;
const GIBI = 1n << 30n;

/** A size must be above this to be of use to all of them. There must be at least one. */
export function lowest(failures: readonly Failure[]): Quantity {
  return failures.map(({ capacity }) => capacity).reduce((a, b) => Quantity.max(a, b));
}

/**
 * The smallest step above what the claims have and below what failed: the next whole Gi, else Mi. Undefined when nothing
 * lies between the two, or when asking for less is no help.
 */
export function propose(failures: readonly Failure[]): Quantity | undefined {
  if (failures.some(({ at }) => at === "node")) return undefined;
  const floor = lowest(failures).toBytes();
  const next = (unit: bigint): Quantity => Quantity.bytes((floor / unit + 1n) * unit);
  return [next(GIBI), next(MEBI)].find((size) => failures.every(({ request }) => size.lessThan(request)));
}
