import { describe, expect, it } from "vitest";
import type { Lease } from "../client/types.ts";
import { createdLease, holderOf, observe, releasedLease, takenLease, timeUntilFree } from "./lease-record.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const candidate = { identity: "me", leaseDuration: 15_000, labels: { app: "outgrow" } };
const lease = (spec: Lease["spec"], resourceVersion = "1"): Lease => ({
  metadata: { name: "l", namespace: "ns", uid: "u", resourceVersion },
  ...(spec === undefined ? {} : { spec }),
});

describe("a lease", () => {
  it("is created by its first holder, with moments of six digits", () => {
    expect(createdLease("ns", "l", candidate, NOW)).toEqual({
      metadata: { namespace: "ns", name: "l", labels: { app: "outgrow" } },
      spec: {
        holderIdentity: "me",
        leaseDurationSeconds: 15,
        acquireTime: "2026-01-02T03:04:05.678000Z",
        renewTime: "2026-01-02T03:04:05.678000Z",
        leaseTransitions: 0,
      },
    });
  });

  it("is renewed by its holder: since when it is held stays, and so does what we do not know", () => {
    const held = lease({ holderIdentity: "me", acquireTime: "then", leaseTransitions: 3 });
    const renewed = takenLease({ ...held, extra: 1 } as Lease, candidate, NOW);
    expect(renewed).toMatchObject({
      extra: 1,
      metadata: { resourceVersion: "1", labels: { app: "outgrow" } },
      spec: { acquireTime: "then", renewTime: "2026-01-02T03:04:05.678000Z", leaseTransitions: 3 },
    });
  });

  it("is taken over: held since now, one more transition", () => {
    const taken = takenLease(
      lease({ holderIdentity: "you", acquireTime: "then", leaseTransitions: 3 }),
      candidate,
      NOW,
    );
    expect(taken.spec).toMatchObject({
      holderIdentity: "me",
      acquireTime: "2026-01-02T03:04:05.678000Z",
      leaseTransitions: 4,
    });
  });

  it("is given up: nobody's, for a second", () => {
    const released = releasedLease(lease({ holderIdentity: "me", leaseTransitions: 3 }), NOW);
    expect(holderOf(released)).toBeUndefined();
    expect(released.spec).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1, leaseTransitions: 3 });
  });

  it.each([
    ["nobody holds it", {}, 0, 0],
    ["it was given up", { holderIdentity: "", leaseDurationSeconds: 15 }, 0, 0],
    ["it is ours", { holderIdentity: "me", leaseDurationSeconds: 15 }, 0, 0],
    ["somebody just wrote it", { holderIdentity: "you", leaseDurationSeconds: 15 }, 0, 15_000],
    ["somebody wrote it a while ago", { holderIdentity: "you", leaseDurationSeconds: 15 }, 10_000, 5_000],
    ["somebody wrote it long ago", { holderIdentity: "you", leaseDurationSeconds: 15 }, 15_000, 0],
    ["its holder asked for longer than we would", { holderIdentity: "you", leaseDurationSeconds: 60 }, 15_000, 45_000],
  ])("when %s is free after the right time", (_, spec, now, wait) => {
    expect(timeUntilFree({ lease: lease(spec), at: 0 }, "me", now)).toBe(wait);
  });

  it("is seen anew whenever somebody wrote it, and only then", () => {
    const first = observe(undefined, lease({}), 100);
    expect(first.at).toBe(100);
    expect(observe(first, lease({}), 200)).toBe(first);
    expect(observe(first, lease({}, "2"), 200).at).toBe(200);
    expect(observe(first, { ...lease({}), metadata: { ...lease({}).metadata, uid: "v" } }, 200).at).toBe(200);
  });
});
