/** Who follows a size of a source: a StatefulSet by name, sets by label, or claims by label. */
import type { LabelSelector } from "../../core/types.ts";
import type { ExpansionSourceSpec, NamedClaim } from "../types.ts";

/** Exactly one is given where `checkSource` finds nothing wrong. */
export interface Followers {
  readonly statefulSetName?: string;
  readonly statefulSetSelector?: LabelSelector;
  readonly claimSelector?: LabelSelector;
}

/** Those of the source as a whole. */
export function followersOfSource(spec: ExpansionSourceSpec): Followers {
  const { statefulSetName, statefulSetSelector, claimSelector } = spec;
  return {
    ...(statefulSetName !== undefined && { statefulSetName }),
    ...(statefulSetSelector !== undefined && { statefulSetSelector }),
    ...(claimSelector !== undefined && { claimSelector }),
  };
}

/** Those of a named claim: what it says itself beats the source as a whole. */
export function followersOfClaim(spec: ExpansionSourceSpec, claim: NamedClaim): Followers {
  const { statefulSetName, claimSelector } = claim;
  if (statefulSetName === undefined && claimSelector === undefined) return followersOfSource(spec);
  return {
    ...(statefulSetName !== undefined && { statefulSetName }),
    ...(claimSelector !== undefined && { claimSelector }),
  };
}
