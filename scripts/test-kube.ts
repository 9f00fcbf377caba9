/**
 * `npm run test:kube [-- FILTER...]`: the suites that need a real Kubernetes control plane. Makes its programs first;
 * that takes a second, or some eight minutes the first time. Filters and options are handed on to vitest.
 */
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { prepareAssets } from "../test/kube/prepare-assets.ts";

const folder = await prepareAssets();
if (folder === undefined) {
  process.exitCode = 1;
} else {
  console.error(`running the Kubernetes suites with the programs in ${folder}`);
  process.exitCode = await runSuites(process.argv.slice(2));
}

async function runSuites(args: readonly string[]): Promise<number> {
  const vitest = join(dirname(fileURLToPath(import.meta.resolve("vitest/package.json"))), "vitest.mjs");
  const child = spawn(process.execPath, [vitest, "run", "--config", "test/kube/vitest.config.ts", ...args], {
    cwd: dirname(import.meta.dirname),
    stdio: "inherit",
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("exit", (code) => resolve(code ?? 1));
  });
}
