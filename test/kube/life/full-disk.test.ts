/** The disk below is full: whoever asks is told so, nothing that was promised is lost, and it goes on when there is room. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CLAIMS, type KubeClient } from "../../../src/kube/index.ts";
import { whyNoDisks } from "../../../src/node/filesystem/testing/scratch-disk.ts";
import { aPlace, startUp } from "./program.ts";
import { waitFor } from "./scene.ts";

const spec = { accessModes: ["ReadWriteOnce"], storageClassName: "memory" };
const resources = { requests: { storage: "1Gi" } };

async function create(client: KubeClient, name: string): Promise<void> {
  await client.create(CLAIMS, { metadata: { name, namespace: "default" }, spec: { ...spec, resources } });
}

async function isBound(client: KubeClient, name: string): Promise<void> {
  let phase = "";
  const isSo = async (): Promise<boolean> => {
    phase = (await client.get(CLAIMS, { namespace: "default", name })).status?.phase ?? "";
    return phase === "Bound";
  };
  await waitFor(`claim ${name} to be bound`, isSo, () => phase);
}

test("a full disk is said, and everything that was acknowledged is there when there is room again", async ({
  skip,
}) => {
  const why = whyNoDisks("ext4");
  skip(why !== undefined, why);
  using place = aPlace();
  mkdirSync(place.data);
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=32m", "outgrow-full-disk", place.data]);
  try {
    await using program = await startUp(place, "--driver", "memory");
    const { client } = program;
    await create(client, "before");
    await isBound(client, "before");
    const filler = join(place.data, "filler");
    expect(() => writeFileSync(filler, Buffer.alloc(64 * 2 ** 20))).toThrow("ENOSPC");

    const acknowledged: string[] = [];
    const fillUp = async (): Promise<void> => {
      for (let each = 0; each < 2_000; each++) {
        await create(client, `during-${each}`);
        acknowledged.push(`during-${each}`);
      }
    };
    await expect(fillUp()).rejects.toThrow(/full|no space|ENOSPC|disk/i);

    rmSync(filler);
    await create(client, "after");
    for (const name of ["before", "after", ...acknowledged]) await isBound(client, name);
    expect(await program.end("SIGTERM")).toBe(0);
  } finally {
    execFileSync("umount", ["--lazy", place.data]);
  }
});
