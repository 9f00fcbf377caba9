/** A claim as the rules see it: sizes parsed, the resize state in our own words, conditions by kind. */
import { fromTimestamp } from "./clock.ts";
import { type ConditionKind, conditionTypes, type ResizeState, readState } from "./dialect.ts";
import { messageOf, OutgrowError } from "./errors.ts";
import { BETA_STORAGE_CLASS } from "./names.ts";
import { Quantity } from "./quantity.ts";
import { type KubeObject, type PersistentVolumeClaim, type ResourceList, STORAGE } from "./types.ts";

export interface ClaimView {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly phase: string;
  /** `spec.volumeName`, empty when not bound. */
  readonly volumeName: string;
  /** The class that Kubernetes goes by: the old annotation wins over the field. */
  readonly className: string | undefined;
  /** `spec.resources.requests.storage`; zero when it is missing, as Kubernetes reads it. */
  readonly request: Quantity;
  /** `status.capacity.storage`: what the pod really has. */
  readonly capacity: Quantity | undefined;
  /** `status.allocatedResources.storage`: what quota must count, written before the driver is called. */
  readonly allocated: Quantity | undefined;
  readonly state: ResizeState;
  /** The conditions that are True, by kind. */
  readonly conditions: ReadonlyMap<ConditionKind, ConditionView>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly volumeMode: "Filesystem" | "Block";
  readonly accessModes: readonly string[];
  /** It has a deletionTimestamp. */
  readonly deleting: boolean;
}

export interface ConditionView {
  readonly message: string;
  /** When it was last seen to hold (milliseconds since the epoch): the probe time, else the transition time. */
  readonly at: number | undefined;
}

const KINDS: readonly ConditionKind[] = ["resizing", "file-system-pending", "controller-error", "node-error", "ready"];

/** Throws `OBJECT_MALFORMED`, naming the claim and the field, for a size that cannot be read. */
export function readClaim(claim: PersistentVolumeClaim): ClaimView {
  const { metadata, spec, status } = claim;
  const conditions = new Map<ConditionKind, ConditionView>();
  for (const condition of status?.conditions ?? []) {
    if (condition.status !== "True") continue;
    for (const kind of KINDS) {
      if (conditions.has(kind) || !conditionTypes(kind).has(condition.type)) continue;
      conditions.set(kind, {
        message: condition.message ?? "",
        at: fromTimestamp(condition.lastProbeTime) ?? fromTimestamp(condition.lastTransitionTime),
      });
    }
  }
  return {
    namespace: metadata.namespace ?? "default",
    name: metadata.name,
    uid: metadata.uid ?? "",
    phase: status?.phase ?? "",
    volumeName: spec.volumeName ?? "",
    className: classNameOf(claim),
    request: readSize(claim, spec.resources?.requests, "spec.resources.requests.storage") ?? Quantity.zero,
    capacity: readSize(claim, status?.capacity, "status.capacity.storage"),
    allocated: readSize(claim, status?.allocatedResources, "status.allocatedResources.storage"),
    state: readState(status),
    conditions,
    annotations: metadata.annotations ?? {},
    volumeMode: spec.volumeMode === "Block" ? "Block" : "Filesystem",
    accessModes: spec.accessModes ?? [],
    deleting: metadata.deletionTimestamp !== undefined,
  };
}

/** The class a claim was made with, as Kubernetes reads it; undefined when it names none. */
export function classNameOf(claim: Pick<PersistentVolumeClaim, "metadata" | "spec">): string | undefined {
  return claim.metadata.annotations?.[BETA_STORAGE_CLASS] ?? claim.spec.storageClassName;
}

/** The storage entry of a resource list; an unreadable one is an error that names the object and the field. */
export function readSize(object: KubeObject, list: ResourceList | undefined, field: string): Quantity | undefined {
  // YAML gives a bare number for `storage: 1073741824`; Kubernetes takes it, and blanks around a text too.
  const text: unknown = list?.[STORAGE];
  if (text === undefined || text === null) return undefined;
  try {
    return Quantity.parse(typeof text === "string" ? text.trim() : JSON.stringify(text));
  } catch (error) {
    throw new OutgrowError("OBJECT_MALFORMED", `${describe(object)}: ${field}: ${messageOf(error)}`, { cause: error });
  }
}

/** How a message names an object: `PersistentVolumeClaim prod/data-db-0`. */
export function describe(object: KubeObject): string {
  const { namespace, name } = object.metadata;
  const path = namespace === undefined ? name : `${namespace}/${name}`;
  return object.kind === undefined ? path : `${object.kind} ${path}`;
}
