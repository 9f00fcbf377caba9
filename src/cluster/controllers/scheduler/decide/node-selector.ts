/** Whether a node is among those that a selector of pods or volumes means (upstream component-helpers/scheduling). */
import type { Node, NodeSelector, NodeSelectorTerm, Requirement, SchedulablePod } from "./types.ts";

/**
 * On a node, `"true"`: it stands for every node of a cluster that was imported. Whatever is said about where pods and volumes
 * belong, they belong here.
 */
export const STANDS_FOR_ALL = "outgrow.dev/stands-for-all";

export function standsForAll({ metadata }: Node): boolean {
  return metadata.annotations?.[STANDS_FOR_ALL] === "true";
}

/** The pod's own selector, and its affinity: both must hold. */
export function podSelects(pod: SchedulablePod, node: Node): boolean {
  if (standsForAll(node)) return true;
  const { nodeSelector = {}, affinity } = pod.spec;
  const labels = node.metadata.labels ?? {};
  if (Object.entries(nodeSelector).some(([key, value]) => labels[key] !== value)) return false;
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || selects(required, node);
}

/** Any of the terms; without a term it is none at all. */
export function selects({ nodeSelectorTerms = [] }: NodeSelector, node: Node): boolean {
  return nodeSelectorTerms.some((term) => termSelects(term, node));
}

/** All that a term names; one that names nothing selects nothing. */
function termSelects({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, node: Node): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  const { labels = {}, name } = node.metadata;
  return (
    matchExpressions.every((requirement) => holds(requirement, labels[requirement.key])) &&
    matchFields.every((requirement) => requirement.key === "metadata.name" && holds(requirement, name))
  );
}

function holds({ operator, values = [] }: Requirement, value: string | undefined): boolean {
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
    case "Lt": {
      const [is, limit] = [readInteger(value), readInteger(values[0])];
      if (is === undefined || limit === undefined) return false;
      return operator === "Gt" ? is > limit : is < limit;
    }
    default:
      return false;
  }
}

function readInteger(text: string | undefined): bigint | undefined {
  return text !== undefined && /^-?\d+$/.test(text) ? BigInt(text) : undefined;
}
