/** What the handlers of one driver share. */
import type { Records } from "./records.ts";
import type { Turns } from "./turns.ts";
import type { DriverWork } from "./work.ts";

export interface DriverContext {
  readonly records: Records;
  readonly turns: Turns;
  readonly work: DriverWork;
  readonly nodeId: string;
  /**
   * Lets time pass, whether or not the caller still waits: storage goes on with what it was asked for. Throws `Unavailable`
   * when the driver is stopped meanwhile.
   */
  readonly pause: (ms: number) => Promise<void>;
}
