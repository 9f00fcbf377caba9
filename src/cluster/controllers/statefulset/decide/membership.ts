/** Which pods are a StatefulSet's: those it controls, those it takes, those it lets go (controller_ref_manager.go). */
import type { Pod, StatefulSet } from "../../../../core/types.ts";
import { controllerOf } from "../../../../statefulset/decide/references.ts";
import { selects } from "../../../../statefulset/decide/selector.ts";
import { ordinalOf } from "./names.ts";

export interface Membership {
  /** It controls them, and they are what it wants. */
  readonly members: readonly Pod[];
  /** Nobody controls them: it takes them. */
  readonly adopt: readonly Pod[];
  /** It controls them, but their labels no longer fit. */
  readonly release: readonly Pod[];
}

/** `pods` may hold any pods of the namespace. A set that is being deleted neither takes nor lets go. */
export function membersOf(set: StatefulSet, pods: Iterable<Pod>): Membership {
  const members: Pod[] = [];
  const adopt: Pod[] = [];
  const release: Pod[] = [];
  const deleting = set.metadata.deletionTimestamp !== undefined;
  for (const pod of pods) {
    const owner = controllerOf(pod);
    const fits = selects(set.spec.selector, pod.metadata.labels) && ordinalOf(set, pod.metadata.name) !== undefined;
    if (owner !== undefined && owner.uid !== set.metadata.uid) continue;
    if (owner === undefined) {
      if (fits && !deleting && pod.metadata.deletionTimestamp === undefined) adopt.push(pod);
    } else if (fits) {
      members.push(pod);
    } else if (!deleting) {
      release.push(pod);
    }
  }
  return { members, adopt, release };
}
