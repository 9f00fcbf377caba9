/** Secrets on a disk that is full: an error that names the file, and what was there stays. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  ensureCertificates,
  ensureCredentials,
  openDataFolder,
  writeKubeconfig,
} from "../../src/cluster/serving/index.ts";
import { temporaryFolder } from "../../src/cluster/store/testing/temporary-folder.ts";

const PAGE = 4096;

/** A file system of some pages at this folder, until it is disposed of; undefined when this process may not mount one. */
function mountSmallDisk(folder: string): Disposable | undefined {
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${16 * PAGE}`, "outgrow-test", folder]);
  if (mounted.status !== 0) return undefined;
  return { [Symbol.dispose]: () => void spawnSync("umount", ["--lazy", folder]) };
}

/** As much as there is room for. */
function fill(file: string): void {
  expect(() => writeFileSync(file, Buffer.alloc(32 * PAGE))).toThrow(expect.objectContaining({ code: "ENOSPC" }));
}

test("a full disk is told by the file that has no room, and with space again all goes on", async (context) => {
  using parent = temporaryFolder();
  using disk = mountSmallDisk(parent.path);
  context.skip(disk === undefined, "mounting a small file system is not allowed here");
  const folder = openDataFolder(parent.join("data"));
  const access = { server: "https://127.0.0.1:1", ca: "", token: "before" };
  writeKubeconfig(folder.kubeconfig, access);
  const before = readFileSync(folder.kubeconfig, "utf8");

  fill(parent.join("ballast"));
  const full = (file: string) => ({
    code: "FILE_UNUSABLE",
    message: expect.stringMatching(new RegExp(`^${file} cannot be written: ENOSPC: no space left`)) as string,
  });
  expect(() => ensureCertificates(folder, Date.now())).toThrow(expect.objectContaining(full(folder.caKey)));
  expect(() => ensureCredentials(folder)).toThrow(expect.objectContaining(full(folder.serviceAccountKey)));
  expect(() => writeKubeconfig(folder.kubeconfig, { ...access, token: "after" })).toThrow(
    expect.objectContaining(full(folder.kubeconfig)),
  );
  expect(readdirSync(folder.path)).toEqual(["outgrow.kubeconfig"]);
  expect(readFileSync(folder.kubeconfig, "utf8")).toBe(before);

  rmSync(parent.join("ballast"));
  const made = ensureCertificates(folder, Date.now());
  expect(ensureCertificates(folder, Date.now())).toEqual(made);
});
