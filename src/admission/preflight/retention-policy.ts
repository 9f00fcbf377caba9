import { type Check, pass, warn } from "./check.ts";

/** With a policy of Delete, claims are tied to the set by owner references, and a set that goes takes them along. */
export const retentionPolicy: Check = {
  id: "retention-policy",
  question: "Would re-creating the set endanger its claims?",
  run: ({ set }) => {
    if (set === undefined || set.way === "up-to-date" || set.way === "patch") return [];
    const { whenDeleted = "Retain", whenScaled = "Retain" } = set.retention ?? {};
    const deletes = Object.entries({ whenDeleted, whenScaled }).filter(([, policy]) => policy !== "Retain");
    if (deletes.length === 0) return [pass("claims are retained when the set is deleted or scaled")];
    const policy = deletes.map(([when, what]) => `${when}: ${what}`).join(", ");
    return [
      warn(
        `${policy}: deleting the set would delete claims`,
        "the policy is set to Retain first, the set is deleted when no claim is tied to it any more, and the policy comes back in the end",
      ),
    ];
  },
};
