/**
 * The end of a definition: its objects go first. Upstream: registry/customresourcedefinition/etcd.go and
 * pkg/controller/finalizer. Pure.
 */
import type { JsonObject } from "../../json.ts";
import { asDefinition, asObject, conditionOf, type Definition, isTrue } from "../definition/definition.ts";
import { overlapsBuiltIn } from "../definition/overlap.ts";
import { type Said, withCondition } from "./conditions.ts";

/** Holds a definition until its objects are gone. */
export const CLEANUP_FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

const PENDING: Said = {
  type: "Terminating",
  status: "True",
  reason: "InstanceDeletionPending",
  message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
};
const IN_PROGRESS: Said = {
  type: "Terminating",
  status: "True",
  reason: "InstanceDeletionInProgress",
  message: "CustomResource deletion is in progress",
};
const COMPLETED: Said = {
  type: "Terminating",
  status: "False",
  reason: "InstanceDeletionCompleted",
  message: "removed all instances",
};
const OVERLAPPING: Said = {
  type: "Terminating",
  status: "False",
  reason: "OverlappingBuiltInResource",
  message: "instances overlap with built-in resources in storage",
};
const NEVER_ESTABLISHED: Said = {
  type: "Terminating",
  status: "False",
  reason: "NeverEstablished",
  message: "resource was never established",
};

/**
 * What a DELETE makes of a definition: `marked` says since when it is being deleted, and this adds what holds it until its
 * objects are gone. Every definition is held, also one without objects.
 */
export function holdDefinition(marked: JsonObject): JsonObject {
  const definition = asDefinition(marked);
  const { metadata } = definition;
  const finalizers = metadata.finalizers ?? [];
  const held = finalizers.includes(CLEANUP_FINALIZER)
    ? definition
    : { ...definition, metadata: { ...metadata, finalizers: [...finalizers, CLEANUP_FINALIZER] } };
  return asObject(withCondition(held, PENDING, metadata.deletionTimestamp ?? ""));
}

/** Whether a definition is being deleted and waits for its objects to go. */
export function awaitsCleanup(definition: JsonObject): boolean {
  const { deletionTimestamp, finalizers } = asDefinition(definition).metadata;
  return deletionTimestamp !== undefined && finalizers?.includes(CLEANUP_FINALIZER) === true;
}

/**
 * How a definition that awaits its cleanup goes on, with `remaining` objects left: it says so, or it is let go by taking the
 * finalizer off. Itself when there is nothing new to say. `now` is a timestamp of the API.
 */
export function finalize(definition: JsonObject, remaining: number, now: string): JsonObject {
  const read = asDefinition(definition);
  if (overlapsBuiltIn(read)) return letGo(read, OVERLAPPING, now);
  if (!isTrue(read, "Established")) return letGo(read, NEVER_ESTABLISHED, now);
  if (remaining === 0) return letGo(read, COMPLETED, now);
  return conditionOf(read, "Terminating")?.reason === IN_PROGRESS.reason
    ? definition
    : asObject(withCondition(read, IN_PROGRESS, now));
}

function letGo(definition: Definition, said: Said, now: string): JsonObject {
  const { finalizers = [], ...metadata } = definition.metadata;
  const left = finalizers.filter((finalizer) => finalizer !== CLEANUP_FINALIZER);
  const free = { ...definition, metadata: { ...metadata, ...(left.length > 0 && { finalizers: left }) } };
  return asObject(withCondition(free, said, now));
}
