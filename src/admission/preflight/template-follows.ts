import { type Check, type Finding, LATER, pass, refuse, splitReason, warn } from "./check.ts";
import type { SetFacts } from "./facts.ts";
import { isAboutRollout } from "./rollout-in-progress.ts";

/** Holds that do not go by themselves and that no growth should start under. */
const FINAL: ReadonlySet<string> = new Set(["gate-off", "set-deleting", "templates-differ"]);

/** Without its template a set grows by half: the next replica comes with the old size. */
export const templateFollows: Check = {
  id: "template-follows",
  question: "Can the template follow the claims?",
  run: ({ set }) => (set === undefined ? [] : judge(set)),
};

function judge(set: SetFacts): Finding[] {
  if (set.way === "up-to-date") return [pass("the template stays as it is")];
  // What is about the owner or a rollout has a check of its own.
  const others = set.holds.filter((hold) => hold.id !== "owned" && !isAboutRollout(hold));
  if (others.length > 0) {
    return others.map(({ id, reason }) => {
      const { what, wayOut } = splitReason(reason);
      return FINAL.has(id)
        ? refuse(what, wayOut || "wait until that is over, then look again")
        : warn(what, wayOut || LATER);
    });
  }
  if (set.holds.length > 0) return [];
  return [
    set.way === "patch"
      ? pass("the API server takes the new size")
      : pass("the set can be re-created around its running pods"),
  ];
}
