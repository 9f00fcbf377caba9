/** Two replicas of the resizer, of which one works: how the work goes over from one to the other, and that never both work. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Lease } from "../../../src/kube/index.ts";
import { PASS, type Passage, startApiProxy } from "../api-proxy.ts";
import { waitFor } from "../wait.ts";
import type { ResizerProcess } from "./resizer-process.ts";
import { NAMESPACE, openStage, type Scene, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.stop());

const QUICK_LEASE = [
  "--leader-election-lease-duration=4s",
  "--leader-election-renew-deadline=3s",
  "--leader-election-retry-period=500ms",
];
/** So long that whoever takes it over in time has not waited for it to run out. */
const LONG_LEASE = [
  "--leader-election-lease-duration=10m",
  "--leader-election-renew-deadline=8m",
  "--leader-election-retry-period=5m",
];
/** Longer than the five seconds that stopping may take, by what a busy machine adds. */
const SOON = 10_000;

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `data-${index}`);
const identity = (name: string): string => `--leader-election-identity=${name}`;

async function holder(scene: Scene): Promise<string | null | undefined> {
  const name = `external-resizer-${scene.driverName.replaceAll(".", "-")}`;
  const lease: Lease = await stage.plane.api.get(`/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases/${name}`);
  return lease.spec?.holderIdentity;
}

/** Resolves with the exit code; fails when the process has not ended soon. */
async function exitCode(resizer: ResizerProcess): Promise<number | null> {
  await waitFor("the resizer to end", () => !resizer.running, { timeoutMs: SOON });
  return (await resizer.ended).code;
}

const untilHandedOver = (scene: Scene, claims: readonly string[]): Promise<unknown> =>
  Promise.all(
    claims.map((claim) => scene.until(claim, "waiting for the node", ({ state }) => state === "node-pending")),
  );

/** A driver whose calls wait until they are let through. */
function gate(): {
  readonly hold: (call: { method: string }) => Promise<void>;
  readonly open: () => void;
  readonly held: () => number;
} {
  const opened = Promise.withResolvers<void>();
  let held = 0;
  return {
    async hold({ method }) {
      if (method !== "ControllerExpandVolume") return;
      held++;
      await opened.promise;
    },
    open: () => opened.resolve(),
    held: () => held,
  };
}

test.concurrent("SIGTERM: the leader finishes what is under way and goes; the second replica goes on", async () => {
  const { hold, open, held } = gate();
  await using scene = await stage.scene("term", { onArrived: hold });
  await scene.create({ name: "begun", size: "10Gi" }, { name: "later", size: "10Gi" });
  const first = await scene.resizer([identity("one"), ...LONG_LEASE]);
  const second = await scene.launch([identity("two"), ...LONG_LEASE]);
  await scene.request("begun", "20Gi");
  await waitFor("the call", () => held() === 1);

  const ending = first.kill("SIGTERM");
  await first.says("stopping");
  await scene.request("later", "20Gi");
  open();
  expect(await ending).toEqual({ code: 0, signal: null });
  await second.says("holding the lease", SOON);
  expect(await holder(scene)).toBe("two");
  await untilHandedOver(scene, ["begun", "later"]);
  expect(scene.expansions().map(({ volumeId }) => volumeId)).toEqual(["pv-term-begun", "pv-term-later"]);
});

test.concurrent("SIGTERM while the driver is stuck: the leader goes all the same, and the second replica finishes it", async () => {
  const { hold, open, held } = gate();
  await using scene = await stage.scene("stuck", { onArrived: hold });
  await scene.create({ name: "data", size: "10Gi" });
  const first = await scene.resizer([identity("one"), "--timeout=10m", ...LONG_LEASE]);
  const second = await scene.launch([identity("two"), "--retry-interval-start=100ms", ...LONG_LEASE]);
  await scene.request("data", "20Gi");
  await waitFor("the call", () => held() === 1);

  void first.kill("SIGTERM");
  expect(await exitCode(first)).toBe(0);
  await second.says("holding the lease", SOON);
  open();
  await untilHandedOver(scene, ["data"]);
  expect((await scene.readVolume("data")).spec.capacity).toEqual({ storage: "20Gi" });
});

test.concurrent("SIGKILL: the second replica takes over when the lease is over, and no volume is ever called for by both", async () => {
  const rules = [{ method: "ControllerExpandVolume", delayMs: 100 }] as const;
  await using scene = await stage.scene("kill", { script: { rules } });
  const claims = names(40);
  await scene.create(...claims.map((name) => ({ name, size: "10Gi" })));
  const flags = ["--workers=2", ...QUICK_LEASE];
  const first = await scene.resizer([identity("one"), ...flags]);
  const second = await scene.launch([identity("two"), ...flags]);
  await Promise.all(claims.map((claim) => scene.request(claim, "20Gi")));
  await waitFor("some to be done", () => scene.expansions().length >= 10);

  await first.kill("SIGKILL");
  await second.says("holding the lease");
  expect(await holder(scene)).toBe("two");
  await untilHandedOver(scene, claims);
  // The driver answers Aborted to a call for a volume that another call is about.
  expect(scene.expansions().filter(({ outcome }) => outcome === "Aborted")).toEqual([]);
});

test.concurrent("a leader that cannot reach the API server ends with 1, and the other takes over; no volume is called for by both", async () => {
  const rules = [{ method: "ControllerExpandVolume", answer: { kind: "error", code: "Internal" } }] as const;
  await using scene = await stage.scene("cut-off", { script: { rules } });
  const claims = names(5);
  await scene.create(...claims.map((name) => ({ name, size: "10Gi" })));
  let cut = false;
  const proxy = await startApiProxy(stage.plane, stage.user, "cut-off", {
    onRequest: (): Passage => (cut ? { kind: "drop" } : PASS),
  });
  const flags = ["--retry-interval-start=100ms", "--retry-interval-max=200ms", ...QUICK_LEASE];
  const first = await scene.resizer([identity("one"), ...flags], proxy.kubeconfig);
  const second = await scene.launch([identity("two"), ...flags]);
  await Promise.all(claims.map((claim) => scene.request(claim, "20Gi")));
  await waitFor("calls", () => scene.expansions().length >= 10);

  cut = true;
  await second.says("holding the lease");
  const taken = scene.expansions().length;
  expect(await exitCode(first)).toBe(1);
  await waitFor("the other to call", () => scene.expansions().length > taken);
  scene.driver.setRules([]);
  await untilHandedOver(scene, claims);
  expect(scene.expansions().filter(({ outcome }) => outcome === "Aborted")).toEqual([]);
  await proxy.stop();
});
