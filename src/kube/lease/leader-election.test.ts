import { describe, expect, it } from "vitest";
import { LEASES } from "../client/resources.ts";
import { createWorld, type ElectionWorld, join, obedient, REF } from "../testing/election-world.ts";
import type { Fault } from "../testing/faults.ts";
import { createSeeded } from "../testing/seeded.ts";

describe("an election", () => {
  it("is won by the first, who makes the lease, renews it and says so", async () => {
    const world = createWorld();
    const a = join(world, "a", obedient, { labels: { app: "outgrow" } });
    await world.timers.advance(1_000);
    expect(world.lease()).toMatchObject({
      metadata: { labels: { app: "outgrow" } },
      spec: { holderIdentity: "a", leaseDurationSeconds: 15, leaseTransitions: 0 },
    });
    expect([a.election.holder, a.election.holdsLease(), a.election.problem()]).toEqual(["a", true, undefined]);
    expect(a.metrics.value("leader_election_master_status", { name: REF.name })).toBe(1);
    const first = world.lease().spec?.renewTime;
    await world.timers.advance(60_000);
    expect(world.lease().spec?.renewTime).not.toBe(first);
    expect(a.term()?.fence.aborted).toBe(false);
    a.stop();
    await world.timers.run(a.ended);
  });

  it("leaves the others waiting, who know who holds it", async () => {
    const world = createWorld();
    const a = join(world, "a");
    await world.timers.advance(1_000);
    const b = join(world, "bb");
    await world.timers.advance(120_000);
    expect([b.term(), b.election.holder, b.election.holdsLease()]).toEqual([undefined, "a", false]);
    expect(b.metrics.value("leader_election_master_status", { name: REF.name })).toBe(0);
    a.stop();
    b.stop();
    await world.timers.run(Promise.all([a.ended, b.ended]));
  });

  it("is won by the next within a second, when the holder is stopped", async () => {
    const world = createWorld();
    const a = join(world, "a");
    await world.timers.advance(1_000);
    const b = join(world, "bb");
    await world.timers.advance(7_000);
    a.stop();
    await world.timers.advance(1_000);
    expect(a.outcome()).toBe("stopped");
    expect(b.election.holdsLease()).toBe(true);
    expect(world.lease().spec).toMatchObject({ holderIdentity: "bb", leaseTransitions: 1, leaseDurationSeconds: 15 });
    b.stop();
    await world.timers.run(b.ended);
  });

  it("is won by the next within a second, although its watch has just ended", async () => {
    const world = createWorld();
    let watches = 0;
    world.faults.set("bb", ({ query }) =>
      query.get("watch") === "true" && watches++ === 0 ? { kind: "watch", how: "end", after: 2 } : undefined,
    );
    const a = join(world, "a");
    await world.timers.advance(1_000);
    const b = join(world, "bb");
    // It sees the lease as it is, and one renewal; the next one ends the watch.
    const renewals = new Set([world.lease().spec?.renewTime]);
    while (renewals.size < 3) {
      await world.timers.advance(10);
      renewals.add(world.lease().spec?.renewTime);
    }
    expect(watches).toBe(1);
    a.stop();
    await world.timers.advance(1_000);
    expect(b.election.holdsLease()).toBe(true);
    b.stop();
    await world.timers.run(b.ended);
  });

  it("is won by the next without a watch, too, a little later", async () => {
    const world = createWorld();
    world.faults.set("bb", ({ query }) =>
      query.get("watch") === "true" ? { kind: "status", status: 403, reason: "Forbidden" } : undefined,
    );
    const a = join(world, "a");
    await world.timers.advance(1_000);
    const b = join(world, "bb");
    await world.timers.advance(7_000);
    a.stop();
    await world.timers.advance(11_000);
    expect(b.election.holdsLease()).toBe(true);
    b.stop();
    await world.timers.run(b.ended);
  });

  it("after a crash is won when the lease has run out, and not before", async () => {
    const world = createWorld();
    const a = join(world, "a");
    await world.timers.advance(1_000);
    const b = join(world, "bb");
    await world.timers.advance(7_000);
    const renewed = world.timers.elapsed();
    world.faults.set("a", () => ({ kind: "silence" }));
    // The last renewal was at most a retry period before.
    await world.timers.advance(15_000 - 5_000 - 100);
    expect(b.election.holdsLease()).toBe(false);
    while (!b.election.holdsLease()) await world.timers.advance(100);
    expect(world.timers.elapsed() - renewed).toBeLessThanOrEqual(15_000 + 200);
    expect([a.election.holdsLease(), a.term()?.fence.aborted]).toEqual([false, true]);
    await world.timers.advance(10_000);
    expect(a.outcome()).toBe("lost");
    b.stop();
    await world.timers.run(b.ended);
  });

  it("is not even begun by one that is stopped first", async () => {
    const world = createWorld();
    const a = join(world, "a");
    await world.timers.advance(1_000);
    const b = join(world, "bb");
    await world.timers.advance(1_000);
    b.stop();
    await world.timers.run(b.ended);
    expect([b.outcome(), b.term()]).toEqual(["stopped", undefined]);
    a.stop();
    await world.timers.run(a.ended);
    await world.timers.advance(1_000);
    expect(world.timers.pending).toBe(0);
  });

  it("needs durations that make sense", () => {
    const world = createWorld();
    expect(() => join(world, "a", obedient, { leaseDuration: 10_000 })).toThrow(
      "must be longer than the renew deadline",
    );
    expect(() => join(world, "a", obedient, { retryPeriod: 9_000 })).toThrow("1.2 times the retry period");
  });
});

describe("a holder", () => {
  it("lives with failures shorter than the deadline", async () => {
    const world = createWorld();
    const a = join(world, "a");
    await world.timers.advance(1_000);
    for (let i = 0; i < 5; i++) {
      world.faults.set("a", () => ({ kind: "status", status: 500, reason: "InternalError" }));
      await world.timers.advance(4_500);
      world.faults.delete("a");
      await world.timers.advance(4_500);
    }
    expect([a.outcome(), a.election.holdsLease(), world.lease().spec?.leaseTransitions]).toEqual([undefined, true, 0]);
    a.stop();
    await world.timers.run(a.ended);
  });

  it("stops at the deadline, even while a request hangs", async () => {
    const world = createWorld();
    const a = join(world, "a");
    await world.timers.advance(1_000);
    world.faults.set("a", () => ({ kind: "silence" }));
    const term = a.term();
    let held = world.timers.elapsed();
    while (term?.fence.aborted === false) {
      if (a.election.holdsLease()) held = world.timers.elapsed();
      await world.timers.advance(10);
    }
    expect(term?.stop.aborted).toBe(true);
    expect(world.timers.elapsed() - held).toBeLessThanOrEqual(20);
    expect(world.timers.elapsed()).toBeLessThanOrEqual(11_100);
    await world.timers.run(a.ended);
    expect(a.outcome()).toBe("lost");
    expect(a.metrics.value("leader_election_master_status", { name: REF.name })).toBe(0);
  });

  it("counts a renewal from when it was sent, since others may have seen it as early as that", async () => {
    const world = createWorld();
    world.faults.set("a", ({ method }) => {
      if (method === "POST") return { kind: "delay", milliseconds: 4_000 };
      return method === "PUT" ? { kind: "drop" } : undefined;
    });
    const a = join(world, "a");
    await world.timers.advance(5_000);
    expect(a.election.holdsLease()).toBe(true);
    await world.timers.advance(5_100);
    expect([a.election.holdsLease(), a.term()?.fence.aborted]).toEqual([false, true]);
    await world.timers.run(a.ended);
  });

  it("stops at once when somebody took the lease", async () => {
    const world = createWorld();
    const a = join(world, "a");
    await world.timers.advance(1_000);
    world.write((lease) => ({ ...lease, spec: { ...lease.spec, holderIdentity: "thief" } }));
    await world.timers.advance(5_500);
    expect([a.outcome(), a.term()?.fence.aborted, a.election.holder]).toEqual(["lost", true, "thief"]);
    expect(world.lease().spec?.holderIdentity).toBe("thief");
  });

  it.each([
    [
      "labelled the lease",
      (world: ElectionWorld) =>
        world.write((lease) => ({ ...lease, metadata: { ...lease.metadata, labels: { by: "hand" } } })),
    ],
    [
      "deleted the lease",
      (world: ElectionWorld) => world.server.store(LEASES.plural).remove(`${REF.namespace}/${REF.name}`),
    ],
  ])("goes on when somebody %s, with a fresh look that is counted", async (_, meddle) => {
    const world = createWorld();
    const a = join(world, "a");
    await world.timers.advance(1_000);
    meddle(world);
    await world.timers.advance(30_000);
    expect([a.outcome(), a.election.holdsLease(), world.lease().spec?.holderIdentity]).toEqual([undefined, true, "a"]);
    expect(a.metrics.value("leader_election_slowpath_total", { name: REF.name })).toBe(1);
    a.stop();
    await world.timers.run(a.ended);
  });

  it("gives the lease up when its work is done", async () => {
    const world = createWorld();
    const a = join(world, "a", async () => {});
    await world.timers.run(a.ended);
    expect([a.outcome(), world.lease().spec?.holderIdentity, a.election.holdsLease()]).toEqual(["finished", "", false]);
    expect(world.timers.pending).toBe(0);
  });

  it("gives the lease up when its work fails, and passes the failure on", async () => {
    const world = createWorld();
    const a = join(world, "a", () => Promise.reject(new Error("no")));
    await world.timers.run(a.ended);
    expect([a.outcome(), world.lease().spec?.holderIdentity]).toEqual([new Error("no"), ""]);
  });

  it("keeps the lease while its work winds down, and gives it up after that", async () => {
    const world = createWorld();
    const finish = Promise.withResolvers<void>();
    const a = join(world, "a", () => finish.promise);
    await world.timers.advance(1_000);
    a.stop();
    await world.timers.advance(4_000);
    expect([a.term()?.stop.aborted, a.term()?.fence.aborted, a.election.holdsLease()]).toEqual([true, false, true]);
    expect(world.lease().spec?.holderIdentity).toBe("a");
    finish.resolve();
    await world.timers.run(a.ended);
    expect([a.outcome(), world.lease().spec?.holderIdentity]).toEqual(["stopped", ""]);
  });

  it("gives the lease up even when it is stopped in the middle of a renewal", async () => {
    const world = createWorld();
    const a = join(world, "a");
    await world.timers.advance(1_000);
    const before = world.lease().spec?.renewTime;
    world.faults.set("a", ({ method }) => (method === "PUT" ? { kind: "delay", milliseconds: 1_000 } : undefined));
    while (world.lease().spec?.renewTime === before) await world.timers.advance(10);
    world.faults.delete("a");
    a.stop();
    await world.timers.run(a.ended);
    expect([a.outcome(), world.lease().spec?.holderIdentity]).toEqual(["stopped", ""]);
  });

  it("does not give the lease up while its work still runs", async () => {
    const world = createWorld();
    const a = join(world, "a", () => new Promise(() => {}));
    await world.timers.advance(1_000);
    a.stop();
    await world.timers.run(a.ended);
    expect([a.outcome(), world.lease().spec?.holderIdentity]).toEqual(["stopped", "a"]);
    expect(a.term()?.fence.aborted).toBe(true);
  });

  it("that is stuck is told to the one who asks for its health", async () => {
    const world = createWorld();
    const a = join(world, "a", () => new Promise(() => {}), { drain: 3_600_000 });
    await world.timers.advance(1_000);
    world.faults.set("a", () => ({ kind: "drop" }));
    await world.timers.advance(34_000);
    expect(a.election.problem()).toBeUndefined();
    await world.timers.advance(5_000);
    expect(a.election.problem()).toBe("failed election to renew leadership on lease external-resizer");
  });
});

describe("whatever goes wrong", () => {
  it("there are never two who may work, and always one again in the end", { timeout: 60_000 }, async () => {
    for (let seed = 0; seed < 50; seed++) {
      const seeded = createSeeded(seed);
      const world = createWorld();
      const { timers } = world;
      const names = ["a", "bb", "ccc"];
      const candidates = names.map((name) => join(world, name));
      const holders = (): string[] => names.filter((_, i) => candidates[i]?.election.holdsLease());
      const working = (): string[] =>
        names.filter(
          (_, i) => candidates[i]?.term()?.fence.aborted === false && candidates[i]?.outcome() === undefined,
        );
      for (let step = 0; step < 30; step++) {
        const name = seeded.pick(names);
        const fault = seeded.pick<Fault>([
          { kind: "drop" },
          { kind: "lost-answer" },
          { kind: "silence" },
          { kind: "delay", milliseconds: seeded.below(9_000) },
          { kind: "status", status: 409, reason: "Conflict" },
          { kind: "status", status: 500, reason: "InternalError" },
        ]);
        const share = seeded.pick([0, 0, 0.3, 1]);
        world.faults.set(name, () => (seeded.chance(share) ? fault : undefined));
        const end = timers.elapsed() + seeded.below(8_000);
        while (timers.elapsed() < end) {
          await timers.advance(50);
          expect(holders().length, `seed ${seed}`).toBeLessThanOrEqual(1);
          expect(working().length, `seed ${seed}`).toBeLessThanOrEqual(1);
        }
        // Whoever lost it starts over, as a restarted process does.
        for (const [i, candidate] of candidates.entries()) {
          if (candidate.outcome() !== undefined) candidates[i] = join(world, names[i] ?? "");
        }
      }
      world.faults.clear();
      await timers.advance(40_000);
      for (const [i, candidate] of candidates.entries()) {
        if (candidate.outcome() !== undefined) candidates[i] = join(world, names[i] ?? "");
      }
      await timers.advance(40_000);
      expect(holders(), `seed ${seed}`).toHaveLength(1);
      for (const candidate of candidates) candidate.stop();
      await timers.run(Promise.all(candidates.map(({ ended }) => ended)));
      await timers.advance(1_000);
      expect(timers.pending, `seed ${seed}`).toBe(0);
    }
  });
});
