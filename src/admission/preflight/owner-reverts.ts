import { type Check, pass, refuse, warn } from "./check.ts";

/** A set that an operator made is the operator's: it puts back what others change, and the two fight for ever. */
export const ownerReverts: Check = {
  id: "owner-reverts",
  question: "Is there a controller that would take the change back?",
  run: ({ set }) => {
    if (set === undefined || set.way === "up-to-date") return [];
    if (set.owner === undefined) return [pass("no controller owns the set")];
    if (set.evenIfOwned) {
      return [
        warn(`${set.owner} owns the set and may take the change of the template back`, "change the size there, too"),
      ];
    }
    return [
      refuse(
        `${set.owner} owns the set and would take the change of the template back`,
        "change the size there; an ExpansionSource tells Outgrow where it is written; or insist (evenIfOwned)",
      ),
    ];
  },
};
