/** What a plan is asked for, and its answer from whatever is known. */
import { parseWish, type Wish } from "../../statefulset/decide/wish.ts";
import { readClaimSize } from "../claim-size.ts";
import type { Evidence } from "./evidence.ts";
import type { PlanOptions } from "./options.ts";
import { planOneClaim } from "./plan-claim.ts";
import { planSet } from "./plan-set.ts";
import type { PlanReport } from "./report.ts";
import { type CustomName, findTarget, type TargetName } from "./target.ts";

export interface Question {
  readonly target: TargetName;
  /** For a set: the sizes; for a claim on its own there is one under the empty name, if any. */
  readonly asked: Wish;
}

/**
 * The sizes that were typed, by template. One that stands alone has the empty name: it is a claim's, or the only one of a custom
 * resource. Throws `USAGE` or `WISH_MALFORMED` for sizes that do not fit the target.
 */
export function readSizes({ kind }: TargetName | CustomName, sizes: readonly string[]): Wish {
  const isAlone = kind === "Custom" && sizes.length === 1 && sizes[0]?.includes("=") === false;
  if (kind !== "PersistentVolumeClaim" && !isAlone) return parseWish(sizes.join(","));
  const size = readClaimSize(sizes);
  return new Map(size === undefined ? [] : [["", size]]);
}

/** The plan; in the namespace if one is given. Throws `OBJECT_MISSING` or `OBJECT_AMBIGUOUS`. */
export function answerWith(
  evidence: Evidence,
  { target, asked }: Question,
  namespace: string | undefined,
  options: PlanOptions,
): PlanReport {
  const { StatefulSet: sets, PersistentVolumeClaim: claims } = evidence.snapshot;
  return target.kind === "StatefulSet"
    ? planSet(findTarget(target, namespace, sets.values()), asked, evidence, options)
    : planOneClaim(findTarget(target, namespace, claims.values()), asked.get(""), evidence, options);
}
