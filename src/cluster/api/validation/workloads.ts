/** Deployments, ReplicaSets, DaemonSets and their like (upstream pkg/apis/apps/validation). */
import { type FieldError, forbidden, invalid, notSupported, required } from "../../../admission/verdict.ts";
import type { LabelSelector } from "../../../core/types.ts";
import { checkNotNegative, checkSelector, checkShare, checkUnchanged, shareOver100 } from "./checks.ts";
import { type TemplateToCheck, validatePodTemplate } from "./pod.ts";
import { checkAlwaysRuns, checkTemplateLabels, checkWorkloadSelector } from "./workload-pods.ts";

type Share = number | string;

interface Strategy {
  readonly type?: string;
  readonly rollingUpdate?: { readonly maxUnavailable?: Share; readonly maxSurge?: Share };
}

export interface WorkloadToCheck {
  readonly spec?: {
    readonly replicas?: number;
    readonly selector?: LabelSelector | null;
    readonly template?: TemplateToCheck;
    readonly minReadySeconds?: number;
    readonly revisionHistoryLimit?: number;
    readonly progressDeadlineSeconds?: number;
    readonly strategy?: Strategy;
    readonly updateStrategy?: Strategy;
  };
}

type Spec = NonNullable<WorkloadToCheck["spec"]>;

export function validateDeployment({ spec = {} }: WorkloadToCheck): FieldError[] {
  const { minReadySeconds = 0, progressDeadlineSeconds: deadline } = spec;
  const at = "spec.progressDeadlineSeconds";
  return [
    ...checkNotNegative(spec.replicas, "spec.replicas"),
    ...checkWorkloadSelector(spec.selector, "deployment"),
    ...checkReplicas(spec),
    ...checkDeploymentStrategy(spec.strategy ?? {}),
    ...checkNotNegative(minReadySeconds, "spec.minReadySeconds"),
    ...checkNotNegative(spec.revisionHistoryLimit, "spec.revisionHistoryLimit"),
    ...checkNotNegative(deadline, at),
    ...(deadline !== undefined && deadline <= minReadySeconds
      ? [invalid(at, deadline, "must be greater than minReadySeconds")]
      : []),
  ];
}

export function validateReplicaSet({ spec = {} }: WorkloadToCheck): FieldError[] {
  return [
    ...checkNotNegative(spec.replicas, "spec.replicas"),
    ...checkNotNegative(spec.minReadySeconds, "spec.minReadySeconds"),
    ...checkWorkloadSelector(spec.selector, "deployment"),
    ...checkReplicas(spec),
  ];
}

/** Whom it selects stays; whether it is Deployment or ReplicaSet. */
export function selectorStays(validate: (workload: WorkloadToCheck) => FieldError[]) {
  return (old: WorkloadToCheck, next: WorkloadToCheck): FieldError[] => [
    ...validate(next),
    ...checkUnchanged(old.spec?.selector, next.spec?.selector, "spec.selector"),
  ];
}

/** The pods of a ReplicaSet, whoever makes it. */
function checkReplicas({ selector, template = {} }: Spec): FieldError[] {
  const { errors, isSelector } = checkTemplateLabels(selector, template.metadata?.labels, "invalid label selector");
  if (!isSelector) return [...errors];
  return [
    ...errors,
    ...validatePodTemplate(template, "spec.template"),
    ...checkAlwaysRuns(template.spec ?? {}, "ReplicaSet", "spec.template.spec"),
  ];
}

function checkDeploymentStrategy(strategy: Strategy): FieldError[] {
  const path = "spec.strategy";
  const { type = "", rollingUpdate } = strategy;
  switch (type) {
    case "Recreate":
      if (rollingUpdate === undefined) return [];
      return [forbidden(`${path}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")];
    case "RollingUpdate":
      if (rollingUpdate === undefined) {
        return [required(`${path}.rollingUpdate`, "this should be defaulted and never be nil")];
      }
      return checkRolling(rollingUpdate, `${path}.rollingUpdate`);
    default:
      return [notSupported(path, internalStrategy(strategy), ["Recreate", "RollingUpdate"])];
  }
}

function checkRolling(rolling: NonNullable<Strategy["rollingUpdate"]>, path: string): FieldError[] {
  const { maxUnavailable = 0, maxSurge = 0 } = rolling;
  return [
    ...checkShare(maxUnavailable, `${path}.maxUnavailable`),
    ...checkShare(maxSurge, `${path}.maxSurge`),
    ...(sizeOf(maxUnavailable) === 0 && sizeOf(maxSurge) === 0
      ? [invalid(`${path}.maxUnavailable`, maxUnavailable, "may not be 0 when `maxSurge` is 0")]
      : []),
    ...shareOver100(maxUnavailable, `${path}.maxUnavailable`),
  ];
}

/** The number, whether of pods or of percent; none for what is neither. */
function sizeOf(share: Share): number {
  if (typeof share === "number") return share;
  return /^[0-9]+%$/.test(share) ? Number.parseInt(share, 10) : 0;
}

/** The server shows its internal structures here, which have names of their own. */
function internalStrategy({ type = "", rollingUpdate }: Strategy): unknown {
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate ?? {};
  return {
    Type: type,
    RollingUpdate: rollingUpdate === undefined ? null : { MaxUnavailable: maxUnavailable, MaxSurge: maxSurge },
  };
}

export function validateDaemonSet({ spec = {} }: WorkloadToCheck): FieldError[] {
  const { selector, template = {} } = spec;
  const { errors, isSelector } = checkTemplateLabels(selector, template.metadata?.labels, "");
  const selects = Object.keys(selector?.matchLabels ?? {}).length + (selector?.matchExpressions ?? []).length;
  return [
    ...checkSelector(selector ?? undefined, "spec.selector"),
    ...(isSelector ? errors : []),
    ...(selector !== undefined && selector !== null && selects === 0
      ? [invalid("spec.selector", selector, "empty selector is invalid for daemonset")]
      : []),
    ...validatePodTemplate(template, "spec.template"),
    ...checkAlwaysRuns(template.spec ?? {}, "DaemonSet", "spec.template.spec"),
    ...checkNotNegative(spec.minReadySeconds, "spec.minReadySeconds"),
    ...checkDaemonStrategy(spec.updateStrategy ?? {}),
    ...checkNotNegative(spec.revisionHistoryLimit, "spec.revisionHistoryLimit"),
  ];
}

export function validateDaemonSetUpdate(old: WorkloadToCheck, next: WorkloadToCheck): FieldError[] {
  return [...checkUnchanged(old.spec?.selector, next.spec?.selector, "spec.selector"), ...validateDaemonSet(next)];
}

function checkDaemonStrategy(strategy: Strategy): FieldError[] {
  const path = "spec.updateStrategy";
  const { type = "", rollingUpdate } = strategy;
  if (type === "OnDelete") return [];
  if (type !== "RollingUpdate") return [notSupported(path, internalStrategy(strategy), ["RollingUpdate", "OnDelete"])];
  if (rollingUpdate === undefined) return [required(`${path}.rollingUpdate`)];
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate;
  const at = `${path}.rollingUpdate`;
  const [leaves, comes] = [sizeOf(maxUnavailable) !== 0, sizeOf(maxSurge) !== 0];
  return [
    ...checkShare(maxUnavailable, `${at}.maxUnavailable`),
    ...checkShare(maxSurge, `${at}.maxSurge`),
    ...shareOver100(maxUnavailable, `${at}.maxUnavailable`),
    ...shareOver100(maxSurge, `${at}.maxSurge`),
    ...(leaves && comes ? [invalid(`${at}.maxSurge`, maxSurge, "may not be set when maxUnavailable is non-zero")] : []),
    ...(!leaves && !comes ? [required(`${at}.maxUnavailable`, "cannot be 0 when maxSurge is 0")] : []),
  ];
}

export interface ControllerToCheck {
  readonly spec?: {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly selector?: Readonly<Record<string, string>>;
    readonly template?: TemplateToCheck;
  };
}

export function validateReplicationController({ spec = {} }: ControllerToCheck): FieldError[] {
  const { replicas, minReadySeconds, selector = {}, template } = spec;
  const at = "spec.template";
  const labels = template?.metadata?.labels ?? {};
  const isMatched = Object.entries(selector).every(([key, value]) => labels[key] === value);
  const shown = Object.keys(labels).length === 0 ? null : labels;
  return [
    ...checkNotNegative(minReadySeconds, "spec.minReadySeconds"),
    ...(Object.keys(selector).length === 0 ? [required("spec.selector")] : []),
    ...checkNotNegative(replicas, "spec.replicas"),
    ...(template === undefined
      ? [required(at)]
      : [
          ...(isMatched
            ? []
            : [invalid(`${at}.metadata.labels`, shown, "`selector` does not match template `labels`")]),
          ...validatePodTemplate(template, at),
          ...checkAlwaysRuns(template.spec ?? {}, "ReplicationController", `${at}.spec`),
        ]),
  ];
}

export function validateStoredTemplate({ template = {} }: { readonly template?: TemplateToCheck }): FieldError[] {
  return validatePodTemplate(template, "template");
}
