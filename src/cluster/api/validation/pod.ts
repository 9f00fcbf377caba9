/** Pods and the templates that pods are made from. Follows upstream's ValidatePodSpec and ValidatePodUpdate, in their order. */
import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from "../../../admission/verdict.ts";
import { semanticallyEqual } from "../../../core/semantic-equal.ts";
import type { ResourceList } from "../../../core/types.ts";
import { checkName, checkOneOf, checkQualifiedName } from "./checks.ts";
import { validateAnnotations, validateLabels } from "./metadata.ts";
import { dnsSubdomain } from "./names.ts";
import { type Affinity, checkAffinity, checkSpread, type SpreadConstraint } from "./pod/affinity.ts";
import { type Container, checkContainers, checkImages, checkInitContainers, type PodAround } from "./pod/container.ts";
import { checkEphemeralContainers, type EphemeralContainer } from "./pod/ephemeral.ts";
import { checkDnsConfig, checkHostAliases, checkHostname, checkHostnameOverride, type Naming } from "./pod/network.ts";
import { checkPodSecurity, type PodSecurity } from "./pod/security.ts";
import { checkVolumes, type Volume } from "./pod/volumes.ts";
import { keyOfParts, repeated } from "./repeated.ts";
import { checkRequirements } from "./resources.ts";
import { checkTolerations, type Toleration } from "./toleration.ts";

export interface PodSpecToCheck extends Naming {
  readonly containers?: readonly Container[] | null;
  readonly initContainers?: readonly Container[];
  readonly ephemeralContainers?: readonly EphemeralContainer[];
  readonly volumes?: readonly Volume[];
  readonly restartPolicy?: string;
  readonly nodeName?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly serviceAccountName?: string;
  readonly terminationGracePeriodSeconds?: number;
  readonly activeDeadlineSeconds?: number;
  readonly tolerations?: readonly Toleration[];
  readonly securityContext?: PodSecurity;
  readonly affinity?: Affinity;
  readonly topologySpreadConstraints?: readonly SpreadConstraint[];
  readonly readinessGates?: readonly { readonly conditionType?: string }[];
  readonly schedulingGates?: readonly { readonly name?: string }[];
  readonly priorityClassName?: string;
  readonly runtimeClassName?: string;
  readonly preemptionPolicy?: string;
  readonly overhead?: ResourceList;
  readonly os?: { readonly name?: string };
  readonly hostUsers?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly shareProcessNamespace?: boolean;
}

export interface TemplateToCheck {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: PodSpecToCheck;
}

const RESTART_POLICIES = ["Always", "OnFailure", "Never"];
const DNS_POLICIES = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
const PREEMPTION_POLICIES = ["PreemptLowerPriority", "Never"];
const SYSTEMS = ["linux", "windows"];
const MAX_SECONDS = 2 ** 31 - 1;

/** Every error of a new pod that has its defaults. */
export function validateNewPod(pod: PodToCheck): FieldError[] {
  const isLater = (pod.spec?.ephemeralContainers ?? []).length > 0;
  return [...validatePod(pod), ...(isLater ? [forbidden("spec.ephemeralContainers", "cannot be set on create")] : [])];
}

function validatePod({ metadata, spec = {} }: PodToCheck): FieldError[] {
  return [
    ...validatePodSpec(spec, "spec", { pod: metadata?.name }),
    ...checkImages(spec.containers ?? [], "spec.containers"),
    ...checkImages(spec.initContainers ?? [], "spec.initContainers"),
  ];
}

export interface PodToCheck {
  readonly metadata?: { readonly name?: string };
  readonly spec?: PodSpecToCheck;
}

/** Every error of what pods are made from. */
export function validatePodTemplate({ metadata, spec = {} }: TemplateToCheck, path: string): FieldError[] {
  const later = "ephemeral containers not allowed in pod template";
  return [
    ...validateLabels(metadata?.labels ?? {}, `${path}.labels`),
    ...validateAnnotations(metadata?.annotations ?? {}, `${path}.annotations`),
    ...validatePodSpec(spec, `${path}.spec`),
    ...((spec.ephemeralContainers ?? []).length > 0 ? [forbidden(`${path}.spec.ephemeralContainers`, later)] : []),
  ];
}

export interface PodSpecContext {
  /** The name of the pod, where it is one. */
  readonly pod?: string | undefined;
}

/** Every error of a spec that has its defaults. */
export function validatePodSpec(spec: PodSpecToCheck, path: string, { pod }: PodSpecContext = {}): FieldError[] {
  const { errors, usable } = checkVolumes(spec.volumes ?? [], pod, `${path}.volumes`);
  const around = aroundOf(spec, usable);
  const containers = spec.containers ?? [];
  return [
    ...errors,
    ...checkContainers(containers, around, `${path}.containers`),
    ...checkInitContainers(spec.initContainers ?? [], containers, around, `${path}.initContainers`),
    ...checkEphemeralContainers(
      spec.ephemeralContainers ?? [],
      [...containers, ...(spec.initContainers ?? [])],
      around,
      `${path}.ephemeralContainers`,
    ),
    ...checkNetworkPorts(spec, pod !== undefined, `${path}.containers`),
    ...checkOneOf(spec.restartPolicy, RESTART_POLICIES, `${path}.restartPolicy`),
    ...checkOneOf(spec.dnsPolicy, DNS_POLICIES, `${path}.dnsPolicy`),
    ...validateLabels(spec.nodeSelector ?? {}, `${path}.nodeSelector`),
    ...checkSecurity(spec, `${path}.securityContext`),
    ...(spec.affinity === undefined ? [] : checkAffinity(spec.affinity, `${path}.affinity`)),
    ...checkDnsConfig(spec, `${path}.dnsConfig`),
    ...checkGates(spec, path),
    ...checkSpread(spec.topologySpreadConstraints ?? [], `${path}.topologySpreadConstraints`),
    ...checkOwnUsers(spec, path),
    ...checkHostnameOverride(spec, `${path}.hostnameOverride`),
    ...checkName(spec.serviceAccountName, dnsSubdomain, `${path}.serviceAccountName`),
    ...checkName(spec.nodeName, dnsSubdomain, `${path}.nodeName`),
    ...checkDeadline(spec.activeDeadlineSeconds, `${path}.activeDeadlineSeconds`),
    ...checkHostname(spec, path),
    ...checkTolerations(spec.tolerations ?? [], `${path}.tolerations`),
    ...checkHostAliases(spec.hostAliases ?? [], `${path}.hostAliases`),
    ...checkName(spec.priorityClassName, dnsSubdomain, `${path}.priorityClassName`),
    ...checkClasses(spec, path),
  ];
}

function checkSecurity(spec: PodSpecToCheck, path: string): FieldError[] {
  const { securityContext, hostPID, shareProcessNamespace } = spec;
  const why = "ShareProcessNamespace and HostPID cannot both be enabled";
  return [
    ...(securityContext === undefined ? [] : checkPodSecurity(securityContext, path)),
    ...(shareProcessNamespace === true && hostPID === true
      ? [invalid(`${path}.shareProcessNamespace`, true, why)]
      : []),
  ];
}

/** On the network of the node a container has just the ports that it opens. */
function checkNetworkPorts({ hostNetwork, containers }: PodSpecToCheck, isPod: boolean, path: string): FieldError[] {
  if (hostNetwork !== true) return [];
  const why = "must match `containerPort` when `hostNetwork` is true";
  return (containers ?? []).flatMap(({ ports = [] }, index) =>
    ports.flatMap(({ hostPort = 0, containerPort = 0 }, place) =>
      (isPod || hostPort !== 0) && hostPort !== containerPort
        ? [invalid(`${path}[${index}].ports[${place}].hostPort`, hostPort, why)]
        : [],
    ),
  );
}

function checkGates({ readinessGates = [], schedulingGates = [] }: PodSpecToCheck, path: string): FieldError[] {
  const again = repeated(schedulingGates, ({ name }) => name ?? "");
  return [
    ...readinessGates.flatMap(({ conditionType }, index) =>
      checkQualifiedName(conditionType, `${path}.readinessGates[${index}].conditionType`),
    ),
    ...schedulingGates.flatMap(({ name = "" }, index) => [
      ...checkQualifiedName(name, `${path}.schedulingGates[${index}]`),
      ...(again.has(index) ? [duplicate(`${path}.schedulingGates[${index}]`, name)] : []),
    ]),
  ];
}

function checkOwnUsers({ hostUsers, hostPID, hostIPC }: PodSpecToCheck, path: string): FieldError[] {
  if (hostUsers !== false) return [];
  return [
    ...(hostPID === true ? [forbidden(`${path}.HostPID`, "when `hostUsers` is false")] : []),
    ...(hostIPC === true ? [forbidden(`${path}.HostIPC`, "when `hostUsers` is false")] : []),
  ];
}

function checkClasses(spec: PodSpecToCheck, path: string): FieldError[] {
  const { runtimeClassName: runtime, preemptionPolicy: policy, overhead, os } = spec;
  return [
    ...(runtime === undefined
      ? []
      : dnsSubdomain(runtime).map((problem) => invalid(`${path}.runtimeClassName`, runtime, problem))),
    ...(policy === undefined ? [] : checkOneOf(policy, PREEMPTION_POLICIES, `${path}.preemptionPolicy`)),
    ...(overhead === undefined ? [] : checkRequirements({ limits: overhead }, `${path}.overhead`)),
    ...(os === undefined
      ? []
      : (os.name ?? "") === ""
        ? [required(`${path}.os.name`)]
        : SYSTEMS.includes(os.name ?? "")
          ? []
          : [notSupported(`${path}.os`, os.name, SYSTEMS)]),
  ];
}

/** What all containers of a spec have in common. `volumes`: those that they may mount. */
export function aroundOf(spec: PodSpecToCheck, volumes: PodAround["volumes"]): PodAround {
  return {
    volumes,
    grace: spec.terminationGracePeriodSeconds,
    restartPolicy: spec.restartPolicy,
    sharesUsers: spec.hostUsers !== false,
  };
}

function checkDeadline(seconds: number | undefined, path: string): FieldError[] {
  if (seconds === undefined || (seconds >= 1 && seconds <= MAX_SECONDS)) return [];
  return [invalid(path, seconds, `must be between 1 and ${MAX_SECONDS}, inclusive`)];
}

const MUTABLE_FIELDS =
  "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`," +
  "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations)," +
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

/** What an update may change in a pod that is there: little more than the images. */
export function validatePodUpdate(old: PodToCheck, next: PodToCheck): FieldError[] {
  return [...validatePod(next), ...checkChange(old.spec ?? {}, next.spec ?? {})];
}

function checkChange(old: PodSpecToCheck, next: PodSpecToCheck): FieldError[] {
  for (const field of ["containers", "initContainers"] as const) {
    if ((old[field] ?? []).length !== (next[field] ?? []).length) {
      return [forbidden(`spec.${field}`, "pod updates may not add or remove containers")];
    }
  }
  const [before, after] = [old.activeDeadlineSeconds, next.activeDeadlineSeconds];
  const at = "spec.activeDeadlineSeconds";
  if (after !== undefined && (after < 0 || after > MAX_SECONDS)) {
    return [invalid(at, after, `must be between 0 and ${MAX_SECONDS}, inclusive`)];
  }
  if (before !== undefined && after !== undefined && before < after) {
    return [invalid(at, after, "must be less than or equal to previous value")];
  }
  const isUnset = before !== undefined && after === undefined;
  return [
    ...(isUnset ? [invalid(at, null, "must not update from a positive integer to nil value")] : []),
    ...checkTolerationsStay(old.tolerations ?? [], next.tolerations ?? []),
    ...checkGatesGo(old.schedulingGates ?? [], next.schedulingGates ?? []),
    ...(semanticallyEqual(fixedPart(old), fixedPart(next)) ? [] : [forbidden("spec", MUTABLE_FIELDS)]),
  ];
}

/** Some may be added, and how long one is put up with may change. */
function checkTolerationsStay(old: readonly Toleration[], next: readonly Toleration[]): FieldError[] {
  const kept = new Set(next.map((each) => keyOfParts(...partsOf(each))));
  if (old.every((each) => kept.has(keyOfParts(...partsOf(each))))) return [];
  const why = "existing toleration can not be modified except its tolerationSeconds";
  return [forbidden("spec.tolerations", why), ...checkTolerations(next, "spec.tolerations")];
}

function partsOf({ key = "", operator = "", value = "", effect = "" }: Toleration): readonly string[] {
  return [key, operator, value, effect];
}

function checkGatesGo(old: readonly { name?: string }[], next: readonly { name?: string }[]): FieldError[] {
  const known = new Set(old.map(({ name }) => name));
  const isNew = ({ name }: { name?: string }): boolean => !known.has(name);
  const added = next.map((gate, index) => ({ gate, index })).filter(({ gate }) => isNew(gate));
  return added.map(({ gate, index }) =>
    forbidden(
      `spec.schedulingGates[${index}].name`,
      `only deletion is allowed, but found new scheduling gate '${gate.name}'`,
    ),
  );
}

function fixedPart(spec: PodSpecToCheck): unknown {
  const { containers, initContainers, ...rest } = spec;
  const {
    activeDeadlineSeconds: _deadline,
    tolerations: _tolerations,
    schedulingGates: _gates,
    ...fixed
  } = rest as Readonly<Record<string, unknown>>;
  const withoutImages = (list: readonly Container[] | null | undefined) =>
    (list ?? []).map((container) => ({ ...container, image: "" }));
  return { ...fixed, containers: withoutImages(containers), initContainers: withoutImages(initContainers) };
}
