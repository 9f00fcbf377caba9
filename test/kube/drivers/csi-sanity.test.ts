/** Our drivers as csi-test's own suite sees them. */
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type DriverKind, openScene, whyNot } from "../../../src/cluster/drivers/testing/scene.ts";
import { listLoops, readMounts } from "../../../src/node/filesystem/index.ts";
import { whyNoDisks } from "../../../src/node/filesystem/testing/scratch-disk.ts";
import { sanityProgram, whyNoSanity } from "../csi-sanity/sanity-program.ts";

const BUILDING_TAKES = 10 * 60_000;

let noSanity: string | undefined;
beforeAll(async () => {
  noSanity = await whyNoSanity();
  if (noSanity === undefined) await sanityProgram();
}, BUILDING_TAKES);

interface Trial {
  readonly kind: DriverKind;
  readonly fsType?: "ext4" | "xfs" | "btrfs";
  readonly access?: "mount" | "block";
}

describe("csi-sanity finds nothing to complain about", () => {
  test.for<Trial>([
    { kind: "memory" },
    { kind: "memory", access: "block" },
    { kind: "folders" },
    { kind: "devices", fsType: "ext4" },
    { kind: "devices", fsType: "xfs" },
    { kind: "devices", fsType: "btrfs" },
    { kind: "devices", access: "block" },
  ])("%o", async ({ kind, fsType = "ext4", access = "mount" }, { skip }) => {
    const why = noSanity ?? whyNot(kind) ?? (kind === "devices" ? whyNoDisks(fsType) : undefined);
    skip(why !== undefined, why);
    const scene = await openScene(kind);
    try {
      const parameters = join(scene.folder, "parameters.yaml");
      writeFileSync(parameters, `fsType: ${fsType}\n`);
      mkdirSync(join(scene.folder, "sanity"));
      const flags = {
        endpoint: join(scene.folder, "csi.sock"),
        stagingdir: join(scene.folder, "sanity", "staging"),
        mountdir: join(scene.folder, "sanity", "target"),
        testvolumeparameters: parameters,
        testvolumeaccesstype: access,
      };
      const { code, output } = await runSanity(Object.entries(flags).map(([name, value]) => `--csi.${name}=${value}`));
      expect(code, output).toBe(0);
      expect(Number(/(\d+) Passed/.exec(output)?.[1])).toBeGreaterThan(40);
      expect(await scene.client.listVolumes()).toEqual([]);
      await scene.stop();
      expect((await listLoops()).filter(({ file }) => file.startsWith(scene.folder))).toEqual([]);
      expect((await readMounts()).filter(({ path }) => path.startsWith(scene.folder))).toEqual([]);
    } finally {
      await scene.end();
    }
  });
});

async function runSanity(flags: readonly string[]): Promise<{ code: number; output: string }> {
  const program = await sanityProgram();
  return new Promise((resolve) => {
    execFile(program, ["--ginkgo.no-color", ...flags], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, output: `${stdout}\n${stderr}` });
    });
  });
}
