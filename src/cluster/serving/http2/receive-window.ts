/** How much a client may send on its connection, all requests together. */
import type { Output } from "./output.ts";
import { CODE, ConnectionError, DEFAULT_WINDOW } from "./protocol.ts";

export interface ReceiveWindow {
  /** Tells the client how much it is. */
  open(): void;
  /** So many bytes came. Throws `ConnectionError` when they are more than may be. */
  received(bytes: number): void;
  /** So many of them are no longer held. */
  taken(bytes: number): void;
}

export function createReceiveWindow(output: Output, size: number): ReceiveWindow {
  let left = size;
  let toBeReturned = 0;
  return {
    open: () => output.windowUpdate(0, size - DEFAULT_WINDOW),
    received(bytes) {
      left -= bytes;
      if (left < 0) throw new ConnectionError(CODE.FLOW_CONTROL_ERROR, "more than the connection may send");
    },
    taken(bytes) {
      toBeReturned += bytes;
      if (toBeReturned < size / 2) return;
      output.windowUpdate(0, toBeReturned);
      left += toBeReturned;
      toBeReturned = 0;
    },
  };
}
