/** What an import is made of. */
import type { KubeObject, OwnerReference } from "../../../core/types.ts";

/** An object of somebody's cluster, of any kind: plain JSON. */
export interface DumpedObject extends KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec?: unknown;
  readonly status?: unknown;
  readonly [field: string]: unknown;
}

/** An object as it is to be created here. Its owners are named, and get their uids when they have some. */
export interface PreparedObject {
  /** Without owner references. */
  readonly object: DumpedObject;
  readonly owners: readonly OwnerReference[];
  /** What it is to say of itself, where that is a part of the rehearsal: whether a claim is bound, and to how much. */
  readonly status?: Readonly<Record<string, unknown>>;
  /** The claim that the volume is bound to: its uid belongs into the volume. */
  readonly boundTo?: { readonly namespace: string; readonly name: string };
}

/** Something worth a word: `Pod shop/web-0`, and why. */
export interface Remark {
  readonly what: string;
  readonly why: string;
}

/** A volume that the memory driver has to know before anybody asks it. */
export interface StandIn {
  readonly volumeId: string;
  readonly capacityBytes: bigint;
  /** As large is the file system: smaller where the node has yet to grow it. */
  readonly nodeBytes: bigint;
  readonly access: "mount" | "block";
  readonly parameters: Readonly<Record<string, string>>;
}

export interface ImportPlan {
  /** In stages: what is in one needs only what is in those before. */
  readonly stages: readonly (readonly PreparedObject[])[];
  readonly volumes: readonly StandIn[];
  /** What was not in the dump, though something in it needs it. */
  readonly added: readonly Remark[];
  readonly changed: readonly Remark[];
  readonly leftOut: readonly Remark[];
}

/** The parameters that classes get here, by the name of the class: `controllerLimit` and the like. */
export type ClassParameters = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** `StatefulSet shop/db`: how people and messages name it. */
export function nameOf({ kind, metadata: { namespace, name } }: Pick<DumpedObject, "kind" | "metadata">): string {
  return `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}

/** Tells objects apart: group, kind, namespace and name. The version is one way of many to look at the same object. */
export function identityOf(apiVersion: string, kind: string, namespace: string | undefined, name: string): string {
  const group = apiVersion.includes("/") ? apiVersion.split("/", 1)[0] : "";
  return `${group}/${kind} ${namespace ?? ""}/${name}`;
}
