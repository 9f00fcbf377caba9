/** Which objects have to be looked at when there are news of one. Follows upstream's graph_builder.go. */
import type { OwnerReference } from "../../../../../core/types.ts";
import { versionOf } from "../../shared/decide/kind.ts";
import { type Graph, type Node, ownersOf, uidOf } from "./graph.ts";
import { stageOf } from "./stage.ts";

/** An object appeared or changed. The graph has it already; `before` is what it had until now. */
export function lookAfterChange(graph: Graph, before: Node | undefined, after: Node): ReadonlySet<string> {
  const look = new Set<string>();
  const stage = stageOf(after.metadata);
  if (stage !== (before === undefined ? "here" : stageOf(before.metadata))) {
    if (stage === "orphaning" || stage === "foreground") look.add(uidOf(after));
    if (stage === "foreground") for (const dependent of graph.dependentsOf(uidOf(after))) look.add(uidOf(dependent));
  }
  const owners = ownersOf(after);
  const added = owners.filter((owner) => !ownersOf(before).some((other) => isSameReference(other, owner)));
  if (added.some((owner) => isDoubtful(graph, after, owner))) look.add(uidOf(after));
  for (const owner of ownersOf(before)) {
    if (owner.blockOwnerDeletion !== true) continue;
    const stillBlocks = owners.some((other) => other.uid === owner.uid && other.blockOwnerDeletion === true);
    if (!stillBlocks && isForeground(graph, owner.uid)) look.add(owner.uid);
  }
  return look;
}

/** An object is gone. The graph has forgotten it already. */
export function lookAfterRemoval(graph: Graph, gone: Node): ReadonlySet<string> {
  const look = new Set(graph.dependentsOf(uidOf(gone)).map(uidOf));
  for (const { uid } of ownersOf(gone)) if (isForeground(graph, uid)) look.add(uid);
  return look;
}

/** Whether the owner may be gone, may be no owner at all, or waits for its dependents: only the server can tell. */
function isDoubtful(graph: Graph, dependent: Node, reference: OwnerReference): boolean {
  const owner = graph.get(reference.uid);
  return owner === undefined || !isAt(owner, dependent, reference) || isForeground(graph, reference.uid);
}

/** Whether the object is where the reference says. An owner is in the same namespace, or in none. */
export function isAt({ resource, metadata }: Node, dependent: Node, reference: OwnerReference): boolean {
  const sameNamespace = !resource.namespaced || metadata.namespace === dependent.metadata.namespace;
  return (
    sameNamespace &&
    metadata.name === reference.name &&
    resource.kind === reference.kind &&
    versionOf(resource) === reference.apiVersion
  );
}

function isForeground(graph: Graph, uid: string): boolean {
  const owner = graph.get(uid);
  return owner !== undefined && stageOf(owner.metadata) === "foreground";
}

function isSameReference(a: OwnerReference, b: OwnerReference): boolean {
  return a.uid === b.uid && a.name === b.name && a.kind === b.kind && a.apiVersion === b.apiVersion;
}
