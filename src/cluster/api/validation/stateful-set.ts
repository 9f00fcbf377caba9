/** StatefulSets: upstream pkg/apis/apps/validation. What an update may change is said in admission/. */
import { validateClaim } from "../../../admission/claim-rules.ts";
import { validateStatefulSetUpdate } from "../../../admission/statefulset-update.ts";
import type { StorageClasses } from "../../../admission/storage-classes.ts";
import { type FieldError, forbidden, invalid, notSupported, required } from "../../../admission/verdict.ts";
import type { Gates } from "../../../core/gates.ts";
import type { ClaimTemplate, LabelSelector, PersistentVolumeClaim, StatefulSet } from "../../../core/types.ts";
import { selectorFromObject } from "../selectors/label-selector.ts";
import { StatusError } from "../status-error.ts";
import { checkName, checkNotNegative, checkSelector } from "./checks.ts";
import { validateAnnotations, validateLabels } from "./metadata.ts";
import { dnsLabel } from "./names.ts";
import { type PodSpecToCheck, validatePodSpec } from "./pod.ts";

type Spec = StatefulSet["spec"];

const RETENTION = ["Retain", "Delete"];

/** Every error of a new set that has its defaults. */
export function validateStatefulSet({ spec }: StatefulSet): FieldError[] {
  return [
    ...checkStrategy(spec),
    ...checkTemplates(spec.volumeClaimTemplates ?? []),
    ...checkNumbers(spec),
    ...checkName(spec.serviceName, dnsLabel, "spec.serviceName"),
    ...checkPods(spec),
  ];
}

/** Every error of a set that replaces `old`. Sizes of templates follow the gate, and the classes behind them. */
export function validateStatefulSetChange(
  old: StatefulSet,
  next: StatefulSet,
  gates: Gates,
  classes: StorageClasses,
): FieldError[] {
  return [
    ...checkStrategy(next.spec),
    ...checkNumbers(next.spec),
    ...checkPods(next.spec),
    ...validateStatefulSetUpdate(old, next, gates, classes),
  ];
}

function checkStrategy({ podManagementPolicy = "", updateStrategy = {}, ...spec }: Spec): FieldError[] {
  return [
    ...checkPolicy(podManagementPolicy),
    ...checkUpdateStrategy(updateStrategy),
    ...(["whenDeleted", "whenScaled"] as const).flatMap((when) => {
      const policy = spec.persistentVolumeClaimRetentionPolicy?.[when];
      const path = `spec.persistentVolumeClaimRetentionPolicy.${when}`;
      return policy === undefined || RETENTION.includes(policy) ? [] : [notSupported(path, policy, RETENTION)];
    }),
  ];
}

function checkPolicy(policy: string): FieldError[] {
  if (policy === "") return [required("spec.podManagementPolicy")];
  if (policy === "OrderedReady" || policy === "Parallel") return [];
  return [invalid("spec.podManagementPolicy", policy, "must be 'OrderedReady' or 'Parallel'")];
}

function checkUpdateStrategy(strategy: NonNullable<Spec["updateStrategy"]>): FieldError[] {
  const path = "spec.updateStrategy";
  switch (strategy.type ?? "") {
    case "":
      return [required(path)];
    case "RollingUpdate":
      return checkNotNegative(strategy.rollingUpdate?.partition, `${path}.rollingUpdate.partition`);
    case "OnDelete":
      if (strategy.rollingUpdate === undefined) return [];
      return [
        invalid(`${path}.rollingUpdate`, internalRolling(strategy), "only allowed for updateStrategy 'RollingUpdate'"),
      ];
    default: {
      const shown = { Type: strategy.type, RollingUpdate: internalRolling(strategy) };
      return [invalid(path, shown, "must be 'RollingUpdate' or 'OnDelete'")];
    }
  }
}

/** The server shows its internal structures here, which have names of their own. */
function internalRolling({ rollingUpdate }: NonNullable<Spec["updateStrategy"]>): unknown {
  if (rollingUpdate === undefined) return null;
  return { Partition: rollingUpdate.partition ?? null, MaxUnavailable: rollingUpdate.maxUnavailable ?? null };
}

/** The rules of a claim, where a template stands. */
function checkTemplates(templates: readonly ClaimTemplate[]): FieldError[] {
  return templates.flatMap((template, index) =>
    validateClaim(template as PersistentVolumeClaim).map((error) => ({
      ...error,
      path: `spec.volumeClaimTemplates[${index}].${error.path}`,
    })),
  );
}

function checkNumbers({ replicas, minReadySeconds, ordinals }: Spec): FieldError[] {
  return [
    ...checkNotNegative(replicas, "spec.replicas"),
    ...checkNotNegative(minReadySeconds, "spec.minReadySeconds"),
    ...checkNotNegative(ordinals?.start, "spec.ordinals.start"),
  ];
}

function checkPods({ selector, template, volumeClaimTemplates }: Spec): FieldError[] {
  const errors = checkSetSelector(selector);
  const labels = template.metadata?.labels ?? {};
  const spec = (template.spec ?? {}) as PodSpecToCheck & { readonly activeDeadlineSeconds?: number };
  const path = "spec.template";
  errors.push(...checkMatch(selector, labels));
  const claims = (volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name);
  errors.push(
    ...validateLabels(labels, `${path}.labels`),
    ...validateAnnotations(template.metadata?.annotations ?? {}, `${path}.annotations`),
    ...validatePodSpec(spec, `${path}.spec`, claims),
  );
  if (spec.restartPolicy !== "Always") {
    errors.push(notSupported(`${path}.spec.restartPolicy`, spec.restartPolicy, ["Always"]));
  }
  if (spec.activeDeadlineSeconds !== undefined) {
    errors.push(
      forbidden(`${path}.spec.activeDeadlineSeconds`, "activeDeadlineSeconds in StatefulSet is not Supported"),
    );
  }
  return errors;
}

/** An empty selector is refused elsewhere, one that is missing matches nothing, one that makes no sense is refused twice. */
function checkMatch(
  selector: LabelSelector | null | undefined,
  labels: Readonly<Record<string, string>>,
): FieldError[] {
  try {
    if (selectorFromObject(selector ?? undefined).matches(labels)) return [];
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return [invalid("spec.selector", selector, "")];
  }
  const shown = Object.keys(labels).length === 0 ? null : labels;
  return [invalid("spec.template.metadata.labels", shown, "`selector` does not match template `labels`")];
}

function checkSetSelector(selector: Spec["selector"] | null | undefined): FieldError[] {
  if (selector === undefined || selector === null) return [required("spec.selector")];
  const errors = checkSelector(selector, "spec.selector");
  const selects = Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length;
  if (selects === 0) errors.push(invalid("spec.selector", selector, "empty selector is invalid for statefulset"));
  return errors;
}
