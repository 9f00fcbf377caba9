/** Making the programs of a control plane, as a person at a terminal sees it. */
import { ensureAssets } from "./assets.ts";
import { AssetsUnavailable } from "./assets-unavailable.ts";
import { ensureTools } from "./tools.ts";

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
    const folder = await ensureAssets((line) => console.error(line), process.env, interrupted.signal);
    await prepareTools(interrupted.signal);
    return folder;
  } catch (error) {
    if (interrupted.signal.aborted) console.error("interrupted; what is compiled so far is kept for the next time");
    else if (error instanceof AssetsUnavailable) console.error(error.message);
    else console.error(error);
    return undefined;
  } finally {
    for (const signal of signals) process.removeListener(signal, interrupt);
  }
}

/** Where these cannot be built, the suites that run them fail and say so; all others need them not. */
async function prepareTools(signal: AbortSignal): Promise<void> {
  try {
    await ensureTools((line) => console.error(line), process.env, signal);
  } catch (error) {
    if (!(error instanceof AssetsUnavailable)) throw error;
    console.error(error.message);
  }
}
