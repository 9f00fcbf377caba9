/** Steps that an evaluation may take. */
import { newEffort } from "../../crd/schema/linear-pattern.ts";
import type { Running } from "../check/declarations.ts";

/** Kubernetes' limits: of one expression, of all rules about an object, and of the conditions of one webhook or binding. */
export const PER_CALL_LIMIT = 1_000_000;
export const RUNTIME_BUDGET = 10_000_000;
export const MATCH_CONDITIONS_BUDGET = 2_500_000;

/** Ends an evaluation that has no steps left. */
export class Exhausted extends Error {
  constructor() {
    super("operation cancelled: actual cost limit exceeded");
  }
}

/** What a running evaluation holds: its steps, and the variables of the loops it is in. */
export interface Machine extends Running {
  cost: number;
  readonly limit: number;
  /** By number, as the plan gave them out. Undefined: an accumulator that nobody asked for yet. */
  readonly locals: unknown[];
  /** Looks a variable up by name. */
  readonly variable: (name: string) => unknown;
}

export function machineOf(limit: number, locals: number, variable: (name: string) => unknown): Machine {
  return {
    cost: 0,
    limit,
    locals: Array.from({ length: locals }),
    variable,
    effort: newEffort(),
    spend(steps) {
      // Steps that are yet to be made are not counted here: the call counts them when it is done.
      if (this.cost + steps > this.limit) {
        this.cost = this.limit + 1;
        throw new Exhausted();
      }
    },
  };
}

export function pay(machine: Machine, cost: number): void {
  machine.cost += cost;
  if (machine.cost > machine.limit) throw new Exhausted();
}
