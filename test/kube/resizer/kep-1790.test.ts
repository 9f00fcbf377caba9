/**
 * The user flow stories of KEP-1790, told to a real API server with a real quota, a real resizer and a scripted driver;
 * the kubelet's half is played by our own node rules. The names of states are those of Kubernetes today: what the text
 * calls `Failed` is `Infeasible`.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Quantity } from "../../../src/core/quantity.ts";
import type { ResourceQuota } from "../../../src/core/types.ts";
import type { Script } from "../../../src/csi/testing/index.ts";
import { ApiRefusal } from "../api.ts";
import { createStorageQuota } from "../fixtures.ts";
import { waitFor } from "../wait.ts";
import { recordHistory } from "./claim-history.ts";
import { startNodeHalf } from "./node-half.ts";
import type { ResizerProcess } from "./resizer-process.ts";
import { openStage, type Scene, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ controllers: ["resourcequota-controller"] });
});
afterAll(() => stage.stop());

const Gi = 1n << 30n;
const FLAGS = ["--retry-interval-start=100ms"];

interface Story extends AsyncDisposable {
  readonly scene: Scene;
  readonly resizer: ResizerProcess;
  /** Waits until quota counts this much as used. */
  readonly quota: (used: string) => Promise<void>;
  /** Lets the driver, which is slowly expanding, come to its end. */
  letDriverFinish(): void;
  /** Waits until the driver is slowly expanding. */
  driverIsBusy(): Promise<void>;
}

/** Case 0: a claim of this size, in a namespace whose quota is 500Gi. `slow`: the driver works until it is let go. */
async function tell(name: string, size: string, script: Script = {}, slow = false): Promise<Story> {
  const gate = Promise.withResolvers<void>();
  if (!slow) gate.resolve();
  let busy = false;
  const resources = new AsyncDisposableStack();
  const history = resources.use(await recordHistory(stage.plane, name));
  const scene = resources.use(
    await stage.scene(name, {
      script,
      async onArrived({ method }) {
        if (method !== "ControllerExpandVolume") return;
        busy = true;
        await gate.promise;
      },
      async onWorked({ method, volumeId, requiredBytes }) {
        if (!method.endsWith("ExpandVolume")) return;
        const { backendBytes = 0n } = scene.driver.volume(volumeId) ?? {};
        if (backendBytes >= requiredBytes) await history.holds("data", requiredBytes);
      },
    }),
  );
  resources.defer(() => gate.resolve());
  await createStorageQuota(stage.plane, name, "500Gi");
  const quota = async (used: string): Promise<void> => {
    const isExact = async (): Promise<boolean> => {
      const { status } = await stage.plane.api.get<ResourceQuota>(`/api/v1/namespaces/${name}/resourcequotas/storage`);
      return Quantity.tryParse(status?.used?.["requests.storage"] ?? "")?.equals(Quantity.parse(used)) === true;
    };
    await waitFor(`quota to count ${used}`, isExact, { timeoutMs: 120_000 });
  };
  await scene.create({ name: "data", size });
  resources.use(await startNodeHalf(scene));
  const resizer = await scene.resizer(FLAGS);
  await quota(size);
  return {
    scene,
    resizer,
    quota,
    letDriverFinish: () => gate.resolve(),
    driverIsBusy: () => waitFor("the driver to be at it", () => busy).then(() => {}),
    async [Symbol.asyncDispose]() {
      await using _ = resources;
      expect(await history.undercounted("data")).toEqual([]);
    },
  };
}

const asked = (scene: Scene): bigint[] => scene.expansions().map(({ requiredBytes }) => requiredBytes);

describe.concurrent("KEP-1790, user flow stories", () => {
  test("case 1: controller+node expandable: 10Gi to 100Gi fails, 20Gi succeeds, and quota comes down to 20Gi", async () => {
    const rules = [{ aboveBytes: 50n * Gi, answer: { kind: "error", code: "OutOfRange" } }] as const;
    await using story = await tell("case-1", "10Gi", { rules });
    const { scene, quota } = story;

    await scene.request("data", "100Gi");
    await quota("100Gi");
    const failed = await scene.until("data", "failed", ({ state }) => state === "controller-infeasible");
    expect([failed.allocated?.toString(), failed.capacity?.toString()]).toEqual(["100Gi", "10Gi"]);
    expect((await scene.readVolume("data")).spec.capacity).toEqual({ storage: "10Gi" });

    await scene.request("data", "20Gi");
    const done = await scene.untilGrown("data", "20Gi");
    expect(done.allocated?.toString()).toBe("20Gi");
    expect((await scene.readVolume("data")).spec.capacity).toEqual({ storage: "20Gi" });
    await quota("20Gi");
    expect(asked(scene)).toEqual([100n * Gi, 20n * Gi]);
  });

  test("case 2: node only expandable volume: the node fails at 100Gi, and 20Gi succeeds on it", async () => {
    const rules = [
      { method: "NodeExpandVolume", aboveBytes: 50n * Gi, answer: { kind: "error", code: "OutOfRange" } },
    ] as const;
    await using story = await tell("case-2", "10Gi", { abilities: { controllerExpansion: false }, rules });
    const { scene, quota } = story;

    await scene.request("data", "100Gi");
    await quota("100Gi");
    const failed = await scene.until("data", "failed on the node", ({ state }) => state === "node-infeasible");
    expect(failed.allocated?.toString()).toBe("100Gi");
    expect((await scene.readVolume("data")).spec.capacity).toEqual({ storage: "100Gi" });

    await scene.request("data", "20Gi");
    const done = await scene.untilGrown("data", "20Gi");
    expect(done.allocated?.toString()).toBe("20Gi");
    expect((await scene.readVolume("data")).spec.capacity).toEqual({ storage: "20Gi" });
    await quota("20Gi");
    expect(asked(scene)).toEqual([]);
  });

  test("case 3: malicious user: 100Gi is under way, 20Gi is asked for, and the claim ends with 100Gi that quota counts", async () => {
    await using story = await tell("case-3", "10Gi", {}, true);
    const { scene, quota } = story;

    await scene.request("data", "100Gi");
    await quota("100Gi");
    await story.driverIsBusy();
    const busy = await scene.until("data", "in progress", ({ state }) => state === "controller-in-progress");
    expect([busy.allocated?.toString(), busy.capacity?.toString()]).toEqual(["100Gi", "10Gi"]);

    await scene.request("data", "20Gi");
    story.letDriverFinish();
    await scene.untilGrown("data", "100Gi");
    expect((await scene.readVolume("data")).spec.capacity).toEqual({ storage: "100Gi" });
    expect(asked(scene)).toEqual([100n * Gi]);
    await quota("100Gi");
  });

  test("case 4: malicious user and rounding: the controller crashes, 10.5GB is asked for, and the claim ends with 100GB", async () => {
    const gigabyte = 1_000_000_000n;
    await using story = await tell("case-4", "10100M", { roundToBytes: gigabyte }, true);
    const { scene, quota, resizer } = story;
    expect((await scene.readVolume("data")).spec.capacity).toEqual({ storage: "10100M" });

    await scene.request("data", "100G");
    await quota("100G");
    await story.driverIsBusy();
    await resizer.kill("SIGKILL");
    await scene.request("data", "10500M");

    story.letDriverFinish();
    await scene.resizer(FLAGS);
    await scene.untilGrown("data", "100G");
    expect((await scene.readVolume("data")).spec.capacity).toEqual({ storage: "97656250Ki" });
    expect(new Set(asked(scene))).toEqual(new Set([100n * gigabyte]));
    await quota("100G");
  });

  test("case 5: rapid successive expansion and shrink: 100Gi, 200Gi, 20Gi ends at 100Gi and quota stays 100Gi", async () => {
    await using story = await tell("case-5", "10Gi", {}, true);
    const { scene, quota } = story;

    await scene.request("data", "100Gi");
    await quota("100Gi");
    await story.driverIsBusy();
    await scene.request("data", "200Gi");
    await quota("200Gi");
    await scene.request("data", "20Gi");
    await quota("100Gi");

    story.letDriverFinish();
    await scene.untilGrown("data", "100Gi");
    expect(asked(scene)).toEqual([100n * Gi]);
    await quota("100Gi");
  });

  test("a size that quota does not allow is refused before anybody is called", async () => {
    await using story = await tell("beyond-quota", "10Gi");
    const { scene, quota } = story;
    await expect(scene.request("data", "501Gi")).rejects.toThrow(ApiRefusal);
    await quota("10Gi");
    expect(asked(scene)).toEqual([]);
  });
});
