/** `npm run kube:assets`: makes the programs of a control plane and prints the folder that has them. See test/kube/. */
import { ensureAssets } from "../test/kube/assets.ts";
import { AssetsUnavailable } from "../test/kube/assets-unavailable.ts";

const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => interrupted.abort());

try {
  console.log(await ensureAssets((line) => console.error(line), process.env, interrupted.signal));
} catch (error) {
  if (interrupted.signal.aborted) console.error("interrupted; what is compiled so far is kept for the next time");
  else if (error instanceof AssetsUnavailable) console.error(error.message);
  else console.error(error);
  process.exitCode = 1;
}
