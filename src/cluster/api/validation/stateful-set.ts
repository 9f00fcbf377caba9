/** StatefulSets: upstream pkg/apis/apps/validation. What an update may change is said in admission/. */
import { validateStatefulSetUpdate } from "../../../admission/statefulset-update.ts";
import type { StorageClasses } from "../../../admission/storage-classes.ts";
import { type FieldError, invalid, notSupported, required } from "../../../admission/verdict.ts";
import type { Gates } from "../../../core/gates.ts";
import type { ClaimTemplate, PersistentVolumeClaim, StatefulSet } from "../../../core/types.ts";
import { checkName, checkNotNegative } from "./checks.ts";
import { validateNewClaim } from "./claim.ts";
import { validateAnnotations, validateLabels } from "./metadata.ts";
import { dnsLabel } from "./names.ts";
import { type PodSpecToCheck, validatePodTemplate } from "./pod.ts";
import { checkAlwaysRuns, checkTemplateLabels, checkWorkloadSelector } from "./workload-pods.ts";

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
    validateNewClaim(template as PersistentVolumeClaim).map((error) => ({
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
  const labels = template.metadata?.labels ?? {};
  const spec = (template.spec ?? {}) as PodSpecToCheck;
  const path = "spec.template";
  const claims = new Set((volumeClaimTemplates ?? []).map(({ metadata: { name } }) => name));
  // Claims of a template take the place of volumes of their name, and who a pod is called is the set's affair.
  const volumes = [
    ...Array.from(claims, (name) => ({ name, persistentVolumeClaim: { claimName: name } })),
    ...(spec.volumes ?? []).filter(({ name = "" }) => !claims.has(name)),
  ];
  const judged = { ...spec, volumes, hostname: "", subdomain: "" };
  const matching = checkTemplateLabels(selector, template.metadata?.labels, "");
  return [
    ...checkWorkloadSelector(selector, "statefulset"),
    ...matching.errors,
    ...(matching.isSelector
      ? [
          ...validatePodTemplate({ metadata: template.metadata ?? {}, spec: judged }, path),
          // Again: so it is upstream.
          ...validateLabels(labels, `${path}.labels`),
          ...validateAnnotations(template.metadata?.annotations ?? {}, `${path}.annotations`),
        ]
      : []),
    ...checkAlwaysRuns(spec, "StatefulSet", `${path}.spec`),
  ];
}
