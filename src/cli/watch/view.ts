/** Where a watch is shown: redrawn in place, as lines, or as data. */
import type { StatusReport } from "../status/report.ts";

export interface View {
  /** Called for each report; what has not changed is not written again. */
  show(report: StatusReport): void | Promise<void>;
}
