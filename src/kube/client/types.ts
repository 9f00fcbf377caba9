/** Objects that only a client meets; the rest are in core/types.ts, under the same conventions. */
import type { KubeObject, ObjectReference } from "../../core/types.ts";

export interface KubeList<T> {
  readonly metadata: {
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly T[];
}

/** One line of a watch. */
export type WatchEvent<T> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: T }
  /** Only says how far the watch has come: `object.metadata.resourceVersion`. */
  | { readonly type: "BOOKMARK"; readonly object: KubeObject }
  /** A Status; the stream ends after it. */
  | { readonly type: "ERROR"; readonly object: unknown };

/** The API server's own version, as `/version` tells it. */
export interface ServerVersion {
  readonly major: string;
  readonly minor: string;
  readonly gitVersion: string;
}

export interface Secret extends KubeObject {
  type?: string;
  /** Base64. */
  data?: Record<string, string>;
}

export interface Lease extends KubeObject {
  spec?: {
    holderIdentity?: string | null;
    leaseDurationSeconds?: number | null;
    /** Moments with microseconds. */
    acquireTime?: string | null;
    renewTime?: string | null;
    leaseTransitions?: number | null;
  };
}

export interface Event extends KubeObject {
  involvedObject: ObjectReference & { resourceVersion?: string; fieldPath?: string };
  type?: string;
  reason?: string;
  message?: string;
  source?: { component?: string; host?: string };
  firstTimestamp?: string | null;
  lastTimestamp?: string | null;
  count?: number;
  reportingComponent?: string;
  reportingInstance?: string;
}
