/**
 * When `outgrow resizer` tries again, and when it does not: real backoff, infeasible sizes, volumes in use, lost races and
 * lost answers. Each test has a namespace, a driver and a resizer of its own.
 */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PASS, type Passage, startApiProxy } from "../api-proxy.ts";
import { createNode, createPod } from "../fixtures.ts";
import { waitFor } from "../wait.ts";
import { recordHistory } from "./claim-history.ts";
import { openStage, type Scene, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  await createNode(stage.plane, "node-1");
});
afterAll(() => stage.stop());

const Gi = 1n << 30n;

/** Somebody else who writes on a claim, again and again, until stopped. */
function startScribbling(scene: Scene, claim: string): AsyncDisposable {
  const stopping = new AbortController();
  const path = `/api/v1/namespaces/${scene.namespace}/persistentvolumeclaims/${claim}`;
  const scribble = async (): Promise<void> => {
    for (let page = 0; !stopping.signal.aborted; page++) {
      await stage.plane.api.patch(path, { metadata: { labels: { page: `${page}` } } });
      await stage.plane.api.patch(`${path}/status`, {
        status: { modifyVolumeStatus: { status: "Pending", targetVolumeAttributesClassName: `class-${page}` } },
      });
      await delay(10, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const scribbling = scribble();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await scribbling;
    },
  };
}

describe.concurrent("backoff", () => {
  test("a failing driver is called after 1, 2, 4 … times the interval, whoever writes on the claim meanwhile", async () => {
    const rule = { method: "ControllerExpandVolume", answer: { kind: "error", code: "Internal" } } as const;
    await using scene = await stage.scene("failing", { script: { rules: [rule] } });
    await scene.create({ name: "data", size: "10Gi" });
    await scene.resizer(["--retry-interval-start=200ms", "--resync-period=100ms"]);
    await using _others = startScribbling(scene, "data");

    await scene.request("data", "20Gi");
    const calls = await waitFor("five calls", () => scene.expansions().length >= 5 && scene.expansions());
    const waits = calls.slice(1).map(({ startedAt }, index) => startedAt - (calls[index]?.endedAt ?? 0));
    for (const [index, wait] of waits.entries()) expect(wait, `wait ${index + 1}`).toBeGreaterThan(190 * 2 ** index);
  });

  test("an infeasible size is tried once; a changed request at once", async () => {
    const rule = { aboveBytes: 50n * Gi, answer: { kind: "error", code: "OutOfRange", message: "too big" } } as const;
    await using scene = await stage.scene("infeasible", { script: { rules: [rule] } });
    await scene.create({ name: "data", size: "10Gi" });
    const first = await scene.resizer(["--retry-interval-start=10ms", "--resync-period=100ms"]);

    await scene.request("data", "100Gi");
    const { conditions } = await scene.until("data", "infeasible", ({ state }) => state === "controller-infeasible");
    expect(conditions.get("controller-error")?.message).toBe(
      "failed to expand pvc with rpc error: code = OutOfRange desc = too big",
    );
    await using _others = startScribbling(scene, "data");
    await waitFor("ten more looks at it", () => first.log().filter(({ msg }) => msg === "looked at").length >= 10);
    expect(scene.expansions("data")).toHaveLength(1);

    // A successor does not know what the driver said, but the condition tells when.
    await first.kill("SIGTERM");
    const second = await scene.resizer();
    await waitFor("a look at it", () => second.log().some(({ decision }) => decision === "wait-until"));
    expect(scene.expansions("data")).toHaveLength(1);

    await scene.request("data", "20Gi");
    await scene.until("data", "waiting for the node", ({ state }) => state === "node-pending");
    expect(scene.expansions("data").map(({ requiredBytes }) => requiredBytes)).toEqual([100n * Gi, 20n * Gi]);
  });

  test("one claim's trouble does not delay twenty others", async () => {
    const rules = [{ volumeId: "pv-crowd-bad", answer: { kind: "silence" } }] as const;
    await using scene = await stage.scene("crowd", { script: { rules } });
    const others = Array.from({ length: 20 }, (_, index) => `good-${index}`);
    await scene.create(...["bad", ...others].map((name) => ({ name, size: "10Gi" })));
    await scene.resizer(["--workers=2", "--timeout=10m"]);

    await scene.request("bad", "20Gi");
    await waitFor("the driver to be stuck", () => scene.expansions("bad").length === 1);
    await Promise.all(others.map((name) => scene.request(name, "20Gi")));
    await Promise.all(others.map((name) => scene.until(name, "done here", ({ state }) => state === "node-pending")));
    expect(scene.expansions("bad")).toMatchObject([{ endedAt: undefined }]);
  });

  test("a driver that is away and comes back is found again", async () => {
    await using scene = await stage.scene("away");
    await scene.create({ name: "data", size: "10Gi" });
    const resizer = await scene.resizer(["--retry-interval-start=100ms"]);
    await scene.driver.stop();
    await scene.request("data", "20Gi");
    await resizer.says("failed; will be tried again");
    await scene.driver.start();
    await scene.until("data", "waiting for the node", ({ state }) => state === "node-pending");
    expect(resizer.running).toBe(true);
  });
});

describe.concurrent("a volume that grows only while nobody uses it", () => {
  const script = { abilities: { online: false } };
  const unused = { inUse: false };

  test("is tried as soon as its last pod goes", async () => {
    await using scene = await stage.scene("offline", { script });
    await scene.create({ name: "data", size: "10Gi" });
    scene.driver.setVolume("pv-offline-data", { inUse: true });
    await createPod(stage.plane, { name: "user", namespace: "offline", node: "node-1", claims: ["data"] });
    await scene.resizer(["--retry-interval-start=200ms", "--retry-interval-max=5m"]);

    await scene.request("data", "20Gi");
    const message =
      "Unable to expand offline/data because CSI driver offline.csi.example.com only supports offline expansion and volume is currently in-use";
    await scene.untilTold(message);
    const refused = scene.expansions().length;

    scene.driver.setVolume("pv-offline-data", unused);
    await stage.plane.api.delete("/api/v1/namespaces/offline/pods/user");
    await scene.until("data", "waiting for the node", ({ state }) => state === "node-pending");
    expect(scene.expansions()).toHaveLength(refused + 1);
  });

  test("is not waited for when a pod that has ended is all that mentions it", async () => {
    await using scene = await stage.scene("ended", { script });
    await scene.create({ name: "data", size: "10Gi" });
    scene.driver.setVolume("pv-ended-data", { inUse: true });
    const pod = { name: "job", namespace: "ended", node: "node-1", claims: ["data"], phase: "Succeeded" };
    await createPod(stage.plane, pod);
    await scene.resizer(["--retry-interval-start=100ms"]);

    await scene.request("data", "20Gi");
    await waitFor("a refusal", () => scene.expansions().length >= 2);
    scene.driver.setVolume("pv-ended-data", unused);
    await scene.until("data", "waiting for the node", ({ state }) => state === "node-pending");
  });
});

describe.concurrent("lost races", () => {
  test("cost a fresh read: no second call, no event of failure", async () => {
    const touch = (path: string): Promise<unknown> =>
      stage.plane.api.patch(path, { metadata: { labels: { touched: `${Math.trunc(performance.now())}` } } });
    const claim = "/api/v1/namespaces/races/persistentvolumeclaims/data";
    let touched = false;
    await using scene = await stage.scene("races", {
      async onWorked({ method }) {
        if (method !== "ControllerExpandVolume") return;
        await touch(claim);
        await touch("/api/v1/persistentvolumes/pv-races-data");
      },
    });
    await scene.create({ name: "data", size: "10Gi" });
    const proxy = await startApiProxy(stage.plane, stage.user, "races", {
      async onRequest({ method, path }) {
        if (method !== "PATCH" || path !== `${claim}/status` || touched) return PASS;
        touched = true;
        await touch(claim);
        return PASS;
      },
    });
    await scene.resizer([], proxy.kubeconfig);

    await scene.request("data", "20Gi");
    await scene.until("data", "waiting for the node", ({ state }) => state === "node-pending");
    const told = await scene.untilTold("FileSystemResizeRequired");
    const lost = (await scene.requests()).filter(({ code }) => code === 409);
    expect(lost.map(({ resource }) => resource)).toEqual([
      "persistentvolumeclaims/status",
      "persistentvolumes",
      "persistentvolumeclaims/status",
    ]);
    expect(scene.expansions()).toHaveLength(1);
    expect(new Set(told.map(({ reason }) => reason))).toEqual(new Set(["Resizing", "FileSystemResizeRequired"]));
    await proxy.stop();
  });
});

describe.concurrent("lost answers", () => {
  test("a size that was refused and then granted is not given up for a smaller one when the grant cannot be recorded", async () => {
    const refuseOnce = {
      method: "ControllerExpandVolume",
      times: 1,
      answer: { kind: "error", code: "Internal" },
    } as const;
    await using history = await recordHistory(stage.plane, "granted");
    await using scene = await stage.scene("granted", {
      script: { rules: [refuseOnce] },
      onWorked: async ({ method, requiredBytes }) => {
        if (method === "ControllerExpandVolume" && scene.expansions().length >= 2)
          await history.holds("data", requiredBytes);
      },
    });
    await scene.create({ name: "data", size: "10Gi" });
    let broken = false;
    const proxy = await startApiProxy(stage.plane, stage.user, "granted", {
      async onRequest({ method, path }): Promise<Passage> {
        if (broken || method !== "PATCH" || !path.startsWith("/api/v1/persistentvolumes/")) return PASS;
        broken = true;
        await scene.request("data", "15Gi");
        return { kind: "answer", status: 500, reason: "InternalError" };
      },
    });
    await scene.resizer(["--retry-interval-start=100ms"], proxy.kubeconfig);

    await scene.request("data", "20Gi");
    await scene.until("data", "waiting for the node", ({ state }) => state === "node-pending");
    expect(scene.expansions().map(({ requiredBytes }) => requiredBytes)).toEqual([20n * Gi, 20n * Gi, 20n * Gi]);
    expect(await history.undercounted("data")).toEqual([]);
    await proxy.stop();
  });
});
