/**
 * Clients that are answered at length over HTTP/1.1. A timeout of Node's socket begins anew with whatever a client sends, so that one which
 * reads nothing, and says something now and then, would keep its answer in memory for as long as it likes.
 */
import type { ServerResponse } from "node:http";

/**
 * The timeout by which one that takes nothing is cut off after so long, and never before half of it. Node looks what is left to be written when a
 * timeout comes, and waits for another where it is not what it was; the first time it never is.
 */
export function timeoutFor(stalledMs: number): number {
  return stalledMs / 2;
}

/** Nothing is heard of the client until the returned function is called, which may be called twice. That it has gone shows where we write. */
export function hearNothing({ socket }: ServerResponse): () => void {
  let heard = false;
  // Not within the turn in which the request came: Node, done with that, begins to read the next.
  const pause = setImmediate(() => void socket?.pause());
  return () => {
    if (heard) return;
    heard = true;
    clearImmediate(pause);
    socket?.resume();
  };
}

/** The same until the answer is with the system, or the client has gone. */
export function hearNothingUntilSent(response: ServerResponse): void {
  response.once("close", hearNothing(response));
}
