/** The pieces that an installation is made of, and what they are called. */
import type { ObjectMeta } from "../../core/types.ts";

/** An object to apply, as plain JSON. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

/** Objects that belong together: one file of the chart. */
export interface Part {
  readonly name: string;
  readonly objects: readonly Explained[];
}

export interface Explained {
  /** One line about it, for those who read the manifests. */
  readonly why: string;
  readonly object: Manifest;
}

/** Account, roles, Deployment and the rest have this one name: there is one Outgrow in a cluster. */
export const NAME = "outgrow-controller";

/** What all our objects carry, so that they can be found: `kubectl get all,clusterroles -l app.kubernetes.io/part-of=outgrow`. */
export const LABELS: Readonly<Record<string, string>> = { "app.kubernetes.io/part-of": "outgrow" };

/** By which pods of the controller are told from others. They are immutable in a Deployment: never add to them. */
export const POD_LABELS: Readonly<Record<string, string>> = { "app.kubernetes.io/name": NAME };

/** Metadata with our labels; without a namespace for what has none. */
export function named(name: string, namespace?: string): ObjectMeta {
  return { name, ...(namespace === undefined ? {} : { namespace }), labels: { ...LABELS } };
}
