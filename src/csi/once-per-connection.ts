/** What is asked of a driver once per connection, and remembered for as long as that connection stands. */
import { messageOf } from "../core/errors.ts";
import type { Connection } from "./connection.ts";
import { CsiError } from "./error.ts";
import { canceled } from "./failure.ts";

/**
 * A question that many may ask and that is sent once. Callers at the same time share one call; a failure is not
 * remembered; after the connection was lost the question is sent anew, for another version of the driver may be there.
 *
 * Failures are thrown as `Unavailable`, whatever the driver said (which stands in the text and in `cause`): that the
 * driver cannot tell what it is able to do decides nothing about a volume, so it must never pass for a final answer.
 */
export function oncePerConnection<T>(
  connection: Pick<Connection, "losses">,
  ask: () => Promise<T>,
): (signal?: AbortSignal) => Promise<T> {
  let held: { readonly losses: number; readonly answer: Promise<T> } | undefined;

  return (signal) => {
    if (held === undefined || held.losses !== connection.losses()) {
      const mine = { losses: connection.losses(), answer: ask() };
      held = mine;
      mine.answer.catch(() => {
        if (held === mine) held = undefined;
      });
    }
    const answer = held.answer.catch((error: unknown) => {
      throw new CsiError("Unavailable", `the driver does not say what it is: ${messageOf(error)}`, { cause: error });
    });
    return abortable(answer, signal);
  };
}

/** The promise, or `Canceled` as soon as the signal is aborted; what it waits for goes on. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(canceled(signal));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
