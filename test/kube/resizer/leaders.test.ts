/** Two replicas of the resizer, of which one works: how the work goes over from one to the other, and that never both work. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { LEASES, type Lease, startInformer } from "../../../src/kube/index.ts";
import { PASS, type Passage, type ProxiedRequest, type Return, startApiProxy } from "../api-proxy.ts";
import { waitFor } from "../wait.ts";
import { connectAsAdmin } from "./connect.ts";
import type { ResizerProcess } from "./resizer-process.ts";
import { NAMESPACE, openStage, type Scene, type Stage } from "./stage.ts";

// Two processes have to come up in each, which takes minutes where everybody else wants the machine as well.
vi.setConfig({ testTimeout: 600_000 });

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.stop());

/** Quick to run out, and not so quick that a busy machine takes it from somebody who is alive. */
const QUICK_LEASE = [
  "--leader-election-lease-duration=12s",
  "--leader-election-renew-deadline=10s",
  "--leader-election-retry-period=500ms",
];
/** So long that whoever takes it over has neither waited for it to run out, nor looked at it by chance. */
const LONG_LEASE = [
  "--leader-election-lease-duration=10m",
  "--leader-election-renew-deadline=8m",
  "--leader-election-retry-period=5m",
];
/** Longer than the five seconds that stopping may take, by what a busy machine adds; and no part of a long lease. */
const SOON = 60_000;

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `data-${index}`);
const identity = (name: string): string => `--leader-election-identity=${name}`;

/** Every version that the lease of a scene ever had. */
async function leaseHistory({ driverName }: Scene): Promise<{ readonly versions: readonly Lease[] } & AsyncDisposable> {
  const name = `external-resizer-${driverName.replaceAll(".", "-")}`;
  const client = await connectAsAdmin(stage.plane);
  const versions: Lease[] = [];
  const fieldSelector = `metadata.name=${name}`;
  const leases = startInformer({
    client,
    resource: LEASES,
    namespace: NAMESPACE,
    fieldSelector,
    trim: (lease) => lease,
  });
  leases.addHandler({ added: (lease) => versions.push(lease), updated: (_, lease) => versions.push(lease) });
  await leases.synced;
  return {
    versions,
    async [Symbol.asyncDispose]() {
      await leases.stop();
      await client.close();
    },
  };
}

/** Who had the lease, one after the other; an empty name is nobody. */
function holders(versions: readonly Lease[]): readonly string[] {
  const names = versions.map(({ spec }) => spec?.holderIdentity ?? "");
  return names.filter((name, index) => name !== names[index - 1]);
}

const isAboutLease = ({ path }: ProxiedRequest): boolean => path.includes("/leases");

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

test.concurrent("SIGTERM: the leader finishes what is under way and gives the lease up; the second replica sees that and goes on", async () => {
  const { hold, open, held } = gate();
  await using scene = await stage.scene("term", { onArrived: hold });
  await using history = await leaseHistory(scene);
  /** What the second replica asks about the lease. */
  const asked: string[] = [];
  const proxy = await startApiProxy(stage.plane, stage.user, "term", {
    onServed(request): Return {
      if (isAboutLease(request)) asked.push(request.isWatch ? "WATCH" : request.method);
      return PASS;
    },
  });
  await scene.create({ name: "begun", size: "10Gi" }, { name: "later", size: "10Gi" });
  const first = await scene.resizer([identity("one"), "--timeout=10m", ...LONG_LEASE]);
  const second = await scene.launch([identity("two"), ...LONG_LEASE], proxy.kubeconfig);
  await scene.request("begun", "20Gi");
  await waitFor("the call", () => held() === 1);
  const looksOn = (): boolean => asked.includes("GET") && asked.includes("WATCH");
  await waitFor("the second replica to look on", looksOn, { timeoutMs: SOON });
  await waitFor("the lease to be seen", () => history.versions.length > 0);
  const before = asked.length;

  const ending = first.kill("SIGTERM");
  await first.says("stopping");
  open();
  await scene.request("later", "20Gi");
  expect(await ending).toEqual({ code: 0, signal: null });
  await second.says("holding the lease", SOON);
  await untilHandedOver(scene, ["begun", "later"]);
  expect(scene.expansions("later")).toHaveLength(1);
  await waitFor("the history of the lease", () => holders(history.versions).includes("two"));
  expect(holders(history.versions)).toEqual(["one", "", "two"]);
  expect(asked.slice(before)).toEqual(["GET", "PUT"]);
  await proxy.stop();
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
  await using history = await leaseHistory(scene);
  const claims = names(40);
  await scene.create(...claims.map((name) => ({ name, size: "10Gi" })));
  const flags = ["--workers=2", ...QUICK_LEASE];
  const first = await scene.resizer([identity("one"), ...flags]);
  const second = await scene.launch([identity("two"), ...flags]);
  await Promise.all(claims.map((claim) => scene.request(claim, "20Gi")));
  await waitFor("some to be done", () => scene.expansions().length >= 10);

  await first.kill("SIGKILL");
  await second.says("holding the lease");
  await untilHandedOver(scene, claims);
  await waitFor("the history of the lease", () => holders(history.versions).includes("two"));
  expect(holders(history.versions)).toEqual(["one", "two"]);
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
