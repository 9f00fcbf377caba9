/** What a request says about its body, and how strictly it is to be read. */
import type { JsonObject } from "../json.ts";
import type { FieldType } from "../schema/types.ts";

/** What a body must be: the kind that the path stands for. */
export interface Expected {
  readonly apiVersion: string;
  readonly kind: string;
  /** Its schema, by which merges go; decoding goes by the Go structures, which also know what refusals call a field. */
  readonly type: FieldType;
  /** A kind that is defined in the cluster: its fields are known to its definition alone. */
  readonly custom: boolean;
}

/**
 * What becomes of fields that are unknown or stand twice: the request is refused, the client is warned, or nothing is said.
 * Unknown fields are dropped in any case, and of those that stand twice the last counts.
 */
export type FieldValidation = "Strict" | "Warn" | "Ignore";

export interface Decoded {
  readonly object: JsonObject;
  /** For the client, one per finding. */
  readonly warnings: readonly string[];
}
