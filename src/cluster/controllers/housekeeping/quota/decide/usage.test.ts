import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Quantity } from "../../../../../core/quantity.ts";
import type { ResourceQuota } from "../../../../../core/types.ts";
import { decideUsage } from "./usage.ts";
import { createYoungCharges } from "./young-charges.ts";

const NAME = "requests.storage";
const quota = (used: string | undefined, hard = "100", statusHard = hard): ResourceQuota => ({
  metadata: { name: "q", namespace: "prod", uid: "q" },
  spec: { hard: { [NAME]: hard } },
  ...(used === undefined ? {} : { status: { hard: { [NAME]: statusHard }, used: { [NAME]: used } } }),
});
const amount = (text: string): ReadonlyMap<string, Quantity> => new Map([[NAME, Quantity.parse(text)]]);

test.each([
  ["a new quota is counted", quota(undefined), "7", "0", "7", false],
  ["usage goes up at once", quota("5"), "7", "0", "7", false],
  ["usage goes down when no charge is young", quota("9"), "7", "0", "7", false],
  ["usage does not go below a young charge", quota("9"), "7", "2", undefined, true],
  ["usage goes down by what is older", quota("9"), "7", "1", "8", true],
  ["usage that is right is left alone", quota("7"), "7", "0", undefined, false],
  ["another way to write the same number is no change", quota("1Ki"), "1024", "0", undefined, false],
  ["a new limit is taken over", quota("7", "50", "100"), "7", "0", "7", false],
])("%s", (_, before, counted, young, used, isProvisional) => {
  const verdict = decideUsage(before, amount(counted), amount(young));
  expect(verdict.status?.used?.[NAME]).toBe(used);
  expect(verdict.isProvisional).toBe(isProvisional);
  if (verdict.status !== undefined) expect(verdict.status.hard).toEqual(before.spec?.hard);
});

test("what no kind is charged for stays as it was, and what is limited no longer is dropped", () => {
  const before: ResourceQuota = {
    metadata: { name: "q" },
    spec: { hard: { "count/unknown": "1" } },
    status: { hard: { pods: "3" }, used: { pods: "1", "count/unknown": "0" } },
  };
  expect(decideUsage(before, new Map(), new Map()).status?.used).toEqual({ "count/unknown": "0" });
});

/**
 * A small world: users charge a quota and store the object a moment later, or never; a controller hears of both with a delay.
 * At every moment, usage must cover everything that is stored or on its way.
 */
test("whatever comes when: usage never falls below what is stored or on its way, and is exact in the end", () => {
  const YOUTH = 100;
  const step = fc.oneof(
    fc.record({ do: fc.constant("charge" as const), size: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ do: fc.constant("store" as const), isStored: fc.boolean() }),
    fc.record({ do: fc.constant("delete" as const) }),
    fc.record({ do: fc.constant("hear" as const) }),
    fc.record({ do: fc.constant("count" as const) }),
    fc.record({ do: fc.constant("pass" as const), time: fc.integer({ min: 1, max: 60 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      let now = 0;
      let used = 0;
      let version = 0;
      const stored: number[] = [];
      const onTheWay: { readonly size: number; readonly since: number }[] = [];
      const news: { readonly quota: ResourceQuota; readonly version: number }[] = [];
      const young = createYoungCharges(YOUTH, () => now);
      let held = { quota: quota("0"), version };
      const sum = (sizes: readonly number[]): number => sizes.reduce((a, b) => a + b, 0);
      const write = (next: number): void => {
        used = next;
        news.push({ quota: quota(String(used)), version: ++version });
      };
      const hear = (): void => {
        const next = news.shift();
        if (next === undefined) return;
        young.saw(held.quota, next.quota);
        held = next;
      };
      const count = (): void => {
        const charges = young.of("q");
        const { status } = decideUsage(held.quota, amount(String(sum(stored))), charges);
        if (status === undefined || held.version !== version) return;
        write(Number(status.used?.[NAME]));
      };
      const settle = (isStored: boolean): void => {
        const [oldest] = onTheWay.splice(0, 1);
        if (oldest !== undefined && isStored) stored.push(oldest.size);
      };
      for (const each of steps) {
        if (each.do === "charge") {
          onTheWay.push({ size: each.size, since: now });
          write(used + each.size);
        } else if (each.do === "store") settle(each.isStored);
        else if (each.do === "delete") stored.shift();
        else if (each.do === "hear") hear();
        else if (each.do === "count") count();
        else {
          now += each.time;
          // Nothing is on its way for that long.
          while (onTheWay[0] !== undefined && onTheWay[0].since + YOUTH <= now) settle(true);
        }
        expect(used).toBeGreaterThanOrEqual(sum(stored) + sum(onTheWay.map(({ size }) => size)));
      }
      while (onTheWay.length > 0) settle(true);
      for (let round = 0; round < 3; round++) {
        while (news.length > 0) hear();
        now += YOUTH;
        count();
      }
      expect(used).toBe(sum(stored));
    }),
    { seed: 62, numRuns: 1000 },
  );
});
