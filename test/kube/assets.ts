/**
 * Where the programs of a control plane are: kube-apiserver, kube-controller-manager, etcd and kubectl.
 *
 * Two environment variables choose. `KUBEBUILDER_ASSETS` names a folder that has the four programs. Without it they are
 * built from Go modules into the user's cache, at the release in `OUTGROW_KUBE_VERSION`, or else the one that go.mod
 * here pins.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { constants, existsSync, readFileSync } from "node:fs";
import { access, mkdir, readdir, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { buildAssets, requireGo } from "./asset-build.ts";
import { AssetsUnavailable } from "./assets-unavailable.ts";
import { exclusively } from "./exclusive.ts";
import { buildFlags, PACKAGES, PINNED_MODULE, PROGRAMS, pinnedVersion } from "./kube-module.ts";
import { wantedVersion } from "./releases.ts";

const run = promisify(execFile);

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The folder with the four programs; nothing is built. A `version` that is given wins over the environment. Throws
 * `AssetsUnavailable` when they are not there yet.
 */
export function findAssets(version?: string, env: Environment = process.env): string {
  const given = version === undefined ? givenFolder(env) : undefined;
  const folder = given ?? cacheFolder(wantedVersion(version, env), env);
  const missing = PROGRAMS.filter((name) => !existsSync(join(folder, name)));
  if (missing.length === 0) return folder;
  const names = missing.join(", ");
  if (given !== undefined) {
    throw new AssetsUnavailable(
      `KUBEBUILDER_ASSETS is ${given}, which lacks ${names}; add them, or unset it to build all from Go modules`,
    );
  }
  const release = version === undefined ? "" : `OUTGROW_KUBE_VERSION=${version} `;
  throw new AssetsUnavailable(`${names} are not built yet; run \`${release}npm run kube:assets\` first`);
}

/**
 * The folder with the four programs, built first where needed: a second or eight minutes. May be interrupted and run
 * several times at once. `log` is told about progress. Throws `AssetsUnavailable` when it cannot be done here.
 */
export async function ensureAssets(
  log: (line: string) => void,
  env: Environment = process.env,
  signal?: AbortSignal,
): Promise<string> {
  const wanted = wantedVersion(undefined, env);
  if (givenFolder(env) !== undefined) {
    const folder = findAssets(undefined, env);
    await checkGiven(folder, wanted);
    return folder;
  }
  const folder = cacheFolder(wanted, env);
  if (existsSync(folder)) return folder;
  await requireGo(signal);
  await mkdir(dirname(folder), { recursive: true });
  const build = async () => {
    if (existsSync(folder)) return;
    await removeLeftovers(folder);
    const workFolder = `${folder}.building-${process.pid}`;
    try {
      await buildAssets(wanted, folder, workFolder, log, signal);
    } finally {
      await rm(workFolder, { recursive: true, force: true });
    }
  };
  const onWait = () => log(`another process is building Kubernetes ${wanted}; waiting for it`);
  await exclusively(`${folder}.lock`, build, onWait, signal);
  return folder;
}

function givenFolder(env: Environment): string | undefined {
  return env["KUBEBUILDER_ASSETS"] === "" ? undefined : env["KUBEBUILDER_ASSETS"];
}

/** Everything that decides what is built is in the folder's name, so that a changed pin never meets an old binary. */
function cacheFolder(version: string, env: Environment): string {
  const hash = createHash("sha256").update(JSON.stringify([PACKAGES, buildFlags(version)]));
  hash.update(`${process.platform} ${process.arch}`);
  if (version === pinnedVersion()) {
    for (const file of ["go.mod", "go.sum"]) hash.update(readFileSync(join(PINNED_MODULE, file)));
  }
  const cache = env["XDG_CACHE_HOME"] || join(env["HOME"] ?? homedir(), ".cache");
  return join(cache, "outgrow", "kube", `${version}-${hash.digest("hex").slice(0, 12)}`);
}

/** What earlier builds of this folder left behind when they were killed. The caller holds the lock. */
async function removeLeftovers(folder: string): Promise<void> {
  const prefix = `${basename(folder)}.building-`;
  for (const name of await readdir(dirname(folder))) {
    if (name.startsWith(prefix)) await rm(join(dirname(folder), name), { recursive: true, force: true });
  }
}

/** Programs that somebody else made must run here, and be of the minor release that the suites are meant for. */
async function checkGiven(folder: string, wanted: string): Promise<void> {
  for (const name of PROGRAMS) {
    const file = join(folder, name);
    await access(file, constants.X_OK).catch((error: unknown) => {
      throw new AssetsUnavailable(`${file} cannot be executed; chmod +x it`, error);
    });
    const { stdout } = await run(file, name === "kubectl" ? ["version", "--client"] : ["--version"]).catch(
      (error: unknown) => {
        throw new AssetsUnavailable(`${file} does not run on this machine: ${String(error)}`, error);
      },
    );
    if (name === "etcd") continue;
    const found = /v(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1] ?? "unknown";
    if (minorOf(found) === minorOf(wanted)) continue;
    throw new AssetsUnavailable(
      `${file} is version ${found}, but ${wanted} is wanted; ` +
        `set OUTGROW_KUBE_VERSION=${found} to run on it on purpose, or unset KUBEBUILDER_ASSETS`,
    );
  }
}

function minorOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}
