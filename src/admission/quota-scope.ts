/**
 * Which claims a quota counts. A quota without scopes counts all; the one scope that claims know is
 * VolumeAttributesClass; a quota with any other scope is about pods and counts no claim.
 */
import { isGiven } from "../core/semantic-equal.ts";
import type { PersistentVolumeClaim, ResourceQuota } from "../core/types.ts";

/** One thing that a quota asks of what it counts. */
export interface Scope {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** All that a quota asks: what it counts must match every one. */
export function scopesOf({ spec }: ResourceQuota): readonly Scope[] {
  const named = (spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: "Exists" }));
  return [...named, ...(spec?.scopeSelector?.matchExpressions ?? [])];
}

/** Whether the quota counts this claim: every scope and every expression of its selector must match. */
export function quotaCounts(quota: ResourceQuota, claim: PersistentVolumeClaim): boolean {
  const scopes = scopesOf(quota);
  if (scopes.length === 0) return true;
  const classes = attributesClasses(claim);
  return scopes.every((scope) => scope.scopeName === "VolumeAttributesClass" && namesMatch(scope, classes));
}

/** Whether a scope that is about names of classes is met by these. */
export function namesMatch({ operator, values = [] }: Scope, names: readonly string[]): boolean {
  switch (operator) {
    case "Exists":
      return names.length > 0;
    case "DoesNotExist":
      return names.length === 0;
    case "In":
      return names.some((name) => values.includes(name));
    case "NotIn":
      return names.length === 0 || names.some((name) => !values.includes(name));
    default:
      return false;
  }
}

/** Every class the claim has to do with: asked for, in force, and on its way. */
function attributesClasses({ spec, status }: PersistentVolumeClaim): string[] {
  return [
    spec.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ].filter((name): name is string => isGiven(name) && name !== "");
}
