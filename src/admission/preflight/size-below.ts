import type { ClaimView } from "../../core/claim.ts";
import type { Gates } from "../../core/gates.ts";
import { validateClaimUpdate } from "../claim-update.ts";
import { asking } from "./asking.ts";
import { type Check, count, type Finding, pass, refuse, someOf, warn } from "./check.ts";
import type { PreflightFacts, SetFacts } from "./facts.ts";

/** Volumes never shrink. A size below the request is only ever good for coming back from one that failed (KEP-1790). */
export const sizeBelow: Check = {
  id: "size-below",
  question: "Is the size at least what is there already?",
  run: (facts) => (facts.set === undefined ? judgeClaims(facts) : judgeSet(facts, facts.set)),
};

function judgeClaims({ claims, gates }: PreflightFacts): Finding[] {
  return claims
    .filter(({ view, to, stuck }) => stuck === undefined && to.lessThan(view.request))
    .map(({ object, view, to }) => {
      const [error] = validateClaimUpdate(object, asking(object, to), gates);
      const capacity = view.capacity?.toString() ?? "0";
      if (error === undefined) {
        return pass(`${to.toString()} is less than ${view.name} asks for, and more than the ${capacity} that it has`);
      }
      return refuse(
        `${view.name} asks for ${view.request.toString()} and has ${capacity}, so ${to.toString()} is refused: ${error.detail}`,
        wayOutOfLowering(view, gates),
      );
    });
}

function wayOutOfLowering({ request, capacity }: ClaimView, gates: Gates): string {
  if (capacity?.lessThan(request) !== true) {
    return `ask for more than ${request.toString()}; to shrink, copy the data to a new claim`;
  }
  return gates.RecoverExpansionFailure
    ? `ask for more than ${capacity.toString()}`
    : "turn feature gate RecoverExpansionFailure on to go back to a smaller size";
}

/** Claims of a set that are larger than desired are left alone; a size that leaves all of them alone is a mistake. */
function judgeSet({ claims }: PreflightFacts, set: SetFacts): Finding[] {
  const shrunk = set.sizes.filter(({ now, desired }) => desired.lessThan(now));
  const larger = claims.filter(({ view, to, step }) => step === "none" && to.lessThan(view.request));
  const underWay = larger.filter(({ view, to }) => view.capacity?.lessThan(to) === true);
  if (shrunk.length > 0 && underWay.length > 0) {
    return [
      warn(
        `growing to more than that is under way and may still succeed: ${someOf(underWay.map(({ view }) => view.name))}`,
        "nothing is lowered before it has failed",
      ),
    ];
  }
  if (shrunk.length > 0 && !claims.some(({ step }) => step === "recover")) {
    return shrunk.map(({ template, now, desired }) =>
      refuse(
        `${template}: ${desired.toString()} is below the ${now.toString()} of the template, and volumes never shrink`,
        `ask for more than ${now.toString()}; to shrink, copy the data to a new set`,
      ),
    );
  }
  if (larger.length === 0) return [pass("no claim is larger than what is asked for")];
  const names = someOf(larger.map(({ view }) => view.name));
  return [pass(`${count(larger.length, "claim")} already larger than that, and left alone: ${names}`)];
}
