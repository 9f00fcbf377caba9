/** Making the programs of a control plane, as a person at a terminal sees it. */
import { ensureAssets } from "./assets.ts";
import { AssetsUnavailable } from "./assets-unavailable.ts";

/**
 * The folder with the programs, or undefined when there is none; why not has then been printed. Progress goes to standard
 * error. Interrupting is safe: what is compiled so far is not compiled again.
 */
export async function prepareAssets(): Promise<string | undefined> {
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.once(signal, interrupt);
  try {
    return await ensureAssets((line) => console.error(line), process.env, interrupted.signal);
  } catch (error) {
    if (interrupted.signal.aborted) console.error("interrupted; what is compiled so far is kept for the next time");
    else if (error instanceof AssetsUnavailable) console.error(error.message);
    else console.error(error);
    return undefined;
  } finally {
    for (const signal of signals) process.removeListener(signal, interrupt);
  }
}
