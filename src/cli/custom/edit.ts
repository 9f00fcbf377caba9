/** Writing sizes where a resource has them, and nothing else. */
import type { Quantity } from "../../core/quantity.ts";
import type { KubeObject } from "../../core/types.ts";
import type { JsonPatchOperation } from "../../kube/index.ts";
import type { Path } from "../../source/decide/path.ts";
import type { NamedSize } from "./read-custom.ts";

/** One size, and what it is to become. */
export interface Edit {
  readonly size: NamedSize;
  readonly to: Quantity;
}

/** Those that change something. */
export function changing(edits: readonly Edit[]): readonly Edit[] {
  return edits.filter(({ size, to }) => size.size?.equals(to) !== true);
}

/** The resource after the edits. */
export function edited<T extends KubeObject>(object: T, edits: readonly Edit[]): T {
  return edits.reduce((next, { size, to }) => put(next, size.at, to.toString()) as T, object);
}

/**
 * The same as a patch, which holds for the object that was read alone: places in a list mean nothing in another. What was there is
 * replaced, so that nobody's path is made up.
 */
export function patchFor({ metadata }: KubeObject, edits: readonly Edit[]): readonly JsonPatchOperation[] {
  return [
    { op: "replace", path: "/metadata/resourceVersion", value: metadata.resourceVersion },
    ...edits.map(
      ({ size, to }): JsonPatchOperation => ({
        op: size.size === undefined ? "add" : "replace",
        path: pointerOf(size.at),
        value: to.toString(),
      }),
    ),
  ];
}

function pointerOf(path: Path): string {
  return path
    .map((step) => (step.kind === "key" ? step.key : step.kind === "index" ? String(step.index) : "-"))
    .map((word) => `/${word.replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}

function put(value: unknown, [step, ...rest]: Path, to: string): unknown {
  if (step === undefined) return to;
  if (step.kind === "key") {
    const fields = typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
    return { ...fields, [step.key]: put(fields[step.key], rest, to) };
  }
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.map((item, index) => (step.kind === "index" && step.index === index ? put(item, rest, to) : item));
}
