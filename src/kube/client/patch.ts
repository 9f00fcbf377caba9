/** Patches: the four kinds that the API server takes, and the smallest merge patch between two objects. */
import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "../../core/types.ts";

export type JsonPatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly from: string; readonly path: string };

export type MergePatch = Readonly<Record<string, unknown>>;

export type Patch =
  /** RFC 7386: what is named replaces, null removes, lists are replaced whole. Every kind takes it. */
  | { readonly type: "merge"; readonly body: MergePatch }
  /** Kubernetes' own: lists with a merge key are merged. Built-in kinds only. */
  | { readonly type: "strategic"; readonly body: MergePatch }
  /** RFC 6902. */
  | { readonly type: "json"; readonly body: readonly JsonPatchOperation[] }
  /** Server-side apply; needs a `fieldManager`. `force` takes fields over from other managers. */
  | { readonly type: "apply"; readonly body: object; readonly force?: boolean };

export const PATCH_CONTENT_TYPES: Readonly<Record<Patch["type"], string>> = {
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  json: "application/json-patch+json",
  apply: "application/apply-patch+yaml",
};

/**
 * What has to be sent so that `before` becomes `after`; undefined when nothing differs, so that no empty patch is ever
 * sent. A field that is undefined counts as missing. Objects of the API hold no null that means something, so a null in
 * `after` removes the field, which is all that a merge patch can do with it.
 */
export function mergePatch(before: object, after: object): MergePatch | undefined {
  const patch: Record<string, unknown> = {};
  const old = before as Readonly<Record<string, unknown>>;
  const next = after as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(old)) {
    if (isThere(old[key]) && !isThere(next[key])) patch[key] = null;
  }
  for (const [key, value] of Object.entries(next)) {
    const former = old[key];
    if (!isThere(value) || former === value) continue;
    if (isObject(value) && isObject(former)) {
      const inner = mergePatch(former, value);
      if (inner !== undefined) patch[key] = inner;
    } else if (!isDeepStrictEqual(former, value)) {
      patch[key] = value;
    }
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/**
 * The same patch with a precondition: the object must still be the one (uid) and as it was (resourceVersion) when it was
 * read, else the server answers 409 (`isConflict`). Works for merge, strategic and apply patches.
 */
export function withPrecondition(patch: MergePatch, read: KubeObject): MergePatch {
  const { uid, resourceVersion } = read.metadata;
  const metadata = {
    ...(patch["metadata"] as object | undefined),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
  return { ...patch, metadata };
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
