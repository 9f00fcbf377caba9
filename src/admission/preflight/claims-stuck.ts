import { type Check, count, pass, refuse, splitReason, warn, ways } from "./check.ts";

/** How many stuck claims are told apart; what they have in common is usually plain from the first few. */
const TOLD = 5;

/** Claims that do not get there as they are: lost, being deleted, not bound, disputed, or refused by the storage. */
export const claimsStuck: Check = {
  id: "claims-stuck",
  question: "Is every claim in a state in which it can grow?",
  run: ({ claims }) => {
    if (claims.length === 0) return [];
    const stuck = claims.filter((claim) => claim.stuck !== undefined);
    if (stuck.length === 0) {
      return [pass(claims.length === 1 ? "the claim is not stuck" : `${claims.length} claims, none of them stuck`)];
    }
    // One broken member must not keep the others from growing; but when nobody can, there is nothing to start.
    const others = claims.some(({ step }) => step !== "none");
    const told = stuck.slice(0, TOLD).map(({ view, stuck: reason = "" }) => {
      const { what, wayOut } = splitReason(reason);
      const message = `${view.name}: ${what}`;
      return others
        ? warn(message, ways(wayOut, "the other claims grow without it"))
        : refuse(message, wayOut || "mend the claim first");
    });
    if (stuck.length <= TOLD) return told;
    const more = `${count(stuck.length - TOLD, "more claim")} stuck`;
    return [...told, others ? warn(more, "the other claims grow without them") : refuse(more, "mend them first")];
  },
};
