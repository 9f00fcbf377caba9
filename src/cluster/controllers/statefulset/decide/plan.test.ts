import { describe, expect, test } from "vitest";
import { toTimestamp } from "../../../../core/clock.ts";
import { aPod, aSet, facts, NOW, type Scene, theClaims, told } from "../testing/objects.ts";
import { planSet } from "./plan.ts";

const PARALLEL = { podManagementPolicy: "Parallel" } as const;
const partition = (partition: number, maxUnavailable?: number | string) => ({
  updateStrategy: {
    type: "RollingUpdate",
    rollingUpdate: { partition, ...(maxUnavailable === undefined ? {} : { maxUnavailable }) },
  },
});
const going = (spec: Parameters<typeof aSet>[0] = {}) =>
  aSet(spec, { metadata: { ...aSet().metadata, deletionTimestamp: toTimestamp(NOW) } });

interface Case extends Scene {
  readonly name: string;
  readonly does: readonly (readonly string[])[];
}

const CASES: readonly Case[] = [
  { name: "an empty set begins with its first pod", does: [["create db-0"]] },
  { name: "ordinals begin where they are told to", set: aSet({ ordinals: { start: 4 } }), does: [["create db-4"]] },
  {
    name: "a parallel set makes all pods at once",
    set: aSet(PARALLEL),
    does: [["create db-0", "create db-1", "create db-2"]],
  },
  { name: "the next pod waits until the one before is ready", pods: [{ ordinal: 0, state: "unready" }], does: [] },
  { name: "... and is then made", pods: [{ ordinal: 0 }], does: [["create db-1"]] },
  {
    name: "... or has been ready for long enough",
    set: aSet({ minReadySeconds: 10 }),
    pods: [{ ordinal: 0, readySince: NOW - 9_000 }],
    does: [],
  },
  {
    name: "a gap is filled before anything above it is looked at",
    pods: [{ ordinal: 0 }, { ordinal: 2, state: "failed" }],
    does: [["create db-1"]],
  },
  {
    name: "a failed pod is replaced",
    pods: [{ ordinal: 0, state: "failed" }],
    does: [["delete db-0"]],
  },
  { name: "so is one that succeeded", pods: [{ ordinal: 0, state: "succeeded" }], does: [["delete db-0"]] },
  {
    name: "but not before it is gone",
    pods: [{ ordinal: 0, state: "terminating" }],
    does: [],
  },
  {
    name: "scaling down begins at the highest ordinal, one at a time",
    set: aSet({ replicas: 1 }),
    pods: [{ ordinal: 0 }, { ordinal: 1 }, { ordinal: 2 }],
    does: [["delete db-2"]],
  },
  {
    name: "... waits for the one that goes",
    set: aSet({ replicas: 1 }),
    pods: [{ ordinal: 0 }, { ordinal: 1 }, { ordinal: 2, state: "terminating" }],
    does: [],
  },
  {
    name: "... not while a replica is unhealthy",
    set: aSet({ replicas: 1 }),
    pods: [{ ordinal: 0, state: "unready" }, { ordinal: 1 }],
    does: [],
  },
  {
    name: "... not past an unhealthy pod below it",
    set: aSet({ replicas: 1 }),
    pods: [{ ordinal: 0 }, { ordinal: 1, state: "unready" }, { ordinal: 2, state: "unready" }],
    does: [],
  },
  {
    name: "... but the unhealthy one itself may go",
    set: aSet({ replicas: 1 }),
    pods: [{ ordinal: 0 }, { ordinal: 1 }, { ordinal: 2, state: "unready" }],
    does: [["delete db-2"]],
  },
  {
    name: "a parallel set removes all at once, whatever their health",
    set: aSet({ ...PARALLEL, replicas: 1 }),
    pods: [{ ordinal: 0, state: "unready" }, { ordinal: 1 }, { ordinal: 2, state: "unready" }],
    does: [["delete db-2", "delete db-1"]],
  },
  {
    name: "ordinals below the start go too",
    set: aSet({ replicas: 1, ordinals: { start: 1 } }),
    pods: [{ ordinal: 0 }, { ordinal: 1 }],
    does: [["delete db-0"]],
  },
  {
    name: "an update begins at the highest ordinal",
    pods: [0, 1, 2].map((ordinal) => ({ ordinal, image: "old" })),
    currentImage: "old",
    does: [["delete db-2"]],
  },
  {
    name: "... goes on when that one is back",
    pods: [{ ordinal: 0, image: "old" }, { ordinal: 1, image: "old" }, { ordinal: 2 }],
    currentImage: "old",
    does: [["delete db-1"]],
  },
  {
    name: "... waits while it is not",
    set: aSet(PARALLEL),
    pods: [
      { ordinal: 0, image: "old" },
      { ordinal: 1, image: "old" },
      { ordinal: 2, state: "unready" },
    ],
    currentImage: "old",
    does: [],
  },
  {
    name: "... replaces a broken pod of the old revision in a parallel set",
    set: aSet(PARALLEL),
    pods: [{ ordinal: 0, image: "old" }, { ordinal: 1, image: "old", state: "unready" }, { ordinal: 2 }],
    currentImage: "old",
    does: [["delete db-1"]],
  },
  {
    name: "... and waits for it in an ordered one",
    pods: [{ ordinal: 0, image: "old" }, { ordinal: 1, image: "old", state: "unready" }, { ordinal: 2 }],
    currentImage: "old",
    does: [],
  },
  {
    name: "... stops at the partition",
    set: aSet(partition(2)),
    pods: [{ ordinal: 0, image: "old" }, { ordinal: 1, image: "old" }, { ordinal: 2 }],
    currentImage: "old",
    does: [],
  },
  {
    name: "... does nothing with OnDelete",
    set: aSet({ updateStrategy: { type: "OnDelete" } }),
    pods: [0, 1, 2].map((ordinal) => ({ ordinal, image: "old" })),
    currentImage: "old",
    does: [],
  },
  {
    name: "... of two at a time, where maxUnavailable counts",
    set: aSet({ ...PARALLEL, ...partition(0, 2) }),
    pods: [0, 1, 2].map((ordinal) => ({ ordinal, image: "old" })),
    currentImage: "old",
    honoursMaxUnavailable: true,
    does: [["delete db-2", "delete db-1"]],
  },
  {
    name: "... of a share of the replicas, rounded down",
    set: aSet({ ...PARALLEL, ...partition(0, "50%") }),
    pods: [0, 1, 2].map((ordinal) => ({ ordinal, image: "old" })),
    currentImage: "old",
    honoursMaxUnavailable: true,
    does: [["delete db-2"]],
  },
  {
    name: "... of one at a time, where it does not",
    set: aSet({ ...PARALLEL, ...partition(0, 2) }),
    pods: [0, 1, 2].map((ordinal) => ({ ordinal, image: "old" })),
    currentImage: "old",
    does: [["delete db-2"]],
  },
  {
    name: "scaling comes before updating",
    set: aSet({ replicas: 2 }),
    pods: [0, 1, 2].map((ordinal) => ({ ordinal, image: "old" })),
    currentImage: "old",
    does: [["delete db-2"]],
  },
  {
    name: "a finished pod of the old revision is deleted once, not twice",
    set: aSet(PARALLEL),
    pods: [{ ordinal: 0 }, { ordinal: 1 }, { ordinal: 2, image: "old", state: "failed" }],
    currentImage: "old",
    does: [["delete db-2"]],
  },
  {
    name: "a pending pod gets the claims that it lacks",
    pods: [{ ordinal: 0, state: "pending" }],
    claims: [],
    does: [["fill db-0"]],
  },
  {
    name: "a pod without its name gets it back",
    set: aSet({ replicas: 1 }),
    pods: [{ ordinal: 0, metadata: { labels: { app: "db", "controller-revision-hash": "db-old" } } }],
    does: [["update db-0"]],
  },
  { name: "a set that is being deleted is left alone", set: going(), does: [] },
];

describe("the next step", () => {
  test.each(CASES)("$name", ({ does, ...scene }) => {
    const { phases } = planSet(facts(scene));
    const expected = scene.pods?.some(({ metadata }) => metadata !== undefined) === true ? phases.slice(0, 1) : phases;
    expect(told(expected)).toEqual(does);
  });
});

describe("a pod that is made", () => {
  const [[job] = []] = planSet(facts({ set: aSet({ ordinals: { start: 7 } }) })).phases;

  test("has a stable identity", () => {
    expect(job?.pod.metadata).toMatchObject({
      name: "db-7",
      namespace: "prod",
      generateName: "db-",
      labels: {
        app: "db",
        "statefulset.kubernetes.io/pod-name": "db-7",
        "apps.kubernetes.io/pod-index": "7",
      },
      ownerReferences: [
        {
          apiVersion: "apps/v1",
          kind: "StatefulSet",
          name: "db",
          uid: "set",
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    });
    expect(job?.pod.spec).toMatchObject({ hostname: "db-7", subdomain: "db" });
  });

  test("mounts its claims, which are made before it", () => {
    expect(job?.pod.spec.volumes).toEqual([{ name: "data", persistentVolumeClaim: { claimName: "data-db-7" } }]);
    expect(job?.missing.map(({ metadata }) => [metadata.name, metadata.labels])).toEqual([
      ["data-db-7", { app: "db" }],
    ]);
  });

  test("keeps the old template below the partition", () => {
    const set = aSet(partition(2));
    const plan = planSet(facts({ set, pods: [{ ordinal: 0, image: "old" }], currentImage: "old" }));
    expect(plan.phases[0]?.[0]?.pod.spec.containers).toEqual([{ name: "main", image: "old" }]);
  });

  test("waits while a claim of its former self is still to be collected", () => {
    const set = aSet({ persistentVolumeClaimRetentionPolicy: { whenScaled: "Delete" } });
    const [claim] = theClaims(set, aPod(set, { ordinal: 0 }), 0);
    const former = { apiVersion: "v1", kind: "Pod", name: "db-0", uid: "former", controller: true };
    const claims =
      claim === undefined ? [] : [{ ...claim, metadata: { ...claim.metadata, ownerReferences: [former] } }];
    expect(planSet(facts({ set, claims })).phases).toEqual([]);
  });
});

describe("the status", () => {
  test("counts what is created, ready, available, current and updated", () => {
    const set = aSet({ minReadySeconds: 60 });
    const { status, lookAgainAt } = planSet(
      facts({
        set,
        currentImage: "old",
        pods: [
          { ordinal: 0, image: "old" },
          { ordinal: 1, readySince: NOW - 20_000 },
          { ordinal: 2, state: "pending" },
        ],
      }),
    );
    expect(status).toMatchObject({
      replicas: 3,
      readyReplicas: 2,
      availableReplicas: 1,
      currentReplicas: 1,
      updatedReplicas: 2,
      observedGeneration: 1,
    });
    expect(lookAgainAt).toBe(NOW + 40_000);
  });

  test("comes from the new revision when every replica has it and is ready", () => {
    const { status } = planSet(facts({ currentImage: "old", pods: [{ ordinal: 0 }, { ordinal: 1 }, { ordinal: 2 }] }));
    expect(status.currentRevision).toBe(status.updateRevision);
    expect(status.currentReplicas).toBe(3);
  });

  test("takes a pod that is deleted for the update from the current ones, unless that failed", () => {
    const pods = [0, 1, 2].map((ordinal) => ({ ordinal, image: "old" }));
    const { status, statusIfFailed } = planSet(facts({ currentImage: "old", pods }));
    expect([status.currentReplicas, statusIfFailed.currentReplicas]).toEqual([2, 3]);
  });
});
