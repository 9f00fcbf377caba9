/**
 * What a step wants to write on a claim, and the claim after it.
 *
 * Rules speak of a change in our own words; `applyClaimChange` turns it into the claim as it should be, in the words of
 * the server's dialect. The caller sends the difference as one patch: all status changes of one step travel together
 * (KEP-1790), and a change that changes nothing gives back the very same object, so that no empty patch is ever sent.
 */
import { toTimestamp } from "./clock.ts";
import {
  type ConditionKind,
  conditionTypes,
  type Dialect,
  isRecorded,
  type ResizeState,
  writeState,
} from "./dialect.ts";
import { Quantity } from "./quantity.ts";
import { type Condition, type PersistentVolumeClaim, type ResourceList, STORAGE } from "./types.ts";

export interface ClaimChange {
  /** Record this as `status.allocatedResources`: quota counts it from now on. */
  readonly allocated?: Quantity;
  /** Record this stage; `none` removes the record. */
  readonly state?: ResizeState;
  /** Record this as `status.capacity`. */
  readonly capacity?: Quantity;
  /** Conditions that hold from now on. One that holds already keeps its transition time. */
  readonly set?: readonly ConditionChange[];
  /** Conditions that no longer hold; they are removed. */
  readonly clear?: readonly ConditionKind[];
  /** Annotations to set, or to remove (null). */
  readonly annotations?: Readonly<Record<string, string | null>>;
}

export interface ConditionChange {
  readonly kind: ConditionKind;
  readonly message?: string;
  /** Note that it was seen to hold now. `anew`: at a moment that differs from the one noted before, come what may. */
  readonly probed?: boolean | "anew";
}

/** The claim after the change; the same object when nothing would differ. `now` becomes new transition times. */
export function applyClaimChange(
  claim: PersistentVolumeClaim,
  change: ClaimChange,
  dialect: Dialect,
  now: number,
): PersistentVolumeClaim {
  const before = claim.status ?? {};
  let status = { ...before };
  let changed = false;

  if (change.state !== undefined && !isRecorded(before, change.state, dialect)) {
    status = writeState(status, change.state, dialect);
    changed = true;
  }
  for (const field of ["allocated", "capacity"] as const) {
    const size = change[field];
    const key = field === "allocated" ? "allocatedResources" : "capacity";
    if (size === undefined || isSize(status[key], size)) continue;
    status[key] = { ...status[key], [STORAGE]: size.toString() };
    changed = true;
  }
  const conditions = changeConditions(before.conditions ?? [], change, dialect, toTimestamp(now));
  if (conditions !== undefined) {
    if (conditions.length > 0) status.conditions = conditions;
    else delete status.conditions;
    changed = true;
  }
  const annotations = changeAnnotations(claim.metadata.annotations ?? {}, change.annotations ?? {});
  if (!changed && annotations === undefined) return claim;

  const next: PersistentVolumeClaim = changed ? { ...claim, status } : { ...claim };
  if (annotations !== undefined) next.metadata = { ...claim.metadata, annotations };
  return next;
}

function isSize(list: ResourceList | undefined, size: Quantity): boolean {
  const text = list?.[STORAGE];
  return text !== undefined && Quantity.tryParse(text)?.equals(size) === true;
}

/** The conditions after the change, or undefined when they are the same. */
function changeConditions(
  before: readonly Condition[],
  change: ClaimChange,
  dialect: Dialect,
  now: string,
): Condition[] | undefined {
  const settable = (change.set ?? []).flatMap((wanted) =>
    dialect.conditions[wanted.kind].map((type) => ({ ...wanted, type })),
  );
  const kept = new Set(settable.map((wanted) => wanted.type));
  const cleared = new Set((change.clear ?? []).flatMap((kind) => [...conditionTypes(kind)]));
  const after = before.filter((condition) => kept.has(condition.type) || !cleared.has(condition.type));
  let changed = after.length !== before.length;

  for (const { type, message, probed } of settable) {
    const index = after.findIndex((condition) => condition.type === type);
    const old = after[index];
    const holds = old?.status === "True";
    const probe = probed === undefined || probed === false ? (old?.lastProbeTime ?? null) : now;
    const seen = probe === (old?.lastProbeTime ?? null);
    if (holds && seen && probed !== "anew" && (old.message ?? "") === (message ?? "")) continue;
    const next: Condition = {
      ...old,
      type,
      status: "True",
      lastProbeTime: seen && probed === "anew" ? oneSecondAfter(now) : probe,
      lastTransitionTime: holds ? (old.lastTransitionTime ?? now) : now,
    };
    if (message === undefined) delete next.message;
    else next.message = message;
    if (index < 0) after.push(next);
    else after[index] = next;
    changed = true;
  }
  return changed ? after : undefined;
}

/** The annotations after the change, or undefined when they are the same. */
function changeAnnotations(
  before: Readonly<Record<string, string>>,
  change: Readonly<Record<string, string | null>>,
): Record<string, string> | undefined {
  const after = { ...before };
  let changed = false;
  for (const [name, value] of Object.entries(change)) {
    if (value === null ? !Object.hasOwn(after, name) : after[name] === value) continue;
    if (value === null) delete after[name];
    else after[name] = value;
    changed = true;
  }
  return changed ? after : undefined;
}

function oneSecondAfter(timestamp: string): string {
  return toTimestamp(Date.parse(timestamp) + 1000);
}
