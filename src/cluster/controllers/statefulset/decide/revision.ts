/**
 * Revisions: the pod templates that a StatefulSet has had, as ControllerRevision objects. Names, data and numbers are
 * those of kube-controller-manager (pkg/controller/history), so that `kubectl rollout history` and `undo` work, and
 * either controller goes on where the other stopped. Claim templates are no part of a revision: going back to an older
 * one never touches a size (KEP-661, "Revision control").
 */
import { fromTimestamp } from "../../../../core/clock.ts";
import type { KubeObject, StatefulSet } from "../../../../core/types.ts";
import { controllerOf } from "../../../../statefulset/decide/references.ts";
import { selects } from "../../../../statefulset/decide/selector.ts";
import { goJson } from "./go-json.ts";
import { controllerReference } from "./names.ts";

export type PodTemplate = StatefulSet["spec"]["template"];

export interface ControllerRevision extends KubeObject {
  /** A strategic merge patch that puts the template back. */
  data: { spec: { template: PodTemplate } };
  /** Counts up; the highest is the latest. */
  revision: number;
}

const HASH_LABEL = "controller.kubernetes.io/hash";
/** A name has at most 253 characters; what is left of it for the set's own. */
const MAX_PREFIX = 223;

/** The revision that stands for the set as it is now. `collisions` goes into the name, to tell equal hashes apart. */
export function newRevision(set: StatefulSet, revision: number, collisions: number): ControllerRevision {
  const data = dataOf(set);
  const hash = hashOf(`${goJson(data)}${collisions}`);
  const { name, namespace, annotations } = set.metadata;
  return {
    metadata: {
      name: `${name.slice(0, MAX_PREFIX)}-${hash}`,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...set.spec.template.metadata?.labels, [HASH_LABEL]: hash },
      // Where kubectl finds the cause of a change.
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [controllerReference("StatefulSet", set)],
    },
    data,
    revision,
  };
}

/** The template that a revision stands for. */
export function templateOf({ data }: ControllerRevision): PodTemplate {
  const { $patch: _, ...template } = data.spec.template as PodTemplate & { $patch?: string };
  return template;
}

export function sameData(a: ControllerRevision, b: ControllerRevision): boolean {
  return goJson(a.data) === goJson(b.data);
}

/** Those of the namespace that are the set's, in their order, and which of them nobody owns yet. */
export function revisionsOf(
  set: StatefulSet,
  candidates: Iterable<ControllerRevision>,
): { readonly own: readonly ControllerRevision[]; readonly orphans: readonly ControllerRevision[] } {
  const own = [...candidates]
    .filter((revision) => {
      const owner = controllerOf(revision);
      return (
        (owner === undefined || owner.uid === set.metadata.uid) && selects(set.spec.selector, revision.metadata.labels)
      );
    })
    .sort(inOrder);
  return { own, orphans: own.filter((revision) => controllerOf(revision) === undefined) };
}

export type RevisionStep =
  /** The set is as this one says. */
  | { readonly kind: "use"; readonly revision: ControllerRevision }
  /** The set has gone back to an older one, which becomes the latest under this number. */
  | { readonly kind: "renumber"; readonly revision: ControllerRevision; readonly to: number }
  | { readonly kind: "create"; readonly number: number };

/** Which revision the set is at. `own` in order. */
export function revisionStep(set: StatefulSet, own: readonly ControllerRevision[]): RevisionStep {
  const latest = own.at(-1);
  const number = (latest?.revision ?? 0) + 1;
  const wanted = goJson(dataOf(set));
  if (latest !== undefined && goJson(latest.data) === wanted) return { kind: "use", revision: latest };
  const equal = own.findLast(({ data }) => goJson(data) === wanted);
  if (equal !== undefined) return { kind: "renumber", revision: equal, to: number };
  // Older servers wrote `creationTimestamp: null` into templates; that is no change (StatefulSetSemanticRevisionComparison).
  if (latest !== undefined && goJson(withoutNulls(latest.data)) === goJson(withoutNulls(dataOf(set)))) {
    return { kind: "use", revision: latest };
  }
  return { kind: "create", number };
}

/**
 * Which revisions may go: the oldest of those that neither the set nor a pod is at, as far as there are more than
 * `revisionHistoryLimit`. `own` in order.
 */
export function outdated(
  set: StatefulSet,
  own: readonly ControllerRevision[],
  live: ReadonlySet<string>,
): readonly ControllerRevision[] {
  const history = own.filter(({ metadata }) => !live.has(metadata.name));
  const limit = set.spec.revisionHistoryLimit ?? 10;
  return limit < 0 ? [] : history.slice(0, Math.max(0, history.length - limit));
}

function dataOf(set: StatefulSet): ControllerRevision["data"] {
  return { spec: { template: { ...set.spec.template, $patch: "replace" } as PodTemplate } };
}

function inOrder(a: ControllerRevision, b: ControllerRevision): number {
  const age = ({ metadata }: ControllerRevision): number => fromTimestamp(metadata.creationTimestamp) ?? 0;
  return a.revision - b.revision || age(a) - age(b) || (a.metadata.name < b.metadata.name ? -1 : 1);
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([key, inner]) => [key, withoutNulls(inner)]),
  );
}

/** Letters that form no words, as in all names that Kubernetes makes up (apimachinery's SafeEncodeString). */
const LETTERS = "bcdfghjklmnpqrstvwxz2456789";

/** FNV-1 with 32 bits, its decimal digits spelled in letters. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash, 0x01000193) ^ byte;
  return String(hash >>> 0).replace(/\d/g, (digit) => LETTERS.charAt(digit.charCodeAt(0) % LETTERS.length));
}
