import { type Check, pass, refuse } from "./check.ts";
import { growing } from "./facts.ts";
import { quotaForecast, quotaRefusal } from "./quota-forecast.ts";

/** Asked claim by claim, the API server takes the first ones and refuses the rest: a set that is grown by half. */
export const quota: Check = {
  id: "quota",
  question: "Is there quota for all claims together?",
  run: (facts) => {
    if (growing(facts).length === 0) return [];
    const refusal = quotaRefusal(facts);
    if (refusal !== undefined) {
      return [refuse(refusal.reason, `raise quota "${refusal.quota}", free storage in the namespace, or ask for less`)];
    }
    const lines = quotaForecast(facts);
    if (lines.length === 0) return [pass("no quota of the namespace limits this")];
    const [tightest] = lines.toSorted((a, b) => a.limit.minus(a.after).compare(b.limit.minus(b.after)));
    if (tightest === undefined) return [];
    const { quota: name, resource, after, limit } = tightest;
    return [pass(`quota "${name}" has room: ${resource} ${after.toString()} of ${limit.toString()} afterwards`)];
  },
};
