/**
 * Pods and the templates that pods are made from, as far as a mistake there would surprise: containers, their images,
 * ports, sizes and mounts, and volumes. Follows upstream's ValidatePodSpec, in its order.
 */
import { duplicate, type FieldError, forbidden, invalid, notFound, required } from "../../../admission/verdict.ts";
import { Quantity } from "../../../core/quantity.ts";
import { semanticallyEqual } from "../../../core/semantic-equal.ts";
import type { ResourceList } from "../../../core/types.ts";
import { checkName, checkOneOf, checkPort, checkRequiredName } from "./checks.ts";
import { dnsLabel, dnsSubdomain } from "./names.ts";
import { checkTolerations, type Toleration } from "./toleration.ts";

export interface PodSpecToCheck {
  readonly containers?: readonly Container[] | null;
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly { readonly name?: string }[];
  readonly restartPolicy?: string;
  readonly dnsPolicy?: string;
  readonly nodeName?: string;
  readonly serviceAccountName?: string;
  readonly activeDeadlineSeconds?: number;
  readonly tolerations?: readonly Toleration[];
}

interface Container {
  readonly name?: string;
  readonly image?: string;
  readonly imagePullPolicy?: string;
  readonly ports?: readonly { name?: string; containerPort?: number; hostPort?: number; protocol?: string }[];
  readonly env?: readonly { name?: string }[];
  readonly volumeMounts?: readonly { name?: string; mountPath?: string }[];
  readonly resources?: { readonly requests?: ResourceList; readonly limits?: ResourceList };
}

const PROTOCOLS = ["SCTP", "TCP", "UDP"];
const PULL_POLICIES = ["Always", "IfNotPresent", "Never"];
const RESTART_POLICIES = ["Always", "OnFailure", "Never"];
const DNS_POLICIES = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];

/**
 * Every error of a spec that has its defaults. `claims`: volumes that a StatefulSet adds to it, which containers may mount.
 */
export function validatePodSpec(spec: PodSpecToCheck, path: string, claims: readonly string[] = []): FieldError[] {
  const volumes = [...(spec.volumes ?? []).map(({ name = "" }) => name), ...claims];
  const containers = spec.containers ?? [];
  const init = spec.initContainers ?? [];
  return [
    ...checkVolumes(spec.volumes ?? [], `${path}.volumes`),
    ...(containers.length === 0 ? [required(`${path}.containers`)] : []),
    ...checkContainers(containers, volumes, `${path}.containers`),
    ...checkContainers(init, volumes, `${path}.initContainers`, containers),
    ...checkOneOf(spec.restartPolicy, RESTART_POLICIES, `${path}.restartPolicy`),
    ...checkOneOf(spec.dnsPolicy, DNS_POLICIES, `${path}.dnsPolicy`),
    ...checkName(spec.serviceAccountName, dnsSubdomain, `${path}.serviceAccountName`),
    ...checkName(spec.nodeName, dnsSubdomain, `${path}.nodeName`),
    ...checkDeadline(spec.activeDeadlineSeconds, `${path}.activeDeadlineSeconds`),
    ...checkTolerations(spec.tolerations ?? [], `${path}.tolerations`),
  ];
}

const MAX_SECONDS = 2 ** 31 - 1;

function checkDeadline(seconds: number | undefined, path: string): FieldError[] {
  if (seconds === undefined || (seconds >= 1 && seconds <= MAX_SECONDS)) return [];
  return [invalid(path, seconds, `must be between 1 and ${MAX_SECONDS}, inclusive`)];
}

function checkVolumes(volumes: readonly { readonly name?: string }[], path: string): FieldError[] {
  return volumes.flatMap(({ name = "" }, index) => [
    ...checkRequiredName(name, dnsLabel, `${path}[${index}].name`),
    ...(isRepeated(volumes, index) ? [duplicate(`${path}[${index}].name`, name)] : []),
  ]);
}

/** `others`: containers of the pod that share the names. */
function checkContainers(
  containers: readonly Container[],
  volumes: readonly string[],
  path: string,
  others: readonly Container[] = [],
): FieldError[] {
  return containers.flatMap((container, index) => [
    ...checkContainer(container, volumes, `${path}[${index}]`),
    ...(isRepeated([...others, ...containers], others.length + index)
      ? [duplicate(`${path}[${index}].name`, container.name)]
      : []),
  ]);
}

function checkContainer(container: Container, volumes: readonly string[], path: string): FieldError[] {
  const { name, image = "", imagePullPolicy, ports = [], env = [], volumeMounts = [], resources = {} } = container;
  return [
    ...checkRequiredName(name, dnsLabel, `${path}.name`),
    ...(image === "" ? [required(`${path}.image`)] : []),
    ...(image === image.trim()
      ? []
      : [invalid(`${path}.image`, image, "must not have leading or trailing whitespace")]),
    ...ports.flatMap((port, index) => checkContainerPort(port, `${path}.ports[${index}]`)),
    ...env.flatMap((each, index) => checkVariable(each.name ?? "", `${path}.env[${index}].name`)),
    ...volumeMounts.flatMap((mount, index) => checkMount(mount, volumes, `${path}.volumeMounts[${index}]`)),
    ...volumeMounts.flatMap(({ mountPath = "" }, index) =>
      volumeMounts.slice(0, index).some((other) => other.mountPath === mountPath)
        ? [invalid(`${path}.volumeMounts[${index}].mountPath`, mountPath, "must be unique")]
        : [],
    ),
    ...checkOneOf(imagePullPolicy, PULL_POLICIES, `${path}.imagePullPolicy`),
    ...checkRequests(resources.requests ?? {}, resources.limits ?? {}, `${path}.resources`),
  ];
}

function checkVariable(name: string, path: string): FieldError[] {
  if (name === "") return [required(path)];
  if (/^[ -<>-~]+$/.test(name)) return [];
  const rule = "a valid environment variable name must consist only of printable ASCII characters other than '='";
  return [invalid(path, name, rule)];
}

type ContainerPort = NonNullable<Container["ports"]>[number];

function checkContainerPort({ containerPort = 0, hostPort = 0, protocol }: ContainerPort, path: string): FieldError[] {
  return [
    ...(containerPort === 0 ? [required(`${path}.containerPort`)] : checkPort(containerPort, `${path}.containerPort`)),
    ...(hostPort === 0 ? [] : checkPort(hostPort, `${path}.hostPort`)),
    ...checkOneOf(protocol, PROTOCOLS, `${path}.protocol`),
  ];
}

function checkMount(
  { name = "", mountPath = "" }: { name?: string; mountPath?: string },
  volumes: readonly string[],
  path: string,
): FieldError[] {
  return [
    ...(name === "" ? [required(`${path}.name`)] : []),
    ...(volumes.includes(name) ? [] : [notFound(`${path}.name`, name)]),
    ...(mountPath === "" ? [required(`${path}.mountPath`)] : []),
  ];
}

function checkRequests(requests: ResourceList, limits: ResourceList, path: string): FieldError[] {
  return Object.entries(requests).flatMap(([name, size]) => {
    const [request, limit] = [Quantity.tryParse(size), Quantity.tryParse(limits[name] ?? "")];
    if (request === undefined || limit === undefined || !request.moreThan(limit)) return [];
    const message = `must be less than or equal to ${name} limit of ${limit.toString()}`;
    return [invalid(`${path}.requests`, request.toString(), message)];
  });
}

function isRepeated(list: readonly { readonly name?: string }[], index: number): boolean {
  return list.slice(0, index).some(({ name }) => name === list[index]?.name);
}

const MUTABLE_FIELDS =
  "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`," +
  "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations)," +
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

/** What an update may change in a pod that is there: little more than the images. */
export function validatePodSpecUpdate(old: PodSpecToCheck, next: PodSpecToCheck): FieldError[] {
  const errors = (["containers", "initContainers"] as const).flatMap((field) =>
    (old[field] ?? []).length === (next[field] ?? []).length
      ? []
      : [forbidden(`spec.${field}`, "pod updates may not add or remove containers")],
  );
  if (errors.length > 0) return errors;
  return semanticallyEqual(fixedPart(old), fixedPart(next)) ? [] : [forbidden("spec", MUTABLE_FIELDS)];
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
