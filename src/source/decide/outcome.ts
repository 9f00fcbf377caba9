/** How growing through a custom resource stands, in one word and one sentence. */
import { aggregate, type FieldError, fieldErrorText } from "../../admission/verdict.ts";
import type { TemplateGrowth } from "./growth.ts";

/**
 * `resized`: every claim has its size and the set's template follows. `growing`: nothing stands in the way, it takes its
 * time. `invalid`: the resource asks for what cannot be, nothing is done. `failed`: something was tried and said no.
 */
export interface Outcome {
  readonly kind: "resized" | "growing" | "invalid" | "failed";
  /** For people. The same while the situation is: no counts, no times, so that a status is not written over and over. */
  readonly message: string;
}

export interface OutcomeFacts {
  readonly growth: readonly TemplateGrowth[];
  /** What `validateSourceGrowth` found. */
  readonly errors: readonly FieldError[];
  /** What the API server or the StatefulSet's growth answered when it was asked: quota, a lost right, a stopped rollout. */
  readonly refusals: readonly string[];
}

export function outcomeOf({ growth, errors, refusals }: OutcomeFacts): Outcome {
  if (errors.length > 0) {
    return { kind: "invalid", message: `Validation failed: ${aggregate(errors.map(fieldErrorText))}` };
  }
  const failures = [...refusals, ...growth.flatMap(failuresOf)];
  if (failures.length > 0) return { kind: "failed", message: `Resize failed: ${firstOf(failures)}` };

  const open = growth.filter((each) => !isSettled(each));
  if (open.length > 0) return { kind: "growing", message: `growing ${sizesOf(open)}` };
  return { kind: "resized", message: `every claim has its size: ${sizesOf(growth)}` };
}

function isSettled({ inSet, claims }: TemplateGrowth): boolean {
  return inSet !== "behind" && claims.every(({ standing }) => standing === "done");
}

function failuresOf({ claims }: TemplateGrowth): string[] {
  return claims
    .filter(({ standing }) => standing === "failed")
    .map(({ claim }) => `${claim.name}: ${claim.failure ?? ""}`);
}

function firstOf(failures: readonly string[]): string {
  const [first = "", ...others] = failures;
  return others.length === 0 ? first : `${first} (and ${others.length} more)`;
}

function sizesOf(growth: readonly TemplateGrowth[]): string {
  return growth.map(({ template, wish }) => `${template} ${wish.toString()}`).join(", ");
}
