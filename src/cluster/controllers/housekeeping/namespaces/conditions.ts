/** What a namespace that is being deleted says about it, in upstream's words (status_condition_utils.go). */
import { toTimestamp } from "../../../../core/clock.ts";
import type { Condition, KubeObject } from "../../../../core/types.ts";
import type { Resource } from "../../../../kube/index.ts";

export interface Namespace extends KubeObject {
  spec?: { finalizers?: string[] };
  status?: { phase?: string; conditions?: Condition[] };
}

/** What is left of one kind. */
export interface Remainder {
  readonly resource: Resource;
  readonly count: number;
  /** How many of them wait for whom. */
  readonly finalizers: ReadonlyMap<string, number>;
}

/** How far the emptying has come. */
export interface Progress {
  /** Why it is not known which kinds there are, or which of them cannot be asked about. */
  readonly discovery?: string;
  /** What could not be deleted, and why. */
  readonly failures: readonly string[];
  readonly left: readonly Remainder[];
}

interface Finding {
  readonly type: string;
  readonly well: { readonly reason: string; readonly message: string };
  readonly trouble: (progress: Progress) => { readonly reason: string; readonly message: string } | undefined;
}

const FINDINGS: readonly Finding[] = [
  {
    type: "NamespaceDeletionDiscoveryFailure",
    well: { reason: "ResourcesDiscovered", message: "All resources successfully discovered" },
    trouble: ({ discovery }) =>
      discovery === undefined ? undefined : { reason: "DiscoveryFailed", message: discovery },
  },
  {
    type: "NamespaceDeletionGroupVersionParsingFailure",
    well: { reason: "ParsedGroupVersions", message: "All legacy kube types successfully parsed" },
    trouble: () => undefined,
  },
  {
    type: "NamespaceDeletionContentFailure",
    well: {
      reason: "ContentDeleted",
      message: "All content successfully deleted, may be waiting on finalization",
    },
    trouble: ({ failures }) =>
      failures.length === 0
        ? undefined
        : {
            reason: "ContentDeletionFailed",
            message: `Failed to delete all resource types, ${failures.length} remaining: ${failures.toSorted().join(", ")}`,
          },
  },
  {
    type: "NamespaceContentRemaining",
    well: { reason: "ContentRemoved", message: "All content successfully removed" },
    trouble({ left }) {
      if (left.length === 0) return undefined;
      const kinds = left.map(({ resource, count }) => {
        return `${resource.plural}.${resource.group} has ${count} resource instances`;
      });
      return {
        reason: "SomeResourcesRemain",
        message: `Some resources are remaining: ${kinds.sort().join(", ")}`,
      };
    },
  },
  {
    type: "NamespaceFinalizersRemaining",
    well: { reason: "ContentHasNoFinalizers", message: "All content-preserving finalizers finished" },
    trouble({ left }) {
      const counts = new Map<string, number>();
      for (const { finalizers } of left) {
        for (const [name, count] of finalizers) counts.set(name, (counts.get(name) ?? 0) + count);
      }
      if (counts.size === 0) return undefined;
      const waiting = [...counts].map(([name, count]) => `${name} in ${count} resource instances`);
      return {
        reason: "SomeFinalizersRemain",
        message: `Some content in the namespace has finalizers remaining: ${waiting.sort().join(", ")}`,
      };
    },
  },
];

/** The namespace's conditions after this; the same list when nothing differs. Conditions of others stay. */
export function conditionsAfter(before: readonly Condition[], progress: Progress, now: number): readonly Condition[] {
  const after = [...before];
  for (const { type, well, trouble } of FINDINGS) {
    const found = trouble(progress);
    const status = found === undefined ? "False" : "True";
    const next = { type, status, ...(found ?? well) };
    const index = after.findIndex((condition) => condition.type === type);
    const old = after[index];
    if (old === undefined) after.push({ ...next, lastTransitionTime: toTimestamp(now) });
    else if (old.status !== status) after[index] = { ...old, ...next, lastTransitionTime: toTimestamp(now) };
    else if (old.message !== next.message || old.reason !== next.reason) after[index] = { ...old, ...next };
  }
  const isSame = after.length === before.length && after.every((condition, index) => condition === before[index]);
  return isSame ? before : after;
}
