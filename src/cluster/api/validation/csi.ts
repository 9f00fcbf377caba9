/** CSIDrivers, CSINodes and VolumeAttachments (upstream pkg/apis/storage/validation). */
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
} from "../../../admission/verdict.ts";
import { checkNotNegative, checkQualifiedName, checkUnchanged } from "./checks.ts";
import { dnsSubdomain } from "./names.ts";
import { repeated } from "./repeated.ts";

export interface AttachmentToCheck {
  readonly spec: {
    readonly attacher?: string;
    readonly nodeName?: string;
    readonly source?: { readonly persistentVolumeName?: string; readonly inlineVolumeSpec?: object };
  };
}

const ONE_SOURCE = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";

export function validateAttachment({ spec }: AttachmentToCheck): FieldError[] {
  const { attacher, nodeName = "", source = {} } = spec;
  return [
    ...checkDriverName(attacher, "spec.attacher"),
    ...checkSource(source),
    ...dnsSubdomain(nodeName).map((problem) => invalid("spec.nodeName", nodeName, problem)),
  ];
}

function checkSource(source: NonNullable<AttachmentToCheck["spec"]["source"]>): FieldError[] {
  const { persistentVolumeName: volume, inlineVolumeSpec: inline } = source;
  if (volume === undefined && inline === undefined) return [required("spec.source", ONE_SOURCE)];
  if (volume !== undefined && inline !== undefined) return [forbidden("spec.source", ONE_SOURCE)];
  if (volume === undefined) return [];
  const path = "spec.source.persistentVolumeName";
  return [
    ...(volume === "" ? [required(path, "must specify non empty persistentVolumeName")] : []),
    ...dnsSubdomain(volume).map((problem) => invalid(path, volume, problem)),
  ];
}

/** Shown as the server holds it. */
export function validateAttachmentUpdate(old: AttachmentToCheck, next: AttachmentToCheck): FieldError[] {
  const { attacher = "", nodeName = "", source = {} } = next.spec;
  const shown = {
    Attacher: attacher,
    Source: {
      PersistentVolumeName: source.persistentVolumeName ?? null,
      InlineVolumeSpec: source.inlineVolumeSpec ?? null,
    },
    NodeName: nodeName,
  };
  const changed = checkUnchanged(old.spec, next.spec, "spec").length > 0;
  return [...validateAttachment(next), ...(changed ? [invalid("spec", shown, "field is immutable")] : [])];
}

interface TokenRequest {
  readonly audience?: string;
  readonly expirationSeconds?: number;
}

export interface DriverToCheck {
  readonly spec: {
    readonly attachRequired?: boolean;
    readonly fsGroupPolicy?: string;
    readonly volumeLifecycleModes?: readonly string[];
    readonly tokenRequests?: readonly TokenRequest[];
    readonly nodeAllocatableUpdatePeriodSeconds?: number;
  };
}

const POLICIES = ["File", "None", "ReadWriteOnceWithFSType"];
const MODES = ["Persistent", "Ephemeral"];
const MIN_PERIOD = 10;

export function validateDriver({ spec }: DriverToCheck): FieldError[] {
  const { fsGroupPolicy: policy, volumeLifecycleModes: modes = [], tokenRequests = [] } = spec;
  const { nodeAllocatableUpdatePeriodSeconds: period } = spec;
  const audiences = repeated(tokenRequests, ({ audience }) => audience ?? "");
  return [
    ...(policy === undefined || POLICIES.includes(policy)
      ? []
      : [notSupported("spec.fsGroupPolicy", policy, POLICIES)]),
    ...tokenRequests.flatMap((request, index) => checkToken(request, audiences.has(index), index)),
    ...modes
      .filter((mode) => !MODES.includes(mode))
      .map((mode) => notSupported("spec.volumeLifecycleModes", mode, MODES)),
    ...(period !== undefined && period < MIN_PERIOD
      ? [
          invalid(
            "spec.nodeAllocatableUpdatePeriodSeconds",
            period,
            `must be greater than or equal to ${MIN_PERIOD} seconds`,
          ),
        ]
      : []),
  ];
}

function checkToken(request: TokenRequest, isRepeated: boolean, index: number): FieldError[] {
  const { audience = "", expirationSeconds: seconds } = request;
  const path = `spec.tokenRequests[${index}]`;
  if (isRepeated) return [duplicate(`${path}.audience`, audience)];
  if (seconds === undefined) return [];
  const refuse = (why: string): FieldError[] => [invalid(`${path}.expirationSeconds`, seconds, why)];
  if (seconds < 600) return refuse("may not specify a duration less than 10 minutes");
  return seconds > 2 ** 32 ? refuse("may not specify a duration larger than 2^32 seconds") : [];
}

/** The one path that is not the name of the field: so it is upstream. */
export function validateDriverUpdate(old: DriverToCheck, next: DriverToCheck): FieldError[] {
  return [
    ...validateDriver(next),
    ...checkUnchanged(old.spec.attachRequired, next.spec.attachRequired, "spec.attachedRequired"),
    ...checkUnchanged(old.spec.volumeLifecycleModes, next.spec.volumeLifecycleModes, "spec.volumeLifecycleModes"),
  ];
}

interface NodeDriver {
  readonly name?: string;
  readonly nodeID?: string;
  readonly topologyKeys?: readonly string[];
  readonly allocatable?: { readonly count?: number };
}

export interface CsiNodeToCheck {
  readonly spec: { readonly drivers?: readonly NodeDriver[] | null };
}

const MAX_NODE_ID = 256;
const MAX_DRIVER_NAME = 63;

export function validateCsiNode({ spec: { drivers } }: CsiNodeToCheck): FieldError[] {
  const all = drivers ?? [];
  const names = repeated(all, ({ name }) => name ?? "");
  return all.flatMap((driver, index) => {
    const path = `spec.drivers[${index}]`;
    const { name, nodeID = "", allocatable } = driver;
    return [
      ...checkDriverName(name, `${path}.name`),
      ...(nodeID === "" ? [required(`${path}.nodeID`)] : []),
      ...(nodeID.length > MAX_NODE_ID
        ? [invalid(`${path}.nodeID`, nodeID, `must be ${MAX_NODE_ID} characters or less`)]
        : []),
      ...checkNotNegative(allocatable?.count, `${path}.allocatable.count`),
      ...(names.has(index) ? [duplicate(`${path}.name`, name)] : []),
      ...checkTopologyKeys(driver.topologyKeys ?? [], path),
    ];
  });
}

/** Told of at the driver: so it is upstream. */
function checkTopologyKeys(keys: readonly string[], path: string): FieldError[] {
  const again = repeated(keys, (key) => key);
  return keys.flatMap((key, index) => [
    ...(key === "" ? [required(path)] : []),
    ...(again.has(index) ? [duplicate(path, key)] : []),
    ...checkQualifiedName(key, path),
  ]);
}

/** What a driver said of a node stays, but for how many volumes it takes. */
export function validateCsiNodeUpdate(old: CsiNodeToCheck, next: CsiNodeToCheck): FieldError[] {
  const bare = (driver: NodeDriver): object => ({ ...driver, allocatable: null });
  return [
    ...validateCsiNode(next),
    ...(old.spec.drivers ?? []).flatMap((before) =>
      (next.spec.drivers ?? [])
        .filter(({ name }) => name === before.name)
        .flatMap((after) => checkUnchanged(bare(before), bare(after), "spec.drivers")),
    ),
  ];
}

/** The name of a driver, which becomes a label of nodes. */
export function checkDriverName(name = "", path: string): FieldError[] {
  if (name === "") return [required(path)];
  return [
    ...(Buffer.byteLength(name) > MAX_DRIVER_NAME ? [tooLong(path, MAX_DRIVER_NAME)] : []),
    ...dnsSubdomain(name.toLowerCase()).map((problem) => invalid(path, name, problem)),
  ];
}
