/** What is taken and yet deserves a word, in Kubernetes' words (upstream pkg/api: pod, persistentvolume, persistentvolumeclaim). */
import { Quantity } from "../../../core/quantity.ts";
import { dnsLabel } from "./names.ts";
import { keyOfParts, repeated } from "./repeated.ts";

type Sizes = Readonly<Record<string, string>>;

interface Metadata {
  readonly name?: string;
  readonly generation?: number;
  readonly annotations?: Readonly<Record<string, string>>;
}

interface ClaimSpec {
  readonly resources?: { readonly requests?: Sizes; readonly limits?: Sizes };
}

interface Container {
  readonly env?: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[];
  readonly ports?: readonly Port[];
  readonly resources?: { readonly requests?: Sizes; readonly limits?: Sizes };
}

interface Port {
  readonly name?: string;
  readonly containerPort?: number;
  readonly protocol?: string;
  readonly hostPort?: number;
  readonly hostIP?: string;
}

interface PodSpec {
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly initContainers?: readonly Container[];
  readonly containers?: readonly Container[] | null;
  readonly imagePullSecrets?: readonly { readonly name?: string }[];
  readonly terminationGracePeriodSeconds?: number;
}

/** Labels of nodes that have other names now. */
const OLD_LABELS: ReadonlyMap<string, string> = new Map([
  ["beta.kubernetes.io/arch", 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ["beta.kubernetes.io/os", 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ["failure-domain.beta.kubernetes.io/region", 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ["failure-domain.beta.kubernetes.io/zone", 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ["beta.kubernetes.io/instance-type", 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
  ["node-role.kubernetes.io/master", 'use "node-role.kubernetes.io/control-plane" instead'],
]);
const OLD_CLASS = "volume.beta.kubernetes.io/storage-class";
const OLD_ANNOTATIONS: ReadonlyMap<string, string> = new Map([
  [OLD_CLASS, 'deprecated since v1.8; use "storageClassName" attribute instead'],
  ["volume.beta.kubernetes.io/mount-options", 'deprecated since v1.31; use "mountOptions" attribute instead'],
]);

export interface ClaimToWarn {
  readonly metadata: Metadata;
  readonly spec: ClaimSpec;
}

export function warningsOfClaim({ metadata, spec }: ClaimToWarn): string[] {
  return [...oldAnnotations(metadata, [OLD_CLASS]), ...claimSpecWarnings(spec, "spec")];
}

export interface VolumeToWarn {
  readonly metadata: Metadata;
  readonly spec: { readonly persistentVolumeReclaimPolicy?: string };
}

const RECYCLE =
  "The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.";

export function warningsOfVolume({ metadata, spec }: VolumeToWarn): string[] {
  return [
    ...oldAnnotations(metadata, [...OLD_ANNOTATIONS.keys()]),
    ...(spec.persistentVolumeReclaimPolicy === "Recycle" ? [`spec.persistentVolumeReclaimPolicy: ${RECYCLE}`] : []),
  ];
}

export interface PodToWarn {
  readonly metadata: Metadata;
  readonly spec: PodSpec;
}

/** Of a new pod; updates come too often for words. */
export function warningsOfPod({ metadata, spec }: PodToWarn): string[] {
  const problems = dnsLabel(metadata.name ?? "");
  const why = "this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended";
  return [
    ...(problems.length === 0 ? [] : [`metadata.name: ${why}: [${problems.join(" ")}]`]),
    ...podSpecWarnings(spec, "spec"),
  ];
}

export interface SetToWarn {
  readonly metadata: Metadata;
  readonly spec: {
    readonly template?: { readonly spec?: PodSpec };
    readonly volumeClaimTemplates?: readonly { readonly spec?: ClaimSpec }[];
    readonly revisionHistoryLimit?: number;
  };
}

const ALL_REVISIONS = "a negative value retains all historical revisions; a value >= 0 is recommended";

/** Of a StatefulSet; `old` is what it replaces: what has not changed was told before. */
export function warningsOfSet({ metadata, spec }: SetToWarn, old: SetToWarn | undefined): string[] {
  const { template, volumeClaimTemplates = [], revisionHistoryLimit = 0 } = spec;
  const changed = old === undefined || old.metadata.generation !== metadata.generation;
  // The two paths differ: so it is upstream.
  const below = old === undefined ? "" : ".Spec";
  return [
    ...(changed ? podSpecWarnings(template?.spec ?? {}, "spec.template.spec") : []),
    ...volumeClaimTemplates.flatMap((claim, index) =>
      claimSpecWarnings(claim.spec ?? {}, `spec.volumeClaimTemplates[${index}]${below}`),
    ),
    ...(revisionHistoryLimit < 0 ? [`spec.revisionHistoryLimit: ${ALL_REVISIONS}`] : []),
  ];
}

function oldAnnotations({ annotations = {} }: Metadata, keys: readonly string[]): string[] {
  return keys
    .filter((key) => Object.hasOwn(annotations, key))
    .map((key) => `metadata.annotations[${key}]: ${OLD_ANNOTATIONS.get(key) ?? ""}`);
}

function claimSpecWarnings({ resources = {} }: ClaimSpec, path: string): string[] {
  return [
    ...partOfByte(resources.requests, "storage", `${path}.resources.requests`),
    ...partOfByte(resources.limits, "storage", `${path}.resources.limits`),
  ];
}

/** No size, or one of whole bytes by the way it is written. */
const WHOLE = /^(?:\d{1,18}(?:[KMGTPE]i|[kMGTPE])?)?$/;

function partOfByte(sizes: Sizes | undefined, name: string, path: string): string[] {
  const text = sizes?.[name] ?? "";
  if (WHOLE.test(text)) return [];
  const size = Quantity.tryParse(text);
  if (size === undefined || size.equals(size.roundUp())) return [];
  return [`${path}[${name}]: fractional byte value "${size.toString()}" is invalid, must be an integer`];
}

function podSpecWarnings(spec: PodSpec, path: string): string[] {
  const { nodeSelector = {}, imagePullSecrets = [], terminationGracePeriodSeconds: grace = 0 } = spec;
  const containers = [
    ...placed(spec.initContainers ?? [], `${path}.initContainers`),
    ...placed(spec.containers ?? [], `${path}.containers`),
  ];
  return [
    ...Object.keys(nodeSelector)
      .filter((key) => OLD_LABELS.has(key))
      .map((key) => `${path}.nodeSelector[${key}]: ${OLD_LABELS.get(key) ?? ""}`),
    ...imagePullSecrets.flatMap(({ name = "" }, index) =>
      name === "" ? [`${path}.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
    ),
    ...containers.flatMap(([container, at]) => [...sizeWarnings(container, at), ...variableWarnings(container, at)]),
    ...portWarnings(containers),
    ...(grace < 0
      ? [`${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []),
  ];
}

type Placed = readonly [container: Container, path: string];

function placed(containers: readonly Container[], path: string): Placed[] {
  return containers.map((container, index) => [container, `${path}[${index}]`]);
}

function sizeWarnings({ resources = {} }: Container, path: string): string[] {
  return ["memory", "ephemeral-storage"].flatMap((name) => [
    ...partOfByte(resources.limits, name, `${path}.resources.limits`),
    ...partOfByte(resources.requests, name, `${path}.resources.requests`),
  ]);
}

/** A second variable of a name is fine only if it builds on the first. */
function variableWarnings({ env = [] }: Container, path: string): string[] {
  const again = repeated(env, ({ name }) => name ?? "");
  return env.flatMap(({ name, value = "", valueFrom }, index) => {
    const own = `$(${name})`;
    const builds = valueFrom === undefined && value !== own && value.includes(own);
    if (!again.has(index) || builds) return [];
    const what = `hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`;
    return [`${path}.env[${index}]: ${what}`];
  });
}

/** So many of them say it; who has more ports of one number has other worries. */
const MAX_PORT_WARNINGS = 50;

function portWarnings(containers: readonly Placed[]): string[] {
  const all = containers.flatMap(([{ ports = [] }, path]) =>
    ports.map((port, index) => [port, `${path}.ports[${index}]`] as const),
  );
  const byNumber = Map.groupBy(all, ([{ containerPort, protocol }]) => keyOfParts(containerPort, protocol));
  const warnings: string[] = [];
  for (const [port, path] of all) {
    const same = byNumber.get(keyOfParts(port.containerPort, port.protocol)) ?? [];
    if (same.length < 2) continue;
    for (const [other, at] of same) {
      if (other === port || warnings.length >= MAX_PORT_WARNINGS) break;
      const [mine, theirs] = [port.hostPort ?? 0, other.hostPort ?? 0];
      if (mine === theirs && (port.hostIP ?? "") === (other.hostIP ?? "")) {
        warnings.push(`${path}: duplicate port definition with ${at}`);
      } else if (mine === 0 || theirs === 0) warnings.push(`${path}: overlapping port definition with ${at}`);
    }
  }
  return warnings;
}
