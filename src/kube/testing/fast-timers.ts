/** The system's timers, running faster: an hour of waiting in seconds, with real sockets in between. */
import { systemTimers, type Timers } from "../timers.ts";

export interface FastTimers extends Timers {
  /** Timers that are set and have neither fired nor been cancelled. */
  readonly pending: number;
}

export function createFastTimers(factor: number): FastTimers {
  const pending = new Set<object>();
  const start = systemTimers.now();
  const elapsed = (): number => systemTimers.elapsed() * factor;
  const origin = elapsed();
  return {
    get pending() {
      return pending.size;
    },
    now: () => start + elapsed() - origin,
    elapsed,
    after(milliseconds, callback) {
      const timer = {};
      pending.add(timer);
      const cancel = systemTimers.after(milliseconds / factor, () => {
        pending.delete(timer);
        callback();
      });
      return () => {
        pending.delete(timer);
        cancel();
      };
    },
  };
}
