/**
 * "A malicious user can use this feature to abuse the quota system ... by rapidly expanding and then shrinking the PVC"
 * (KEP-1790). Random histories of everything that users and controllers may do, with the gate on.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readClaim } from "../core/claim.ts";
import { Quantity } from "../core/quantity.ts";
import { type PersistentVolumeClaim, type ResourceQuota, STORAGE } from "../core/types.ts";
import { validateClaimStatusUpdate } from "./claim-status-update.ts";
import { prepareClaimUpdate, validateClaimUpdate } from "./claim-update.ts";
import { claimUsage } from "./claim-usage.ts";
import { aClaim, aQuota } from "./fixtures.ts";
import { chargeQuotas, recomputeQuota } from "./quota.ts";

const ON = { RecoverExpansionFailure: true };
const HARD = Quantity.parse("100Gi");
const CLAIMS = 3;

interface World {
  readonly claims: PersistentVolumeClaim[];
  quota: ResourceQuota;
}

type Step =
  /** A user asks for a size; admission may refuse. */
  | { readonly kind: "edit"; readonly claim: number; readonly gib: number }
  /** The controller records what it is about to expand to: the request, larger or (after a failure) smaller. */
  | { readonly kind: "record"; readonly claim: number }
  /** The expansion to the recorded size is done. */
  | { readonly kind: "finish"; readonly claim: number }
  /** The quota controller comes by. */
  | { readonly kind: "recompute" };

const claim = fc.nat(CLAIMS - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("edit" as const), claim, gib: fc.integer({ min: 0, max: 60 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("record" as const), claim }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("finish" as const), claim }) },
  { weight: 2, arbitrary: fc.constant({ kind: "recompute" as const }) },
);

function start(): World {
  const claims = Array.from({ length: CLAIMS }, (_, index) =>
    aClaim({ name: `data-${index}`, request: "1Gi", capacity: "1Gi" }),
  );
  const quota = aQuota("q", { "requests.storage": HARD.toString() }, {});
  return { claims, quota: recomputeQuota(quota, claims, ON) };
}

function take(world: World, step: Step): void {
  if (step.kind === "recompute") {
    world.quota = recomputeQuota(world.quota, world.claims, ON);
    return;
  }
  const old = world.claims[step.claim]!;
  const next = step.kind === "edit" ? edited(old, `${step.gib}Gi`) : written(old, step.kind);
  const errors = step.kind === "edit" ? validateClaimUpdate(old, next, ON) : validateClaimStatusUpdate(old, next, ON);
  if (errors.length > 0) return;
  const write = step.kind === "edit" ? { old, next } : { old, next, subresource: "status" as const };
  const answer = chargeQuotas(write, [world.quota], ON);
  if (answer.kind === "refused") return;
  world.claims[step.claim] = next;
  world.quota = answer.quotas[0]!;
}

function edited(old: PersistentVolumeClaim, size: string): PersistentVolumeClaim {
  const spec = { ...old.spec, resources: { requests: { [STORAGE]: size } } };
  return prepareClaimUpdate(old, { ...old, spec });
}

function written(old: PersistentVolumeClaim, kind: "record" | "finish"): PersistentVolumeClaim {
  const { request, allocated, capacity } = readClaim(old);
  if (kind === "record") return withStatus(old, { allocatedResources: { [STORAGE]: request.toString() } });
  return withStatus(old, { capacity: { [STORAGE]: (allocated ?? capacity ?? request).toString() } });
}

function withStatus(old: PersistentVolumeClaim, status: PersistentVolumeClaim["status"]): PersistentVolumeClaim {
  return { ...old, status: { ...old.status, ...status } };
}

function used({ quota }: World): Quantity {
  return Quantity.parse(quota.status?.used?.["requests.storage"] ?? "0");
}

test("whatever is grown, lowered and recorded: the sum never exceeds the limit, and nothing recorded goes uncounted", () => {
  const seen = { grown: 0, lowered: 0, refused: 0 };
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: "max" }), (steps) => {
      const world = start();
      for (const next of steps) {
        const before = [...world.claims];
        take(world, next);
        if (next.kind === "edit") seen[verdict(before[next.claim]!, world.claims[next.claim]!)]++;
        const views = world.claims.map(readClaim);
        const sum = views.reduce((total, view) => total.plus(claimUsage(view, ON)), Quantity.zero);
        expect(HARD.atLeast(sum)).toBe(true);
        expect(used(world).atLeast(sum)).toBe(true);
        expect(HARD.atLeast(used(world))).toBe(true);
        for (const view of views) {
          expect(claimUsage(view, ON).atLeast(view.allocated ?? Quantity.zero)).toBe(true);
        }
      }
    }),
    { seed: 1790, numRuns: 200 },
  );
  // A history in which nothing happens proves nothing.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(100);
});

function verdict(before: PersistentVolumeClaim, after: PersistentVolumeClaim): "grown" | "lowered" | "refused" {
  if (before === after) return "refused";
  return readClaim(after).request.lessThan(readClaim(before).request) ? "lowered" : "grown";
}
