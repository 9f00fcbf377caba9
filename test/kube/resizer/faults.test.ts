/** Two hundred claims grow while everything between the resizer, the API server and the driver goes wrong by chance. */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readClaim } from "../../../src/core/claim.ts";
import type { PersistentVolumeClaim } from "../../../src/core/types.ts";
import { type CsiCode, CsiError } from "../../../src/csi/index.ts";
import type { RecordedCall } from "../../../src/csi/testing/index.ts";
import { createSeeded, type Seeded } from "../../../src/kube/testing/seeded.ts";
import { PASS, type Passage, type ProxyHooks, type Return, startApiProxy } from "../api-proxy.ts";
import { waitFor } from "../wait.ts";
import { recordHistory } from "./claim-history.ts";
import { startNodeHalf } from "./node-half.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.stop());

const SEED = 20_261_115;
const Gi = 1n << 30n;
const CLAIMS = Array.from({ length: 200 }, (_, index) => `data-${index}`);

const REFUSALS: readonly Passage[] = [
  { kind: "drop" },
  { kind: "answer", status: 409, reason: "Conflict" },
  { kind: "answer", status: 429, reason: "TooManyRequests", retryAfter: 1 },
  { kind: "answer", status: 500, reason: "InternalError" },
  { kind: "answer", status: 503, reason: "ServiceUnavailable" },
];
const LOSSES: readonly Return[] = [{ kind: "lose" }, { kind: "cut" }];
const IN_DOUBT: readonly CsiCode[] = ["Unavailable", "DeadlineExceeded", "ResourceExhausted"];
/** In doubt and final; an infeasible size would wait for somebody to ask for another. */
const CODES: readonly CsiCode[] = [...IN_DOUBT, "Internal", "Unknown"];

/** Every eighth request is refused on the way, every eighth answer lost, the others may be late, and watches break off. */
function unreliable(seeded: Seeded): ProxyHooks {
  // Losing the lease ends the process, which has tests of its own; so does not being able to begin.
  const isSpared = (path: string): boolean => path.includes("/leases") || path === "/version";
  return {
    async onRequest({ path }) {
      if (isSpared(path)) return PASS;
      if (seeded.chance(1 / 8)) return seeded.pick(REFUSALS);
      if (seeded.chance(1 / 8)) await delay(seeded.below(300));
      return PASS;
    },
    onServed({ path, isWatch }) {
      if (isSpared(path)) return PASS;
      if (isWatch) return { kind: "cut", afterMs: seeded.below(4_000) };
      return seeded.chance(1 / 8) ? seeded.pick(LOSSES) : PASS;
    },
  };
}

test("all settle, the driver is asked for no wrong size, and quota counts what the storage holds", async () => {
  const seeded = createSeeded(SEED);
  const claimOf = ({ volumeId }: RecordedCall): string => volumeId.slice("pv-faults-".length);
  /** A driver does not refuse for good what an earlier call has done, though its answer was lost: what is left is doubt. */
  const mayFail = ({ method, volumeId, requiredBytes }: RecordedCall): void => {
    if (method !== "ControllerExpandVolume" || !seeded.chance(1 / 6)) return;
    const isDone = (scene.driver.volume(volumeId)?.backendBytes ?? 0n) >= requiredBytes;
    throw new CsiError(seeded.pick(isDone ? IN_DOUBT : CODES), "by chance");
  };
  const mayBeLost = ({ method }: RecordedCall): void => {
    if (method === "ControllerExpandVolume" && seeded.chance(1 / 6))
      throw new CsiError("DeadlineExceeded", "by chance");
  };
  await using history = await recordHistory(stage.plane, "faults");
  await using scene = await stage.scene("faults", {
    onArrived: mayFail,
    async onWorked(call) {
      if (!call.method.endsWith("ExpandVolume")) return;
      await history.holds(claimOf(call), call.requiredBytes);
      mayBeLost(call);
    },
  });
  await scene.create(...CLAIMS.map((name) => ({ name, size: "10Gi" })));
  await using _node = await startNodeHalf(scene);
  const proxy = await startApiProxy(stage.plane, stage.user, "faults", unreliable(seeded));
  const resizer = await scene.launch(["--retry-interval-start=100ms", "--retry-interval-max=2s"], proxy.kubeconfig);

  await Promise.all(CLAIMS.map((claim) => scene.request(claim, "20Gi")));
  await waitFor("the work to be half done", () => scene.expansions().length >= 100, { timeoutMs: 120_000 });
  await scene.driver.stop();
  // Too late for those that have their size already.
  await Promise.all(CLAIMS.slice(0, 100).map((claim) => scene.request(claim, "15Gi").catch(() => {})));
  await scene.driver.start();

  const settled = await waitFor(
    "all to be settled",
    async () => {
      const { items } = await stage.plane.api.get<{ items: PersistentVolumeClaim[] }>(
        "/api/v1/namespaces/faults/persistentvolumeclaims",
      );
      const views = items.map(readClaim);
      const done = views.every(
        ({ state, conditions, capacity, request }) =>
          state === "none" && conditions.size === 0 && capacity?.atLeast(request) === true,
      );
      return done && views;
    },
    { timeoutMs: 150_000, everyMs: 500 },
  );
  expect(resizer.running).toBe(true);
  for (const { name, capacity } of settled) {
    const bytes = capacity?.toBytes() ?? 0n;
    expect([15n * Gi, 20n * Gi], name).toContain(bytes);
    expect(scene.driver.volume(`pv-faults-${name}`)?.fileSystemBytes, name).toBe(bytes);
    expect(await history.undercounted(name), name).toEqual([]);
  }
  const wrong = scene.expansions().filter(({ requiredBytes }) => ![15n * Gi, 20n * Gi].includes(requiredBytes));
  expect(wrong).toEqual([]);
  expect(scene.expansions().length, "calls, with those that failed").toBeGreaterThan(CLAIMS.length);
  await proxy.stop();
}, 400_000);
