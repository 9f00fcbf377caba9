/** Builds the programs of a control plane from Go modules. */
import { execFile, spawn } from "node:child_process";
import { copyFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { AssetsUnavailable } from "./assets-unavailable.ts";
import { buildFlags, moduleFor, PACKAGES, PINNED_MODULE, PROGRAMS, pinnedVersion } from "./kube-module.ts";

const run = promisify(execFile);

/** How often a long build says that it is still at it. */
const PROGRESS_EVERY = 15_000;

/** One binary that runs anywhere, whether or not there is a C compiler here. */
const GO_ENVIRONMENT = { CGO_ENABLED: "0", GOWORK: "off" };

/**
 * Fills `folder`, which must not exist, with the programs of that Kubernetes release. They are built in `workFolder`,
 * and the finished folder appears at once, so that it is either whole or not there. The caller removes `workFolder`,
 * and sees to it that nobody else uses it.
 */
export async function buildAssets(
  version: string,
  folder: string,
  workFolder: string,
  log: (line: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  const output = join(workFolder, "bin");
  await mkdir(output, { recursive: true });
  const module = version === pinnedVersion() ? PINNED_MODULE : await deriveModule(version, workFolder, log, signal);

  log(`building Kubernetes ${version} from Go modules; the first time takes some eight minutes on two cores`);
  const packages = PROGRAMS.map((name) => PACKAGES[name].package);
  await runGo(["build", "-v", ...buildFlags(version), "-o", `${output}/`, ...packages], module, log, signal);
  for (const name of PROGRAMS) await rename(join(output, PACKAGES[name].builtAs), join(output, name));
  await rename(output, folder);
}

/** Writes a module for a release that is not pinned here; its checksums are vouched for by Go's checksum database. */
async function deriveModule(
  version: string,
  workFolder: string,
  log: (line: string) => void,
  signal?: AbortSignal,
): Promise<string> {
  const module = join(workFolder, "module");
  await mkdir(module);
  log(`asking for the modules of Kubernetes ${version}`);
  const { stdout } = await run("go", ["mod", "download", "-json", `k8s.io/kubernetes@v${version}`], {
    cwd: module,
    env: { ...process.env, ...GO_ENVIRONMENT },
    signal,
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new AssetsUnavailable(`Kubernetes ${version} cannot be had as a Go module: ${reasonOf(error)}`, error);
  });
  const { GoMod } = JSON.parse(stdout) as { GoMod: string };
  await writeFile(join(module, "go.mod"), moduleFor(version, await readFile(GoMod, "utf8")));
  await copyFile(join(PINNED_MODULE, "tools.go"), join(module, "tools.go"));
  await runGo(["mod", "tidy"], module, log, signal);
  return module;
}

/** Runs go, telling of progress by the packages and modules that it names; its last lines make the error. */
export async function runGo(
  args: readonly string[],
  cwd: string,
  log: (line: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  const started = performance.now();
  const child = spawn("go", args, {
    cwd,
    env: { ...process.env, ...GO_ENVIRONMENT },
    stdio: ["ignore", "ignore", "pipe"],
    signal,
  });
  const tail: string[] = [];
  let downloads = 0;
  let packages = 0;
  createInterface({ input: child.stderr }).on("line", (line) => {
    if (line.startsWith("go: downloading ")) downloads++;
    else if (/^[\w.-]+(\/\S+)*$/.test(line)) packages++;
    else tail.push(line);
    if (tail.length > 20) tail.shift();
  });
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - started) / 1000);
    log(`  ${seconds} s: ${downloads} modules fetched, ${packages} packages compiled`);
  }, PROGRESS_EVERY);
  try {
    const { promise, resolve, reject } = Promise.withResolvers<number | null>();
    child.once("error", reject);
    child.once("close", resolve);
    const code = await promise;
    if (code !== 0) throw new AssetsUnavailable(`go ${args[0]} failed:\n${tail.join("\n")}`);
  } finally {
    clearInterval(timer);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error && "stderr" in error ? String(error.stderr).trim() : String(error);
}

/** Throws `AssetsUnavailable` where there is no Go to build with. */
export async function requireGo(signal?: AbortSignal): Promise<void> {
  await run("go", ["version"], { signal }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new AssetsUnavailable(
      [
        "kube-apiserver, kube-controller-manager, etcd and kubectl are missing. Either",
        "  - install Go 1.26 or later (https://go.dev/dl) and run `npm run kube:assets`, which builds them",
        "    (about eight minutes and 4 GB the first time), or",
        "  - put the four programs into one folder and set KUBEBUILDER_ASSETS to it.",
      ].join("\n"),
      error,
    );
  });
}
