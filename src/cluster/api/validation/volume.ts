/** Claims, volumes and storage classes: upstream pkg/apis/core/validation and pkg/apis/storage/validation. */
import { posix } from "node:path";
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
} from "../../../admission/verdict.ts";
import { Quantity } from "../../../core/quantity.ts";
import { semanticallyEqual } from "../../../core/semantic-equal.ts";
import { type PersistentVolume, STORAGE, type StorageClass } from "../../../core/types.ts";
import { BESIDES_SOURCE } from "../../../core/volume.ts";
import { labelKeyErrors } from "../selectors/label-syntax.ts";
import { checkName, checkRequiredName, checkUnchanged } from "./checks.ts";
import { checkDriverName } from "./csi.ts";
import { checkNoBacksteps } from "./local-paths.ts";
import { dnsLabel, dnsSubdomain } from "./names.ts";
import { checkNodeSelector, type NodeSelector } from "./pod/affinity.ts";
import { checkHostPath, checkNfs } from "./pod/volumes.ts";
import { repeated } from "./repeated.ts";

const ACCESS_MODES = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
const RECLAIM_POLICIES = ["Delete", "Recycle", "Retain"];
const CLASS_RECLAIM_POLICIES = ["Delete", "Retain"];
const VOLUME_MODES = ["Block", "Filesystem"];
const BINDING_MODES = ["Immediate", "WaitForFirstConsumer"];

type VolumeSpec = PersistentVolume["spec"] & {
  readonly persistentVolumeReclaimPolicy?: string;
  readonly nodeAffinity?: { readonly required?: NodeSelector };
  readonly volumeAttributesClassName?: string;
  readonly hostPath?: { readonly path?: string; readonly type?: string };
  readonly local?: { readonly path?: string };
  readonly nfs?: { readonly server?: string; readonly path?: string };
};

/** Every error of a volume, new or changed. */
export function validateVolume(volume: PersistentVolume): FieldError[] {
  const spec: VolumeSpec = volume.spec;
  const { persistentVolumeReclaimPolicy: reclaim = "", nodeAffinity } = spec;
  return [
    ...checkAccessModes(spec.accessModes ?? []),
    ...checkCapacity(spec.capacity ?? {}),
    ...(reclaim === "" || RECLAIM_POLICIES.includes(reclaim)
      ? []
      : [notSupported("spec.persistentVolumeReclaimPolicy", reclaim, RECLAIM_POLICIES)]),
    ...(nodeAffinity === undefined ? [] : checkNodes(nodeAffinity, "spec.nodeAffinity")),
    ...checkSource(spec),
    ...checkRecycled(spec, reclaim),
    ...checkName(spec.storageClassName, dnsSubdomain, "spec.storageClassName"),
    ...(spec.volumeMode === undefined || VOLUME_MODES.includes(spec.volumeMode)
      ? []
      : [notSupported("spec.volumeMode", spec.volumeMode, VOLUME_MODES)]),
    ...checkAttributesClass(spec),
  ];
}

function checkNodes({ required: nodes }: NonNullable<VolumeSpec["nodeAffinity"]>, path: string): FieldError[] {
  if (nodes === undefined) return [required(`${path}.required`, "must specify required node constraints")];
  return checkNodeSelector(nodes, `${path}.required`);
}

function checkRecycled({ hostPath }: VolumeSpec, reclaim: string): FieldError[] {
  if (hostPath === undefined || reclaim !== "Recycle" || posix.normalize(hostPath.path ?? "") !== "/") return [];
  return [forbidden("spec.persistentVolumeReclaimPolicy", "may not be 'recycle' for a hostPath mount of '/'")];
}

function checkAttributesClass({ volumeAttributesClassName: name, csi }: VolumeSpec): FieldError[] {
  if (name === undefined) return [];
  const path = "spec.volumeAttributesClassName";
  return [
    ...(name === "" ? [required(path, "an empty string is disallowed")] : checkName(name, dnsSubdomain, path)),
    ...(csi === undefined ? [required("spec.csi", "has to be specified when using volumeAttributesClassName")] : []),
  ];
}

/** Every error of a volume that replaces `old`: its source stays, but the secret for expansion may be added. */
export function validateVolumeUpdate(old: PersistentVolume, next: PersistentVolume): FieldError[] {
  const errors = validateVolume(next);
  const mayAddSecret = old.spec.csi !== undefined && old.spec.csi.controllerExpandSecretRef === undefined;
  if (!semanticallyEqual(sourceOf(old, false), sourceOf(next, mayAddSecret))) {
    errors.push(forbidden("spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation"));
  }
  const [before, after]: VolumeSpec[] = [old.spec, next.spec];
  const isTakenAway = before?.volumeAttributesClassName !== undefined && after?.volumeAttributesClassName === undefined;
  const stays = "update from non-nil value to nil is forbidden";
  return [
    ...errors,
    ...checkUnchanged(old.spec.volumeMode, next.spec.volumeMode, "volumeMode"),
    ...(before?.nodeAffinity === undefined
      ? []
      : checkUnchanged(before.nodeAffinity, after?.nodeAffinity, "nodeAffinity").map((error) => ({
          ...error,
          detail: FIXED_NODES,
        }))),
    ...(isTakenAway ? [forbidden("spec.volumeAttributesClassName", stays)] : []),
  ];
}

function sourceOf({ spec }: PersistentVolume, withoutExpandSecret: boolean): unknown {
  const source = Object.fromEntries(Object.entries(spec).filter(([name]) => !BESIDES_SOURCE.has(name)));
  if (!withoutExpandSecret || spec.csi === undefined) return source;
  const { controllerExpandSecretRef: _, ...csi } = spec.csi;
  return { ...source, csi };
}

function checkAccessModes(modes: readonly string[]): FieldError[] {
  const path = "spec.accessModes";
  if (modes.length === 0) return [required(path)];
  const unknown = modes.filter((mode) => !ACCESS_MODES.includes(mode));
  const errors = unknown.map((mode) => notSupported(path, mode, ACCESS_MODES));
  const isMixed = modes.includes("ReadWriteOncePod") && modes.length - unknown.length > 1;
  return isMixed ? [...errors, forbidden(path, "may not use ReadWriteOncePod with other access modes")] : errors;
}

function checkCapacity(capacity: Readonly<Record<string, string>>): FieldError[] {
  const path = "spec.capacity";
  const names = Object.keys(capacity);
  const errors = names.length === 0 ? [required(path)] : [];
  if (names.length !== 1 || names[0] !== STORAGE) {
    errors.push(notSupported(path, names.length === 0 ? null : sorted(capacity), [STORAGE]));
  }
  for (const [name, text] of Object.entries(capacity)) {
    const size = Quantity.tryParse(text);
    if (size?.lessThan(Quantity.zero) === true) {
      errors.push(invalid(`${path}[${name}]`, Number(size.toBytes()), "must be a valid resource quantity"));
    }
    if (size !== undefined && !size.moreThan(Quantity.zero)) {
      errors.push(invalid(`${path}[${name}]`, size.toString(), "must be greater than zero"));
    }
  }
  return errors;
}

/** As Go prints a map. */
function sorted(map: Readonly<Record<string, string>>): unknown {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** In the order in which a second one is found to be too many. Those without rules here are disks of clouds that are gone. */
const SOURCES: readonly string[] = [
  "hostPath gcePersistentDisk awsElasticBlockStore glusterfs flocker nfs rbd quobyte cephfs iscsi cinder fc flexVolume azureFile",
  "vsphereVolume photonPersistentDisk portworxVolume azureDisk scaleIO local storageos csi",
].flatMap((line) => line.split(" "));

function checkSource(spec: VolumeSpec): FieldError[] {
  const given = SOURCES.filter((name) => isPresent((spec as unknown as Readonly<Record<string, unknown>>)[name]));
  const [first, ...others] = given;
  if (first === undefined) return [required("spec", "must specify a volume type")];
  return [
    ...checkKnownSource(spec, first),
    ...(first === "local" && spec.nodeAffinity === undefined
      ? [required("spec.nodeAffinity", "Local volume requires node affinity")]
      : []),
    ...others.map((name) => forbidden(`spec.${name}`, "may not specify more than 1 volume type")),
  ];
}

function checkKnownSource({ hostPath = {}, local = {}, nfs = {}, csi }: VolumeSpec, source: string): FieldError[] {
  const path = `spec.${source}`;
  switch (source) {
    case "hostPath":
      return checkHostPath(hostPath, path);
    case "local":
      return (local.path ?? "") === ""
        ? [required(`${path}.path`)]
        : checkNoBacksteps(local.path ?? "", `${path}.path`);
    case "nfs":
      return checkNfs(nfs, path);
    case "csi":
      return csi === undefined ? [] : checkCsi(csi);
    default:
      return [];
  }
}

const FIXED_NODES = "field is immutable, except for updating from beta label to GA";

const SECRETS = [
  "controllerPublishSecretRef",
  "controllerExpandSecretRef",
  "nodePublishSecretRef",
  "nodeExpandSecretRef",
] as const;

interface SecretReference {
  readonly name?: string;
  readonly namespace?: string;
}

function checkCsi(csi: NonNullable<PersistentVolume["spec"]["csi"]>): FieldError[] {
  const secrets = csi as unknown as Readonly<Partial<Record<(typeof SECRETS)[number], SecretReference>>>;
  return [
    ...checkDriverName(csi.driver, "spec.csi.driver"),
    ...((csi.volumeHandle ?? "") === "" ? [required("spec.csi.volumeHandle")] : []),
    ...SECRETS.flatMap((field) => {
      const secret = secrets[field];
      if (secret === undefined) return [];
      return [
        ...checkRequiredName(secret.name, dnsSubdomain, `spec.csi.${field}.name`),
        ...checkRequiredName(secret.namespace, dnsLabel, `spec.csi.${field}.namespace`),
      ];
    }),
  ];
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

interface ClassToCheck extends StorageClass {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly reclaimPolicy?: string;
  readonly allowedTopologies?: readonly Topology[];
}

/** Every error of a new class that has its defaults. */
export function validateStorageClass(given: StorageClass): FieldError[] {
  const {
    provisioner,
    reclaimPolicy = "",
    volumeBindingMode,
    parameters = {},
    allowedTopologies = [],
  } = given as ClassToCheck;
  return [
    ...checkProvisioner(provisioner, "provisioner"),
    ...checkParameters(parameters, true),
    ...(reclaimPolicy === "" || CLASS_RECLAIM_POLICIES.includes(reclaimPolicy)
      ? []
      : [notSupported("reclaimPolicy", reclaimPolicy, CLASS_RECLAIM_POLICIES)]),
    ...(volumeBindingMode === undefined
      ? [required("volumeBindingMode")]
      : BINDING_MODES.includes(volumeBindingMode)
        ? []
        : [notSupported("volumeBindingMode", volumeBindingMode, BINDING_MODES)]),
    ...checkTopologies(allowedTopologies, "allowedTopologies"),
  ];
}

/** Who makes the volumes; shown as it is compared. */
export function checkProvisioner(name: string | undefined, path: string): FieldError[] {
  const lower = (name ?? "").toLowerCase();
  if (lower === "") return [required(path)];
  return labelKeyErrors(lower).map((message) => invalid(path, lower, message));
}

const MAX_PARAMETERS = 512;
const MAX_PARAMETER_BYTES = 256 * 2 ** 10;

/** What the driver is told. A class of attributes without any would say nothing. */
export function checkParameters(parameters: Readonly<Record<string, string>>, mayBeEmpty: boolean): FieldError[] {
  const path = "parameters";
  const entries = Object.entries(parameters);
  if (entries.length > MAX_PARAMETERS) {
    return [{ ...tooLong(path, MAX_PARAMETERS), detail: `may not be more than ${MAX_PARAMETERS} bytes` }];
  }
  const bytes = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return [
    ...(Object.hasOwn(parameters, "") ? [invalid(path, "", "field can not be empty.")] : []),
    ...(bytes > MAX_PARAMETER_BYTES ? [tooLong(path, MAX_PARAMETER_BYTES)] : []),
    ...(entries.length === 0 && !mayBeEmpty ? [required(path, "must contain at least one key/value pair")] : []),
  ];
}

interface Topology {
  readonly matchLabelExpressions?: readonly { readonly key?: string; readonly values?: readonly string[] | null }[];
}

function checkTopologies(topologies: readonly Topology[], path: string): FieldError[] {
  const again = repeated(topologies, shapeOf);
  return topologies.flatMap(({ matchLabelExpressions: expressions = [] }, index) => {
    const at = `${path}[${index}].matchLabelExpressions`;
    // Upstream begins with some that are empty, which one that says nothing is like.
    const keys = repeated(expressions, ({ key }) => key ?? "");
    return [
      ...expressions.flatMap((expression, place) => [
        ...checkTopologyExpression(expression, `${at}[${place}]`),
        ...(keys.has(place) ? [duplicate(`${at}[${place}].key`, expression.key ?? "")] : []),
      ]),
      ...(expressions.length === 0 || again.has(index) ? [duplicate(at, "")] : []),
    ];
  });
}

type TopologyExpression = NonNullable<Topology["matchLabelExpressions"]>[number];

function checkTopologyExpression({ key = "", values: given }: TopologyExpression, path: string): FieldError[] {
  const values = given ?? [];
  const again = repeated(values, (value) => value);
  return [
    ...(values.length === 0 ? [required(`${path}.values`)] : []),
    ...values.flatMap((value, index) => (again.has(index) ? [duplicate(`${path}.values[${index}]`, value)] : [])),
    ...labelKeyErrors(key).map((message) => invalid(`${path}.key`, key, message)),
  ];
}

/** The same for terms that mean the same. */
function shapeOf({ matchLabelExpressions = [] }: Topology): string {
  const sets = matchLabelExpressions.map(({ key = "", values }) => [key, (values ?? []).toSorted()] as const);
  return JSON.stringify(sets.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** What volumes were made by stays; whether they may grow may change. */
export function validateStorageClassUpdate(old: StorageClass, next: StorageClass): FieldError[] {
  const errors = validateStorageClass(next);
  const about = (field: string) => errors.filter(({ path }) => path === field);
  const rest = errors.filter(({ path }) => !FIXED.some((field) => field === path));
  return [
    ...FIXED.flatMap((field) => [
      ...about(field),
      ...checkUnchanged((old as ClassToCheck)[field], (next as ClassToCheck)[field], field),
    ]),
    ...rest,
  ];
}

const FIXED = ["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"] as const;
