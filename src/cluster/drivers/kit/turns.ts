/** One operation at a time per volume: CSI has a driver answer `Aborted` to a second one. */
import { CsiError } from "../../../csi/index.ts";

export interface Turns {
  /** Runs the operation; throws `Aborted` while another on the same volume is under way. */
  take<T>(volumeId: string, operation: () => Promise<T>): Promise<T>;
  /** Settles when nothing is under way any more. */
  idle(): Promise<void>;
}

export function createTurns(): Turns {
  const underWay = new Map<string, Promise<unknown>>();
  return {
    async take(volumeId, operation) {
      if (underWay.has(volumeId)) {
        throw new CsiError("Aborted", `an operation on volume ${volumeId} is under way already`);
      }
      const work = operation();
      underWay.set(volumeId, work);
      try {
        return await work;
      } finally {
        underWay.delete(volumeId);
      }
    },
    async idle() {
      while (underWay.size > 0) await Promise.allSettled(underWay.values());
    },
  };
}
