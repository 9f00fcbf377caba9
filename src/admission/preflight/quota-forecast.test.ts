import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readClaim } from "../../core/claim.ts";
import { DEFAULT_GATES } from "../../core/gates.ts";
import { Quantity } from "../../core/quantity.ts";
import { aClaim, aQuota } from "../fixtures.ts";
import { chargeQuotas } from "../quota.ts";
import { asking } from "./asking.ts";
import type { ClaimFacts } from "./facts.ts";
import { claimFacts, someFacts } from "./fixtures.ts";
import { quotaForecast, quotaRefusal } from "./quota-forecast.ts";

const PER_CLASS = "fast.storageclass.storage.k8s.io/requests.storage";

test("before and after, for the whole and for the class, also beyond the limit", () => {
  const facts = someFacts({
    claims: [claimFacts(), claimFacts({}, { name: "data-db-1" })],
    quotas: [
      aQuota("storage", { "requests.storage": "250Gi", pods: "10" }, { "requests.storage": "200Gi", pods: "2" }),
    ],
  });
  expect(quotaForecast(facts).map((line) => JSON.parse(JSON.stringify(line)))).toEqual([
    { quota: "storage", resource: "requests.storage", before: "200Gi", after: "400Gi", limit: "250Gi" },
  ]);
});

test("a quota that growing does not touch is not in it", () => {
  const facts = someFacts({
    quotas: [aQuota("count", { persistentvolumeclaims: "5" }, { persistentvolumeclaims: "5" })],
  });
  expect(quotaForecast(facts)).toEqual([]);
  expect(quotaRefusal(facts)).toBeUndefined();
});

test("all together are charged what they are charged one after the other", () => {
  const gi = (n: number) => `${n}Gi`;
  const claim = fc
    .record({
      request: fc.integer({ min: 1, max: 50 }),
      more: fc.integer({ min: 1, max: 50 }),
      allocated: fc.option(fc.integer({ min: 1, max: 120 })),
      className: fc.constantFrom("fast", "slow"),
    })
    .map(({ request, more, allocated, className }): ClaimFacts => {
      const object = aClaim({
        request: gi(request),
        ...(allocated !== null && { allocated: gi(allocated) }),
        spec: { storageClassName: className, resources: { requests: { storage: gi(request) } } },
      });
      return { ...claimFacts(), object, view: readClaim(object), to: Quantity.parse(gi(request + more)) };
    });
  fc.assert(
    fc.property(
      fc.array(claim, { maxLength: 8 }),
      fc.nat({ max: 600 }),
      fc.nat({ max: 300 }),
      (claims, total, ofClass) => {
        const hard = { "requests.storage": gi(total), [PER_CLASS]: gi(ofClass) };
        const quotas = [aQuota("q", hard, { "requests.storage": "0", [PER_CLASS]: "0" })];
        let booked: readonly (typeof quotas)[number][] = quotas;
        let refused = false;
        for (const { object, to } of claims) {
          const answer = chargeQuotas({ old: object, next: asking(object, to) }, booked, DEFAULT_GATES);
          if (answer.kind === "refused") refused = true;
          else booked = answer.quotas;
        }
        const facts = someFacts({ claims, quotas });
        expect(quotaRefusal(facts) !== undefined).toBe(refused);
        if (refused) return;
        const after = new Map(quotaForecast(facts).map(({ resource, after }) => [resource, after.toString()]));
        for (const [resource, used] of Object.entries(booked[0]?.status?.used ?? {})) {
          expect(after.get(resource) ?? "0").toBe(used);
        }
      },
    ),
    { seed: 20240613, numRuns: 500 },
  );
});
