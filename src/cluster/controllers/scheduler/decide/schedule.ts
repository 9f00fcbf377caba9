/** Where a pod goes. Pure: the pod, the nodes and the pod's claims in, one of four decisions out. */
import type { PersistentVolumeClaim } from "../../../../core/types.ts";
import { claimsKeepFrom, claimsOf, type Lookup, type PodClaims, SELECTED_NODE } from "./claims.ts";
import { podSelects } from "./node-selector.ts";
import { mayGoToUnschedulable, toleratesAll } from "./tolerance.ts";
import type { Node, SchedulablePod } from "./types.ts";

export interface ScheduleFacts extends Lookup {
  readonly nodes: readonly Node[];
  /** How many pods a node has. */
  podsOn(node: string): number;
}

export type Placement =
  | { readonly kind: "bind"; readonly node: string }
  /** Tell these claims which node it is to be; the pod follows when they are bound. */
  | { readonly kind: "select"; readonly node: string; readonly claims: readonly PersistentVolumeClaim[] }
  /** The claims know their node, and are not bound yet. */
  | { readonly kind: "wait" }
  /** In the words of Kubernetes: people and tools look for them. */
  | { readonly kind: "unschedulable"; readonly message: string };

export function placePod(pod: SchedulablePod, facts: ScheduleFacts): Placement {
  const { nodes } = facts;
  if (nodes.length === 0) return { kind: "unschedulable", message: "no nodes available to schedule pods" };
  const claims = claimsOf(pod, facts);
  if (claims.kind === "refused") return unschedulable(nodes.length, claims.why);

  const reasons = new Map<string, number>();
  const fitting: Node[] = [];
  for (const node of nodes) {
    const why = whyNot(pod, node, claims, facts);
    if (why === undefined) fitting.push(node);
    else reasons.set(why, (reasons.get(why) ?? 0) + 1);
  }
  const node = pickNode(fitting, claims, facts);
  if (node === undefined) {
    const counted = [...reasons].map(([why, count]) => `${count} ${why}`).toSorted();
    return unschedulable(nodes.length, counted.join(", "));
  }
  if (claims.waiting.length === 0) return { kind: "bind", node };
  const untold = claims.waiting.filter((claim) => selectedNode(claim) !== node);
  return untold.length === 0 ? { kind: "wait" } : { kind: "select", node, claims: untold };
}

/** The order of the questions is that of the scheduler's plugins. */
function whyNot(
  pod: SchedulablePod,
  node: Node,
  claims: PodClaims & { kind: "known" },
  lookup: Lookup,
): string | undefined {
  if (node.spec?.unschedulable === true && !mayGoToUnschedulable(pod)) return "node(s) were unschedulable";
  if (!toleratesAll(pod, node)) return "node(s) had untolerated taint(s)";
  if (!podSelects(pod, node)) return "node(s) didn't match Pod's node affinity/selector";
  return claimsKeepFrom(node, claims, lookup);
}

/** The node that a claim of the pod was told already; else the one with the fewest pods, the first by name among equals. */
function pickNode(
  fitting: readonly Node[],
  { waiting }: PodClaims & { kind: "known" },
  facts: ScheduleFacts,
): string | undefined {
  const names = fitting.map(({ metadata }) => metadata.name).toSorted();
  const told = waiting.map(selectedNode).find((name) => name !== undefined && names.includes(name));
  return told ?? names.toSorted((a, b) => facts.podsOn(a) - facts.podsOn(b))[0];
}

function selectedNode({ metadata }: PersistentVolumeClaim): string | undefined {
  return metadata.annotations?.[SELECTED_NODE];
}

/** The second half is what Kubernetes adds when nothing would be won by putting other pods away; here it never would. */
function unschedulable(nodes: number, why: string): Placement {
  const none = `0/${nodes} nodes are available:`;
  const message = `${none} ${why}. preemption: ${none} ${nodes} Preemption is not helpful for scheduling.`;
  return { kind: "unschedulable", message };
}
