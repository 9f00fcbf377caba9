/** A compiled expression, ready to be evaluated as often as one likes. */
import type { CelError, Value } from "../value/value.ts";
import { error } from "../value/value.ts";
import { Exhausted, machineOf, PER_CALL_LIMIT } from "./budget.ts";
import type { Runnable } from "./plan.ts";

/** Gives the value of a variable; undefined for one that is not given. Asked each time that the variable is used. */
export type Activation = (name: string) => Value | CelError | undefined;

export interface Outcome {
  readonly value: Value | CelError;
  /** The steps that it took, for whoever keeps a budget over several. */
  readonly cost: number;
  /** It was stopped: the value is an error that says so. */
  readonly isExhausted: boolean;
}

export interface Program {
  /** Takes at most so many steps: Kubernetes' own limit for one expression if nothing is said. */
  evaluate(activation: Activation, limit?: number): Outcome;
}

export function programOf({ evaluate, locals }: Runnable): Program {
  return {
    evaluate(activation, limit = PER_CALL_LIMIT) {
      const machine = machineOf(limit, locals, activation);
      try {
        return { value: evaluate(machine), cost: machine.cost, isExhausted: false };
      } catch (cause) {
        if (!(cause instanceof Exhausted)) throw cause;
        return { value: error(cause.message), cost: machine.cost, isExhausted: true };
      }
    },
  };
}
