/** Whether a finalizer that protects an object is to be added or taken away. */
import type { ObjectMeta } from "../../../../../core/types.ts";

export type ProtectionStep = "none" | "add" | "remove-when-unused";

/** Objects get it when they are created; adding is for those that came before the protection did. */
export function protectionStep({ finalizers = [], deletionTimestamp }: ObjectMeta, finalizer: string): ProtectionStep {
  const isProtected = finalizers.includes(finalizer);
  if (deletionTimestamp === undefined) return isProtected ? "none" : "add";
  return isProtected ? "remove-when-unused" : "none";
}

/** The object with the finalizer, or without it. */
export function protectedBy<T extends { readonly metadata: ObjectMeta }>(object: T, finalizer: string): T {
  return {
    ...object,
    metadata: { ...object.metadata, finalizers: [...(object.metadata.finalizers ?? []), finalizer] },
  };
}

export function unprotectedBy<T extends { readonly metadata: ObjectMeta }>(object: T, finalizer: string): T {
  const finalizers = (object.metadata.finalizers ?? []).filter((each) => each !== finalizer);
  return { ...object, metadata: { ...object.metadata, finalizers } };
}
