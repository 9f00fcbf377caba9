import { type Check, warn } from "./check.ts";

/** A claim of a set may grow on its own; the template and the other members then stay behind (KEP-661, non-goals). */
export const setLeftBehind: Check = {
  id: "set-left-behind",
  question: "Does the claim belong to a StatefulSet that would stay behind?",
  run: ({ memberOf, claims }) => {
    const [claim] = claims;
    if (memberOf === undefined || claim === undefined || claim.step !== "grow") return [];
    const { set, template } = memberOf;
    return [
      warn(
        `${claim.view.name} is a claim of StatefulSet ${set}; its template and its other claims stay as they are`,
        `grow all of them: outgrow plan sts/${set} ${template}=${claim.to.toString()}`,
      ),
    ];
  },
};
