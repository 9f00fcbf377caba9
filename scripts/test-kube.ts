/**
 * `npm run test:kube [-- FILTER...]`: the suites that need a real Kubernetes control plane. Makes its programs first;
 * that takes a second, or some eight minutes the first time. Filters and options are handed on to vitest.
 */
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureAssets } from "../test/kube/assets.ts";
import { AssetsUnavailable } from "../test/kube/assets-unavailable.ts";

const root = dirname(import.meta.dirname);
const vitest = join(dirname(fileURLToPath(import.meta.resolve("vitest/package.json"))), "vitest.mjs");

const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => interrupted.abort());

try {
  const folder = await ensureAssets((line) => console.error(line), process.env, interrupted.signal);
  console.error(`running the Kubernetes suites with the programs in ${folder}`);
  process.exitCode = await runSuites(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof AssetsUnavailable ? error.message : error);
  process.exitCode = 1;
}

async function runSuites(args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [vitest, "run", "--config", "test/kube/vitest.config.ts", ...args], {
    cwd: root,
    stdio: "inherit",
  });
  interrupted.signal.addEventListener("abort", () => child.kill("SIGTERM"));
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("exit", (code) => resolve(code ?? 1));
  });
}
