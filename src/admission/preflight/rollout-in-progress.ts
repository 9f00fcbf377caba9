import { type Check, LATER, pass, splitReason, warn } from "./check.ts";

/** The holds of statefulset/ that are about pods on their way from one revision or number to another. */
const ROLLING: ReadonlySet<string> = new Set([
  "not-observed",
  "rollout",
  "partition",
  "old-pods",
  "scaling",
  "restarting",
  "pod-deleting",
  "pod-not-adopted",
]);

export function isAboutRollout({ id }: { readonly id: string }): boolean {
  return ROLLING.has(id);
}

/** A set is re-created only between rollouts: a new one forgets which pods were to stay old. */
export const rolloutInProgress: Check = {
  id: "rollout-in-progress",
  question: "Are the pods of the set at rest?",
  run: ({ set }) => {
    if (set === undefined || set.way === "up-to-date" || set.way === "patch") return [];
    const rolling = set.holds.filter(isAboutRollout);
    if (rolling.length === 0) return [pass("no rollout is in progress")];
    return rolling.map(({ reason }) => {
      const { what, wayOut } = splitReason(reason);
      return warn(what, wayOut || LATER);
    });
  },
};
