import { expect, test } from "vitest";
import { aClaim } from "../../../../admission/fixtures.ts";
import type { Pod } from "../../../../core/types.ts";
import { planSet } from "../decide/plan.ts";
import { aPod, aSet, facts, type PodTraits, theClaims } from "../testing/objects.ts";
import { holdClaim, holdPod } from "./held.ts";

/** A pod as a server has it: with much that no rule looks at. */
function whole(pod: Pod): Pod {
  const { metadata, spec, status } = pod;
  const volumes = [...(spec.volumes ?? []), { name: "scratch", emptyDir: {} }];
  const conditions = [{ type: "PodScheduled", status: "True" }, ...(status?.conditions ?? [])];
  return {
    metadata: { ...metadata, annotations: { note: "long" }, ...({ managedFields: [{}] } as object) },
    spec: { ...spec, volumes, containers: [{ name: "main", image: "one" }] },
    status: { ...status, conditions, ...({ containerStatuses: [{}] } as object) },
  };
}

test.each<readonly PodTraits[]>([
  [{ ordinal: 0 }, { ordinal: 1, state: "unready" }],
  [{ ordinal: 0 }, { ordinal: 1, image: "old" }, { ordinal: 2 }],
  [{ ordinal: 0, state: "failed" }],
  [{ ordinal: 0 }, { ordinal: 1 }, { ordinal: 2 }, { ordinal: 3, state: "terminating" }],
  [{ ordinal: 0, metadata: { labels: { app: "db" } } }],
])("what is held of pods is enough to decide", (...traits) => {
  const set = aSet({ persistentVolumeClaimRetentionPolicy: { whenScaled: "Delete", whenDeleted: "Delete" } });
  const scene = facts({ set, pods: traits });
  const told = (pods: readonly Pod[]) => {
    const { phases, status } = planSet({ ...scene, pods });
    return { status, jobs: phases.flat().map(({ verb, ordinal, mends, ties }) => ({ verb, ordinal, mends, ties })) };
  };
  const pods = scene.pods.map(whole);
  expect(told(pods.map(holdPod))).toEqual(told(pods));
});

test("of a pod, no container and no annotation is held", () => {
  const held = holdPod(whole(aPod(aSet(), { ordinal: 0 })));
  expect(JSON.stringify(held)).not.toMatch(/image|note|scratch|PodScheduled|managedFields/);
});

test("of a claim, all is held but what its metadata does not need", () => {
  const [claim] = theClaims(aSet(), aPod(aSet(), { ordinal: 0 }), 0);
  const bound = { ...aClaim(), ...claim, status: { phase: "Bound" } };
  const noisy = { ...bound, metadata: { ...bound.metadata, ...({ managedFields: [{}] } as object) } };
  expect(holdClaim(noisy)).toEqual({ metadata: bound.metadata, spec: bound.spec, status: bound.status });
});
