/** Whatever is asked for at once: what is stored never exceeds what is charged, nor what is charged the quota. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Quantity } from "../../../../core/quantity.ts";
import type { PersistentVolumeClaim, ResourceQuota } from "../../../../core/types.ts";
import type { JsonObject } from "../../json.ts";
import { BUILT_IN } from "../../kinds/built-in.ts";
import type { Kind } from "../../kinds/kind.ts";
import { listObjects } from "../../objects/list.ts";
import { StatusError } from "../../status-error.ts";
import { claim, clusterObject, createTestCluster, PROD, quota, type TestCluster } from "../testing/cluster.ts";

const SEED = 20_260_302;
const rowOf = (kind: string) => BUILT_IN.find((each) => each.kind === kind) as Kind;
const [QUOTA, CLAIM] = [rowOf("ResourceQuota"), rowOf("PersistentVolumeClaim")];
const HARD = { persistentvolumeclaims: "6", "requests.storage": "20Gi" };

/** One of a few claims is to be of this size: made, or changed. */
interface Wish {
  readonly name: string;
  readonly size: number;
}

const wish = fc.record({
  name: fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"),
  size: fc.integer({ min: 1, max: 8 }),
});
const atOnce = fc.array(wish, { minLength: 1, maxLength: 12 });

const sized = (name: string, size: number): JsonObject =>
  claim(name, `${size}Gi`, { spec: { storageClassName: "flexible" }, status: { phase: "Bound" } });

/** As a handler does it: admission, then the write. What is refused is refused. */
async function fulfil(cluster: TestCluster, { name, size }: Wish): Promise<void> {
  const { objects } = cluster;
  const old = objects.find(CLAIM, "prod", name);
  try {
    if (old === undefined) {
      await objects.create(CLAIM, await cluster.admit(sized(name, size)));
    } else {
      const next = { ...old, spec: sized(name, size)["spec"] ?? {} };
      await objects.replace(CLAIM, old, await cluster.admit(next, { old }));
    }
  } catch (error) {
    if (!(error instanceof StatusError) || ![403, 409].includes(error.code)) throw error;
  }
}

function totals(cluster: TestCluster): { stored: Record<string, Quantity>; used: Record<string, Quantity> } {
  const claims = listObjects(cluster.objects, CLAIM, {}).items as unknown as PersistentVolumeClaim[];
  const storage = claims
    .map(({ spec }) => Quantity.parse(spec.resources?.requests?.["storage"] ?? "0"))
    .reduce((sum, size) => sum.plus(size), Quantity.zero);
  const { status } = cluster.objects.get(QUOTA, "prod", "q") as unknown as ResourceQuota;
  const used = Object.entries(status?.used ?? {}).map(([name, amount]) => [name, Quantity.parse(amount)]);
  return {
    stored: { persistentvolumeclaims: Quantity.parse(String(claims.length)), "requests.storage": storage },
    used: Object.fromEntries(used) as Record<string, Quantity>,
  };
}

test("claims made and changed by many at once stay within their quota", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(atOnce, { maxLength: 6 }), async (rounds) => {
      const cluster = createTestCluster();
      const fields = { provisioner: "csi.example.com", allowVolumeExpansion: true };
      await cluster.given(
        PROD,
        clusterObject("storage.k8s.io/v1", "StorageClass", "flexible", fields),
        quota("q", HARD),
      );
      for (const wishes of rounds) {
        await Promise.all(wishes.map((each) => fulfil(cluster, each)));
        const { stored, used } = totals(cluster);
        for (const [name, hard] of Object.entries(HARD)) {
          expect(used[name]?.atLeast(stored[name] ?? Quantity.zero)).toBe(true);
          expect(used[name]?.moreThan(Quantity.parse(hard))).toBe(false);
        }
      }
      await cluster.close();
    }),
    { seed: SEED, numRuns: 60 },
  );
});
