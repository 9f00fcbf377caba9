/** Parts of an expression that are ready to run. */
import type { CelError, Value } from "../value/value.ts";
import type { Machine } from "./budget.ts";
import type { Qualifier } from "./qualify.ts";

export type Evaluate = (machine: Machine) => Value | CelError;

/** A part that is ready to run. */
export interface Plan {
  readonly evaluate: Evaluate;
  /** Known already. */
  readonly constant?: Value;
  /** Names something: steps can be added, and whoever takes it as a part of such a path does not pay for it as a whole. */
  readonly path?: { readonly start: Evaluate; readonly steps: readonly Qualifier[]; readonly isFree: boolean };
}

/** A literal that makes no sense, found out before anything runs. */
export class Senseless extends Error {}
