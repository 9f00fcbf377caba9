/** Who belongs to whom, as far as the watches have told. Nothing is deleted because of it: it says where to look. */
import type { ObjectMeta, OwnerReference } from "../../../../../core/types.ts";
import type { Kind } from "../../shared/decide/kind.ts";

export interface Node {
  readonly resource: Kind;
  /** At least identity, owners, finalizers and the moment of deletion. */
  readonly metadata: ObjectMeta;
}

export interface Graph {
  readonly size: number;
  get(uid: string): Node | undefined;
  values(): IterableIterator<Node>;
  /** Those that name this object as an owner, whether it is known or not. */
  dependentsOf(uid: string): readonly Node[];
  put(node: Node): void;
  remove(uid: string): void;
}

export function createGraph(): Graph {
  const nodes = new Map<string, Node>();
  const dependents = new Map<string, Set<string>>();

  function remove(uid: string): void {
    for (const owner of ownersOf(nodes.get(uid))) {
      const known = dependents.get(owner.uid);
      known?.delete(uid);
      if (known?.size === 0) dependents.delete(owner.uid);
    }
    nodes.delete(uid);
  }

  return {
    get size() {
      return nodes.size;
    },
    get: (uid) => nodes.get(uid),
    values: () => nodes.values(),
    dependentsOf: (uid) => [...(dependents.get(uid) ?? [])].flatMap((dependent) => nodes.get(dependent) ?? []),
    put(node) {
      const uid = uidOf(node);
      remove(uid);
      nodes.set(uid, node);
      for (const owner of ownersOf(node)) {
        const known = dependents.get(owner.uid);
        if (known === undefined) dependents.set(owner.uid, new Set([uid]));
        else known.add(uid);
      }
    },
    remove,
  };
}

export function uidOf({ metadata }: Node): string {
  return metadata.uid ?? "";
}

export function ownersOf(node: Node | undefined): readonly OwnerReference[] {
  return node?.metadata.ownerReferences ?? [];
}
