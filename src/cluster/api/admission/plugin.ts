/**
 * Admission: after a request is understood and before it is stored, plugins may change the object, and then may refuse it.
 * All that change come first, in their order, then all that only look (upstream apiserver/pkg/admission).
 */
import type { User } from "../auth/rbac.ts";
import type { Resource } from "../catalog/resource.ts";
import type { JsonObject } from "../json.ts";

export type Operation = "CREATE" | "UPDATE" | "DELETE";

export interface AdmissionRequest {
  readonly operation: Operation;
  readonly resource: Resource;
  readonly subresource: string | undefined;
  /** Undefined for kinds of the whole cluster. */
  readonly namespace: string | undefined;
  readonly name: string;
  /** What is to be stored; undefined for DELETE. It has its defaults; while plugins still change it, it is not validated yet. */
  readonly object: JsonObject | undefined;
  /** What is stored; undefined for CREATE. */
  readonly old: JsonObject | undefined;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions, as the client gave them. */
  readonly options: JsonObject;
  readonly user: User;
  /** Nothing will be stored: a plugin must leave no trace either. */
  readonly dryRun: boolean;
  /** Tells the client something, in a Warning header. */
  readonly warn: (text: string) => void;
}

/** A request that has an object: CREATE and UPDATE. */
export interface WriteAdmission extends AdmissionRequest {
  readonly object: JsonObject;
}

export interface AdmissionPlugin {
  readonly name: string;
  /** The object as it is to be; the given one when there is nothing to change. Throws `StatusError` to refuse. */
  readonly mutate?: (request: WriteAdmission) => JsonObject | Promise<JsonObject>;
  /** Throws `StatusError` to refuse. Called when the object is as it will be stored. */
  readonly validate?: (request: AdmissionRequest) => void | Promise<void>;
}
