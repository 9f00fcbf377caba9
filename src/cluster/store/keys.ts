/** The keys of Kubernetes objects: `resource/namespace/name`, or `resource/name` for what has no namespace. */
import { StoreError } from "./store-error.ts";

export interface ObjectName {
  /** The plural and its group, as in `persistentvolumeclaims` and `mysqlclusters.moco.cybozu.com`. */
  readonly resource: string;
  /** Left out for what is not in a namespace. */
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** Throws `Unstorable` for a part that is empty or has a slash in it: two objects could share such a key. */
export function keyOf({ resource, namespace, name }: ObjectName): string {
  return `${prefixOf(resource, namespace)}${part(name)}`;
}

/** What the keys of all objects of a resource begin with, or of those in one namespace. Throws like `keyOf`. */
export function prefixOf(resource: string, namespace?: string): string {
  return namespace === undefined ? `${part(resource)}/` : `${part(resource)}/${part(namespace)}/`;
}

/** Whether an object can be called so. */
export function canBePart(text: string): boolean {
  return text !== "" && !text.includes("/");
}

function part(text: string): string {
  if (!canBePart(text)) {
    throw new StoreError("Unstorable", `${JSON.stringify(text)} cannot be part of a key: it is empty or has a slash`);
  }
  return text;
}

/**
 * The first text behind all that begin with the prefix; undefined when there is none, that is, when nothing is excluded.
 */
export function endOfPrefix(prefix: string): string | undefined {
  for (let at = prefix.length - 1; at >= 0; at--) {
    const unit = prefix.charCodeAt(at);
    if (unit < 0xffff) return prefix.slice(0, at) + String.fromCharCode(unit + 1);
  }
  return undefined;
}
