import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ensureAssets, findAssets } from "./assets.ts";
import { PROGRAMS, pinnedVersion } from "./kube-module.ts";

const run = promisify(execFile);
const silent = () => {};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "outgrow-assets-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Programs that know their version and nothing else. */
async function makePrograms(version: string, names: readonly string[] = PROGRAMS): Promise<string> {
  const given = join(folder, "given");
  await mkdir(given);
  for (const name of names) {
    await writeFile(join(given, name), `#!/bin/sh\necho "Kubernetes v${version}"\n`);
    await chmod(join(given, name), 0o755);
  }
  return given;
}

describe("programs that are given with KUBEBUILDER_ASSETS", () => {
  it("are used when they are of the wanted minor release", async () => {
    const given = await makePrograms(`${pinnedVersion().split(".").slice(0, 2).join(".")}.99`);
    expect(await ensureAssets(silent, { KUBEBUILDER_ASSETS: given })).toBe(given);
    expect(findAssets(undefined, { KUBEBUILDER_ASSETS: given })).toBe(given);
  });

  it("are refused when they are of another, unless that is the one asked for", async () => {
    const given = await makePrograms("1.30.2");
    await expect(ensureAssets(silent, { KUBEBUILDER_ASSETS: given })).rejects.toThrow(
      `is version 1.30.2, but ${pinnedVersion()} is wanted; set OUTGROW_KUBE_VERSION=1.30.2 to run on it on purpose`,
    );
    expect(await ensureAssets(silent, { KUBEBUILDER_ASSETS: given, OUTGROW_KUBE_VERSION: "1.30.2" })).toBe(given);
  });

  it("are named when they are missing", async () => {
    const given = await makePrograms(pinnedVersion(), ["kube-apiserver", "etcd", "kubectl"]);
    await expect(ensureAssets(silent, { KUBEBUILDER_ASSETS: given })).rejects.toThrow(
      `KUBEBUILDER_ASSETS is ${given}, which lacks kube-controller-manager; add them, or unset it`,
    );
  });

  it("must be executable", async () => {
    const given = await makePrograms(pinnedVersion());
    await chmod(join(given, "etcd"), 0o644);
    await expect(ensureAssets(silent, { KUBEBUILDER_ASSETS: given })).rejects.toThrow("etcd cannot be executed");
  });
});

describe("programs that are built", () => {
  it("are in the user's cache, each release in a folder of its own", async () => {
    const find = (version?: string) => {
      try {
        return findAssets(version, { XDG_CACHE_HOME: folder });
      } catch (error) {
        return String(error);
      }
    };
    expect(find()).toContain("are not built yet; run `npm run kube:assets` first");
    expect(find("1.34.4")).toContain("run `OUTGROW_KUBE_VERSION=1.34.4 npm run kube:assets` first");
  });

  it("cannot be made without Go: what is missing is said, and how to get it, and the exit code is 1", async () => {
    const script = join(import.meta.dirname, "../../scripts/kube-assets.ts");
    const env = { PATH: folder, HOME: folder };
    const failed: unknown = await run(process.execPath, [script], { env }).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^kube-apiserver, [^]*install Go 1\.26 or later[^]*set KUBEBUILDER_ASSETS/),
    });
  });
});
