/** What both drivers promise, whatever their volumes are made of. */
import { existsSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CSI_CODES, volumeCapability } from "../../csi/index.ts";
import type { MemoryDriver } from "./index.ts";
import { failure } from "./testing/looking.ts";
import { DRIVER_KINDS, MI, openScene, type Scene, whyNot } from "./testing/scene.ts";

const PATIENTLY = { timeout: 15_000 };

describe.each(DRIVER_KINDS)("%s", (kind) => {
  let scene: Scene;
  let open: Scene | undefined;
  beforeEach(async ({ skip }) => {
    const why = whyNot(kind);
    skip(why !== undefined, why);
    scene = await openScene(kind);
    open = scene;
  });
  afterEach(async () => {
    await open?.end();
    open = undefined;
  });

  test("tells who it is and what it can do", async () => {
    const { client } = scene;
    await client.waitUntilReady();
    const name = kind === "memory" ? "memory.csi.outgrow.dev" : "loop.csi.outgrow.dev";
    expect(await client.pluginInfo()).toEqual({ name, version: "test" });
    expect([...(await client.controllerCapabilities())]).toContain("EXPAND_VOLUME");
    expect([...(await client.nodeCapabilities())].sort()).toEqual([
      "EXPAND_VOLUME",
      "GET_VOLUME_STATS",
      "STAGE_UNSTAGE_VOLUME",
    ]);
    expect(await client.nodeInfo()).toMatchObject({ nodeId: "here" });
  });

  describe("a volume's life", () => {
    test("every call may be made twice", async () => {
      for (const twice of [1, 2]) {
        expect(await scene.create("v"), `${twice}`).toMatchObject({ volumeId: "v", capacityBytes: 16n * MI });
      }
      for (let twice = 0; twice < 2; twice++) await scene.use("v");
      expect(existsSync(scene.target("v"))).toBe(true);
      for (let twice = 0; twice < 2; twice++) {
        expect(await scene.controllerExpand("v", 32n * MI)).toEqual({
          capacityBytes: 32n * MI,
          nodeExpansionRequired: true,
        });
      }
      for (let twice = 0; twice < 2; twice++) expect(await scene.nodeExpand("v", 32n * MI)).toBe(32n * MI);
      for (let twice = 0; twice < 2; twice++) await scene.unuse("v");
      expect(existsSync(scene.target("v"))).toBe(false);
      for (let twice = 0; twice < 2; twice++) await scene.client.deleteVolume({ volumeId: "v" });
      expect(await scene.client.listVolumes()).toEqual([]);
    });

    test("a smaller size than it has changes nothing: it never shrinks", async () => {
      await scene.create("v", { bytes: 32n * MI });
      expect(await scene.controllerExpand("v", MI)).toMatchObject({ capacityBytes: 32n * MI });
      expect((await scene.client.listVolumes())[0]).toMatchObject({ capacityBytes: 32n * MI });
    });

    test("the same name with another size, use or parameter is AlreadyExists", async () => {
      await scene.create("v");
      await expect(scene.create("v", { bytes: 64n * MI })).rejects.toEqual(
        failure("AlreadyExists", "16777216 bytes large"),
      );
      await expect(scene.create("v", { block: true })).rejects.toEqual(failure("AlreadyExists", "a mount volume"));
      await expect(scene.create("v", { parameters: { online: "false" } })).rejects.toEqual(
        failure("AlreadyExists", "other parameters"),
      );
    });

    test("parameters are checked at once, and stay with the volume as its context", async () => {
      await expect(scene.create("v", { parameters: { nodelimit: "1Gi" } })).rejects.toEqual(
        failure("InvalidArgument", "parameter nodelimit is not known"),
      );
      const parameters = { nodeLimit: "64Mi", "csi.storage.k8s.io/pv/name": "v" };
      expect((await scene.create("v", { parameters })).volumeContext).toEqual(parameters);
    });

    test("what is in use is not deleted, and what is published is not unstaged", async () => {
      await scene.create("v");
      await scene.use("v");
      await expect(scene.client.deleteVolume({ volumeId: "v" })).rejects.toEqual(
        failure("FailedPrecondition", "still staged"),
      );
      await expect(scene.client.nodeUnstage({ volumeId: "v", stagingPath: scene.stagingPath("v") })).rejects.toEqual(
        failure("FailedPrecondition", "still published"),
      );
    });

    test("what was not staged is not published, and there is only one way to be published", async () => {
      await scene.create("v");
      await expect(scene.publish("v")).rejects.toEqual(failure("FailedPrecondition", "stage it first"));
      await scene.use("v");
      await expect(scene.publish("v", { readOnly: true })).rejects.toEqual(failure("AlreadyExists", "in another way"));
      await expect(scene.stage("v", { block: true })).rejects.toEqual(failure("InvalidArgument", "is a mount volume"));
    });

    test("what is not there is NotFound, or gone as was wished", async () => {
      const { client } = scene;
      await expect(scene.controllerExpand("v", MI)).rejects.toEqual(failure("NotFound"));
      await expect(scene.stage("v")).rejects.toEqual(failure("NotFound"));
      await expect(scene.nodeExpand("v", MI)).rejects.toEqual(failure("NotFound"));
      await scene.unuse("v");
      await client.deleteVolume({ volumeId: "v" });
      await scene.create("v");
      await expect(client.nodeGetVolumeStats({ volumeId: "v", volumePath: "/elsewhere" })).rejects.toEqual(
        failure("NotFound", "volume v is not at /elsewhere"),
      );
    });

    test("capabilities are confirmed, or the reason is given", async () => {
      await scene.create("v");
      const validate = (volumeMode: "Filesystem" | "Block", fsType = "") =>
        scene.client.validateCapabilities({
          volumeId: "v",
          capabilities: [volumeCapability({ accessModes: ["ReadWriteMany"], volumeMode, fsType }, false)],
        });
      expect(await validate("Filesystem")).toBeUndefined();
      expect(await validate("Filesystem", "ext4")).toBeUndefined();
      expect(await validate("Filesystem", "xfs")).toBe("its file system is ext4, not xfs");
      expect(await validate("Block")).toBe("it is a mount volume");
    });

    test("a raw block volume is published as a file, and grows too", async () => {
      await scene.create("v", { block: true });
      await scene.use("v", { block: true });
      await scene.controllerExpand("v", 32n * MI);
      expect(await scene.nodeExpand("v", 32n * MI)).toBe(32n * MI);
      const stats = await scene.client.nodeGetVolumeStats({ volumeId: "v", volumePath: scene.target("v") });
      expect(stats.bytes?.total).toBe(32n * MI);
      await scene.unuse("v");
      expect(existsSync(scene.target("v"))).toBe(false);
    });
  });

  describe("a class may ask for", () => {
    const grow = async (parameters: Record<string, string>, bytes = 32n * MI): Promise<void> => {
      await scene.create("v", { parameters });
      await scene.use("v");
      await scene.controllerExpand("v", bytes);
    };

    test("sizes in steps (roundTo)", async () => {
      expect(await scene.create("v", { bytes: MI, parameters: { roundTo: "20M" } })).toMatchObject({
        capacityBytes: 20_000_000n,
      });
      expect(await scene.controllerExpand("v", 20_000_001n)).toMatchObject({ capacityBytes: 40_000_000n });
      await expect(
        scene.client.controllerExpand({ volumeId: "v", requiredBytes: 40_000_001n, limitBytes: 50_000_000n }),
      ).rejects.toEqual(failure("OutOfRange", "above the limit of 50000000"));
    });

    // The rules are the same for all; the one that has no disks to wait for tries them all.
    test.each(kind === "memory" ? CSI_CODES : (["OutOfRange"] as const))(
      "the controller half to fail with %s above a size, and to be well below it",
      async (code) => {
        const parameters = { controllerLimit: "40Mi", controllerError: code };
        await grow(parameters);
        await expect(scene.controllerExpand("v", 48n * MI)).rejects.toEqual(failure(code, "above 41943040 bytes"));
        expect(await scene.controllerExpand("v", 40n * MI)).toMatchObject({ capacityBytes: 40n * MI });
      },
    );

    test.each(["OutOfRange", "Internal", "Unavailable"])(
      "the node half to fail with %s above a size: a smaller wish then succeeds",
      async (code) => {
        await grow({ nodeLimit: "40Mi", nodeError: code }, 64n * MI);
        await expect(scene.nodeExpand("v", 64n * MI)).rejects.toEqual(failure(code, "the node half fail above"));
        // Nor does a restart of the pod get around it.
        await scene.unuse("v");
        await scene.use("v");
        await expect(scene.nodeExpand("v", 64n * MI)).rejects.toEqual(failure(code));
        expect(await scene.nodeExpand("v", 40n * MI)).toBe(64n * MI);
      },
    );

    test("no controller half: the promise is the node's to keep, and can be taken back until it is kept", async () => {
      await grow({ controllerExpansion: "false", nodeLimit: "40Mi" }, 64n * MI);
      await expect(scene.nodeExpand("v", 64n * MI)).rejects.toEqual(failure("OutOfRange"));
      expect(await scene.controllerExpand("v", 36n * MI)).toEqual({
        capacityBytes: 36n * MI,
        nodeExpansionRequired: true,
      });
      expect(await scene.nodeExpand("v", 36n * MI)).toBe(36n * MI);
      expect(await scene.controllerExpand("v", 16n * MI)).toMatchObject({ capacityBytes: 36n * MI });
    });

    test("no controller half: a promise is also kept when the volume is next staged", async () => {
      await scene.create("v", { parameters: { controllerExpansion: "false", online: "false" } });
      await scene.use("v");
      await scene.controllerExpand("v", 32n * MI);
      await expect(scene.nodeExpand("v", 32n * MI)).rejects.toEqual(failure("FailedPrecondition"));
      await scene.unuse("v");
      await scene.use("v");
      expect(await scene.nodeExpand("v", 32n * MI)).toBe(32n * MI);
    });

    test("no node half: the controller does it all", async () => {
      await grow({ nodeExpansion: "false" });
      expect(await scene.controllerExpand("v", 32n * MI)).toMatchObject({ nodeExpansionRequired: false });
      const { bytes } = await scene.client.nodeGetVolumeStats({ volumeId: "v", volumePath: scene.target("v") });
      expect(bytes?.total).toBeGreaterThan(24n * MI);
    });

    test("neither half", async () => {
      await expect(grow({ controllerExpansion: "false", nodeExpansion: "false" })).rejects.toEqual(
        failure("Unimplemented", "parameter controllerExpansion"),
      );
      await expect(scene.nodeExpand("v", 16n * MI + 1n)).rejects.toEqual(
        failure("Unimplemented", "parameter nodeExpansion"),
      );
    });

    test("growth only while nobody uses the volume (online)", async () => {
      await scene.create("v", { parameters: { online: "false" } });
      await scene.use("v");
      await expect(scene.controllerExpand("v", 32n * MI)).rejects.toEqual(
        failure("FailedPrecondition", `volume v is in use at ${scene.target("v")}`),
      );
      await scene.unuse("v");
      await scene.controllerExpand("v", 32n * MI);
      await scene.use("v");
      // Staging has grown it already: there is nothing left to refuse.
      expect(await scene.nodeExpand("v", 32n * MI)).toBe(32n * MI);
    });

    test("a delay beyond all patience does not keep the driver from stopping", async () => {
      await scene.create("v", { parameters: { delay: "24h" } });
      const asked = scene.controllerExpand("v", 32n * MI).catch((error: unknown) => error);
      await expect(scene.client.deleteVolume({ volumeId: "v" })).rejects.toEqual(failure("Aborted"));
      await scene.stop();
      expect(await asked).toEqual(failure("Unavailable"));
    });
  });

  describe("after a restart", () => {
    test("volumes are as they were, and nobody uses them", async () => {
      await scene.create("v", { parameters: { controllerLimit: "40Mi", online: "false" } });
      await scene.controllerExpand("v", 32n * MI);
      await scene.use("v");
      await scene.stop();
      expect(existsSync(scene.target("v"))).toBe(false);
      await scene.start();
      expect(await scene.client.listVolumes()).toMatchObject([{ volumeId: "v", capacityBytes: 32n * MI }]);
      await expect(scene.publish("v")).rejects.toEqual(failure("FailedPrecondition", "stage it first"));
      expect(await scene.controllerExpand("v", 36n * MI)).toMatchObject({ capacityBytes: 36n * MI });
      await expect(scene.controllerExpand("v", 48n * MI)).rejects.toEqual(failure("OutOfRange"));
      await scene.use("v");
      expect(await scene.nodeExpand("v", 36n * MI)).toBe(36n * MI);
    });
  });
});

describe("memory", () => {
  test("expansions that take a while (delay): a second call is Aborted, and the work goes on without its caller", async () => {
    const scene = await openScene("memory");
    try {
      await scene.create("v", { parameters: { delay: "4s" } });
      const impatient = scene.client.controllerExpand({ volumeId: "v", requiredBytes: 32n * MI, timeoutMs: 1000 });
      await expect(impatient).rejects.toEqual(failure("DeadlineExceeded"));
      await expect(scene.controllerExpand("v", 32n * MI)).rejects.toEqual(failure("Aborted", "under way already"));
      await expect.poll(async () => (await scene.client.listVolumes())[0]?.capacityBytes, PATIENTLY).toBe(32n * MI);
    } finally {
      await scene.end();
    }
  });

  test("is as full as it is told to be, and takes in volumes of others", async () => {
    const scene = await openScene("memory");
    try {
      const driver = scene.driver() as MemoryDriver;
      await driver.adopt({
        volumeId: "projects/p/disks/d",
        capacityBytes: 100n,
        parameters: { nodeError: "Internal" },
      });
      await driver.adopt({ volumeId: "v", capacityBytes: 100n });
      await driver.adopt({ volumeId: "v", capacityBytes: 1n });
      await scene.use("v");
      const used = async () =>
        (await scene.client.nodeGetVolumeStats({ volumeId: "v", volumePath: scene.target("v") })).bytes;
      expect(await used()).toEqual({ total: 100n, used: 0n, available: 100n });
      driver.setUsage("v", 80n);
      expect(await used()).toEqual({ total: 100n, used: 80n, available: 20n });
      driver.setUsage("v", 800n);
      expect(await used()).toEqual({ total: 100n, used: 100n, available: 0n });
      expect(() => driver.setUsage("w", 1n)).toThrow(failure("NotFound"));
      expect(await scene.client.listVolumes()).toHaveLength(2);
    } finally {
      await scene.end();
    }
  });
});
