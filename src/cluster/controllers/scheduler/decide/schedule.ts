/** Where a pod goes. Pure: the pod, the nodes and the pod's claims in, one of four decisions out. */
import type { PersistentVolumeClaim } from "../../../../core/types.ts";
import {
  type ClaimsOnNode,
  claimsOf,
  claimsOnNode,
  type Lookup,
  type Match,
  type PodClaims,
  SELECTED_NODE,
} from "./claims.ts";
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
  /** Give these claims their volumes, and tell these which node it is to be; the pod follows when they are bound. */
  | {
      readonly kind: "select";
      readonly node: string;
      readonly volumes: readonly Match[];
      readonly claims: readonly PersistentVolumeClaim[];
    }
  /** The claims have their volumes or know their node, and are not bound yet. */
  | { readonly kind: "wait" }
  /** In the words of Kubernetes: people and tools look for them. `passing`: this is likely to be over in a moment. */
  | { readonly kind: "unschedulable"; readonly message: string; readonly passing?: boolean };

export function placePod(pod: SchedulablePod, facts: ScheduleFacts): Placement {
  const { nodes } = facts;
  if (nodes.length === 0) return { kind: "unschedulable", message: "no nodes available to schedule pods" };
  const claims = claimsOf(pod, facts);
  if (claims.kind === "refused") {
    const refusal = unschedulable(nodes.length, claims.why);
    return claims.passing === true ? { ...refusal, passing: true } : refusal;
  }

  const reasons = new Map<string, number>();
  const fitting = new Map<string, ClaimsOnNode & { kind: "fits" }>();
  for (const node of nodes) {
    const fit = fitOf(pod, node, claims, facts);
    if (fit.kind === "fits") fitting.set(node.metadata.name, fit);
    else reasons.set(fit.why, (reasons.get(fit.why) ?? 0) + 1);
  }
  const [node, fit] = pickNode(fitting, claims, facts) ?? [];
  if (node === undefined || fit === undefined) {
    const counted = [...reasons].map(([why, count]) => `${count} ${why}`).toSorted();
    return unschedulable(nodes.length, counted.join(", "));
  }
  if (claims.waiting.length === 0) return { kind: "bind", node };
  const volumes = fit.matched.filter(({ claim, volume }) => volume.spec.claimRef?.uid !== claim.metadata.uid);
  const untold = fit.provisioned.filter((claim) => selectedNode(claim) !== node);
  return volumes.length + untold.length === 0 ? { kind: "wait" } : { kind: "select", node, volumes, claims: untold };
}

/** The order of the questions is that of the scheduler's plugins. */
function fitOf(pod: SchedulablePod, node: Node, claims: PodClaims & { kind: "known" }, lookup: Lookup): ClaimsOnNode {
  const refused = (why: string): ClaimsOnNode => ({ kind: "refused", why });
  if (node.spec?.unschedulable === true && !mayGoToUnschedulable(pod)) return refused("node(s) were unschedulable");
  if (!toleratesAll(pod, node)) return refused("node(s) had untolerated taint(s)");
  if (!podSelects(pod, node)) return refused("node(s) didn't match Pod's node affinity/selector");
  return claimsOnNode(node, claims, lookup);
}

/** The node that a claim of the pod was told already; else the one with the fewest pods, the first by name among equals. */
function pickNode<T>(
  fitting: ReadonlyMap<string, T>,
  { waiting }: PodClaims & { kind: "known" },
  facts: ScheduleFacts,
): [string, T] | undefined {
  const sorted = [...fitting].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const isTold = (name: string): boolean => waiting.some((claim) => selectedNode(claim) === name);
  return sorted.find(([name]) => isTold(name)) ?? sorted.toSorted(([a], [b]) => facts.podsOn(a) - facts.podsOn(b))[0];
}

function selectedNode({ metadata }: PersistentVolumeClaim): string | undefined {
  return metadata.annotations?.[SELECTED_NODE];
}

/** The second half is what Kubernetes adds when nothing would be won by putting other pods away; here it never would. */
function unschedulable(nodes: number, why: string): Placement & { kind: "unschedulable" } {
  const none = `0/${nodes} nodes are available:`;
  const message = `${none} ${why}. preemption: ${none} ${nodes} Preemption is not helpful for scheduling.`;
  return { kind: "unschedulable", message };
}
