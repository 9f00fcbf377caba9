import { Quantity } from "../../core/quantity.ts";
import { claimWarnings } from "../claim-rules.ts";
import { asking } from "./asking.ts";
import { type Check, type Finding, pass, warn } from "./check.ts";
import type { ClaimFacts } from "./facts.ts";

const GIBIBYTE = 1n << 30n;

/** Storage comes in whole units. Where a size is none, the volume becomes larger than what was asked, and quota counts less. */
export const rounding: Check = {
  id: "rounding",
  question: "Is the size one that storage comes in?",
  run: ({ claims }) => {
    const changing = claims.filter(({ step }) => step !== "none");
    const bySize = Map.groupBy(changing, ({ to }) => to.toString());
    const odd = [...bySize].flatMap(([size, [first]]) => (first === undefined ? [] : judge(size, first)));
    if (odd.length > 0 || bySize.size === 0) return odd;
    return [pass(`whole numbers of Gi: ${[...bySize.keys()].join(", ")}`)];
  },
};

function judge(size: string, { object, to }: ClaimFacts): Finding[] {
  const [fraction] = claimWarnings(asking(object, to));
  if (fraction !== undefined) return [warn(fraction, `ask for ${to.roundUp().toString()}`)];
  const rest = to.toBytes() % GIBIBYTE;
  if (rest === 0n) return [];
  const whole = Quantity.bytes(to.toBytes() - rest + GIBIBYTE).toString();
  return [
    warn(
      `${size} is not a whole number of Gi: many drivers round up, here to ${whole}, and quota counts ${size}`,
      `ask for ${whole} to have both the same`,
    ),
  ];
}
