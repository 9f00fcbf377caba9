/** What can be chosen for either store. */
import type { Timers } from "../../kube/timers.ts";
import type { HistoryLimits } from "./history.ts";

export interface StoreOptions {
  /** How much history is kept; what is left out has its default. */
  readonly limits?: Partial<HistoryLimits>;
  readonly timers?: Timers;
}
