/** What becomes of the pods of a set, and of its revisions. */
import {
  all,
  both,
  CREATED,
  change,
  create,
  DELETED,
  kubectl,
  patchPod,
  podIs,
  remove,
  roll,
  rolledOut,
  type Scenario,
  settled,
  UPDATED,
  updated,
} from "./moves.ts";

export const POD_SCENARIOS: readonly Scenario[] = [
  ...["OrderedReady", "Parallel"].map((podManagementPolicy) => ({
    name: `${podManagementPolicy.toLowerCase()}: up, down, rolled out, undone`,
    tells: [...CREATED, DELETED],
    steps: [
      { what: "create 3", act: create({ replicas: 3, podManagementPolicy }), until: rolledOut(3, 1) },
      { what: "scale to 5", act: change({ replicas: 5 }), until: rolledOut(5, 1) },
      { what: "scale to 2", act: change({ replicas: 2 }), until: rolledOut(2, 1) },
      { what: "new image", act: roll("two"), until: rolledOut(2, 2) },
      { what: "another image", act: roll("three"), until: rolledOut(2, 3) },
      { what: "kubectl rollout undo", act: kubectl("rollout", "undo", "statefulset/db"), until: rolledOut(2, 3) },
      {
        what: "undo to the first",
        act: kubectl("rollout", "undo", "statefulset/db", "--to-revision=1"),
        until: rolledOut(2, 3),
      },
      { what: "scale to 0", act: change({ replicas: 0 }), until: settled(0) },
    ],
  })),
  {
    name: "ordinals and a partition",
    tells: [...CREATED, DELETED],
    steps: [
      {
        what: "create 3 from 5",
        act: create({
          replicas: 3,
          ordinals: { start: 5 },
          updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 2 } },
        }),
        until: rolledOut(3, 1),
      },
      { what: "new image from the partition up", act: roll("two"), until: updated(3, 1) },
      { what: "a pod below the partition is replaced by its like", act: remove("pods/db-5"), until: updated(3, 1) },
      {
        what: "lower the partition",
        act: change({ updateStrategy: { rollingUpdate: { partition: 1 } } }),
        until: updated(3, 2),
      },
      {
        what: "no partition",
        act: change({ updateStrategy: { rollingUpdate: { partition: 0 } } }),
        until: rolledOut(3, 2),
      },
      { what: "start elsewhere", act: change({ ordinals: { start: 6 } }), until: rolledOut(3, 2) },
    ],
  },
  {
    name: "OnDelete",
    tells: CREATED,
    steps: [
      { what: "create 2", act: create({ updateStrategy: { type: "OnDelete" } }), until: settled(2) },
      {
        what: "new image",
        act: roll("two"),
        until: all(settled(2), ({ revisions }) => Object.keys(revisions).length === 2),
      },
      { what: "delete a pod", act: remove("pods/db-0"), until: updated(2, 1) },
      { what: "delete the other", act: remove("pods/db-1"), until: updated(2, 2) },
    ],
  },
  {
    name: "a broken pod holds up the update, and its own scaling down",
    tells: [...CREATED, DELETED],
    steps: [
      { what: "create 3", act: create({ replicas: 3 }), until: rolledOut(3, 1) },
      {
        what: "an image that never gets ready",
        act: roll("broken", { "test/state": "unready" }),
        until: podIs("db-2", { phase: "Running", ready: "False", terminating: false }, 3, 2),
      },
      {
        what: "a good image does not help it",
        act: roll("good", { "test/state": null }),
        until: all(
          podIs("db-2", { ready: "False", terminating: false }, 3, 3),
          ({ revisions }) => Object.keys(revisions).length === 3,
        ),
      },
      { what: "deleting it does", act: remove("pods/db-2"), until: rolledOut(3, 3) },
    ],
  },
  {
    name: "pods that ended, went, or lost their name",
    tells: [...CREATED, DELETED, UPDATED],
    steps: [
      { what: "create 3", act: create({ replicas: 3 }), until: rolledOut(3, 1) },
      {
        what: "failed",
        act: patchPod("db-1", { status: { phase: "Failed" } }, "/status"),
        until: rolledOut(3, 1),
      },
      {
        what: "succeeded",
        act: patchPod("db-0", { status: { phase: "Succeeded" } }, "/status"),
        until: rolledOut(3, 1),
      },
      { what: "deleted", act: remove("pods/db-2"), until: rolledOut(3, 1) },
      {
        what: "without its name",
        act: patchPod("db-1", {
          metadata: { labels: { "statefulset.kubernetes.io/pod-name": null, "apps.kubernetes.io/pod-index": null } },
        }),
        until: all(rolledOut(3, 1), ({ pods }) => {
          const { labels } = pods["db-1"] as { labels: Record<string, string> };
          return labels["statefulset.kubernetes.io/pod-name"] === "db-1";
        }),
      },
    ],
  },
  {
    name: "pods let go and taken, revisions too",
    tells: CREATED,
    steps: [
      { what: "create 2", act: create(), until: rolledOut(2, 1) },
      {
        what: "a pod that no longer fits is let go",
        act: patchPod("db-1", { metadata: { labels: { app: "other" } } }),
        until: ({ pods, set }) =>
          (pods["db-1"] as { ownerReferences: unknown[] }).ownerReferences.length === 0 && set?.status?.replicas === 1,
      },
      {
        what: "and taken again",
        act: patchPod("db-1", { metadata: { labels: { app: "db" } } }),
        until: rolledOut(2, 1),
      },
      {
        what: "deleted with orphaning, and created again",
        act: both(
          kubectl("delete", "statefulset/db", "--cascade=orphan", "--wait"),
          create({ replicas: 3, revisionHistoryLimit: 5 }),
        ),
        until: all(rolledOut(3, 1), (snapshot) => !JSON.stringify(snapshot).includes('"gone"')),
      },
    ],
  },
  {
    name: "minReadySeconds",
    tells: [...CREATED, DELETED],
    steps: [
      { what: "create 2", act: create({ minReadySeconds: 1 }), until: rolledOut(2, 1) },
      { what: "new image", act: roll("two"), until: rolledOut(2, 2) },
    ],
  },
  {
    name: "a history of one",
    tells: [...CREATED, DELETED],
    steps: [
      { what: "create 1", act: create({ replicas: 1, revisionHistoryLimit: 1 }), until: rolledOut(1, 1) },
      ...["two", "three", "four"].map((image) => ({
        what: image,
        act: roll(image),
        until: rolledOut(1, 2),
      })),
    ],
  },
  {
    name: "a broken image in a parallel set is got over",
    tells: [...CREATED, DELETED],
    steps: [
      {
        what: "create 3",
        act: create({ replicas: 3, podManagementPolicy: "Parallel" }),
        until: rolledOut(3, 1),
      },
      {
        what: "an image that never gets ready",
        act: roll("broken", { "test/state": "unready" }),
        until: podIs("db-2", { phase: "Running", ready: "False", terminating: false }, 3, 2),
      },
      { what: "a good image", act: roll("good", { "test/state": null }), until: rolledOut(3, 3) },
    ],
  },
];
