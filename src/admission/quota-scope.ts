/**
 * Which claims a quota counts. A quota without scopes counts all; the one scope that claims know is
 * VolumeAttributesClass; a quota with any other scope is about pods and counts no claim.
 */
import { isGiven } from "../core/semantic-equal.ts";
import type { PersistentVolumeClaim, ResourceQuota } from "../core/types.ts";

/** Whether the quota counts this claim: every scope and every expression of its selector must match. */
export function quotaCounts(quota: ResourceQuota, claim: PersistentVolumeClaim): boolean {
  const named = (quota.spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: "Exists" }));
  const selected = quota.spec?.scopeSelector?.matchExpressions ?? [];
  const classes = attributesClasses(claim);
  return [...named, ...selected].every(
    (scope) => scope.scopeName === "VolumeAttributesClass" && matches(scope, classes),
  );
}

function matches(scope: { operator: string; values?: string[] }, classes: readonly string[]): boolean {
  const values = scope.values ?? [];
  switch (scope.operator) {
    case "Exists":
      return classes.length > 0;
    case "DoesNotExist":
      return classes.length === 0;
    case "In":
      return classes.some((name) => values.includes(name));
    case "NotIn":
      return classes.length === 0 || classes.some((name) => !values.includes(name));
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
