import { limitRangeRefusal } from "../limit-range.ts";
import { asking } from "./asking.ts";
import { type Check, pass, refuse, someOf } from "./check.ts";

/** LimitRange looks at every update of a claim, so that a size out of range is refused when the claim is patched. */
export const limitRange: Check = {
  id: "limit-range",
  question: "Is the new size within the limit ranges of the namespace?",
  run: ({ claims, limitRanges }) => {
    const changing = claims.filter(({ step }) => step !== "none");
    const limited = limitRanges.some(({ spec }) => spec?.limits?.some(({ type }) => type === "PersistentVolumeClaim"));
    if (!limited || changing.length === 0) return [];
    const bySize = Map.groupBy(changing, ({ to }) => to.toString());
    const refusals = [...bySize].flatMap(([, group]) => {
      const [first] = group;
      if (first === undefined) return [];
      const refusal = limitRangeRefusal(asking(first.object, first.to), limitRanges);
      if (refusal === undefined) return [];
      const names = someOf(group.map(({ view }) => view.name));
      return [refuse(`${refusal} (${names})`, "ask for a size within the limit range, or change the limit range")];
    });
    return refusals.length > 0
      ? refusals
      : [pass(`${[...bySize.keys()].join(", ")} per claim is within the limit range`)];
  },
};
