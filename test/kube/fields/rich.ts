/** What objects of several kinds have in common. */
import type { JsonObject } from "../../../src/cluster/api/json.ts";

export interface Rich {
  readonly apiVersion: string;
  readonly kind: string;
  readonly object: JsonObject;
  /** Under which its status is written; left out where there is none. */
  readonly status?: JsonObject;
  /** Told apart from others of the kind. */
  readonly called?: string;
}

export const labels = { app: "x" };
export const term = {
  matchExpressions: [{ key: "zone", operator: "In", values: ["a"] }],
  matchFields: [{ key: "metadata.name", operator: "In", values: ["n"] }],
};
export const claimSpec = {
  accessModes: ["ReadWriteOnce"],
  storageClassName: "fast",
  volumeMode: "Filesystem",
  selector: { matchLabels: labels, matchExpressions: [{ key: "a", operator: "In", values: ["b"] }] },
  resources: { requests: { storage: "1Gi" }, limits: { storage: "2Gi" } },
};
export const condition = { type: "Ready", status: "True", reason: "R", message: "m" };

export const only = (source: JsonObject): string => Object.keys(source).join();
