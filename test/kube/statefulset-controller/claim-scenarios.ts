/** What becomes of the claims of a set. */
import {
  all,
  aTemplate,
  both,
  CREATED,
  change,
  create,
  DELETED,
  holdsClaims,
  kubectl,
  letGo,
  owned,
  patchPod,
  podIs,
  remove,
  rolledOut,
  type Scenario,
  UPDATED,
  withClaimOwner,
} from "./moves.ts";
import type { PodView } from "./snapshot.ts";

const RETAINED = { whenDeleted: "Retain", whenScaled: "Retain" };
const FOUR = ["data-db-0", "data-db-1", "wal-db-0", "wal-db-1"];

export const CLAIM_SCENARIOS: readonly Scenario[] = [
  {
    name: "claims go with pods and set",
    tells: [...CREATED, DELETED, UPDATED],
    steps: [
      {
        what: "create 2",
        act: create({ persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Delete" } }),
        until: all(rolledOut(2, 1), owned("StatefulSet", ...FOUR)),
      },
      {
        what: "scale to 1",
        act: both(
          change({ replicas: 1 }),
          // Nobody protects claims here, so nobody lets go of them.
          ...["data-db-1", "wal-db-1"].map((name) => letGo(name)),
        ),
        until: all(rolledOut(1, 1), holdsClaims("data-db-0", "wal-db-0")),
      },
      {
        what: "scale to 2 again",
        act: change({ replicas: 2 }),
        until: all(rolledOut(2, 1), owned("StatefulSet", ...FOUR)),
      },
      {
        what: "keep them all",
        act: change({ persistentVolumeClaimRetentionPolicy: RETAINED }),
        until: all(rolledOut(2, 1), owned(undefined, ...FOUR)),
      },
      {
        what: "only with the set",
        act: change({ persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Retain" } }),
        until: all(rolledOut(2, 1), owned("StatefulSet", ...FOUR)),
      },
      {
        what: "scaling down keeps them",
        act: change({ replicas: 1 }),
        until: all(rolledOut(1, 1), owned("StatefulSet", ...FOUR)),
      },
      {
        what: "deleting the set takes them along",
        act: kubectl("delete", "statefulset/db", "--wait=false"),
        until: ({ set, pods, claims, revisions }) =>
          set === null &&
          Object.keys({ ...pods, ...revisions }).length === 0 &&
          Object.values(claims).every((claim) => (claim as PodView).terminating),
      },
    ],
  },
  {
    name: "claims go with pods alone",
    tells: [...CREATED, DELETED],
    steps: [
      {
        what: "create 2 whose pods linger",
        act: create({
          template: aTemplate("one", { "test/lingers": "true" }),
          persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Delete" },
        }),
        until: all(rolledOut(2, 1), owned(undefined, ...FOUR)),
      },
      {
        what: "scale to 1",
        act: change({ replicas: 1 }),
        until: all(podIs("db-1", { terminating: true }, 2, 2), owned("Pod", "data-db-1", "wal-db-1")),
      },
    ],
  },
  {
    name: "a claim that is going holds up its pod",
    tells: [
      ...CREATED,
      "Warning FailedCreate: Create Pod POD in StatefulSet db failed error: pvc CLAIM is being deleted",
    ],
    steps: [
      { what: "create 2", act: create(), until: rolledOut(2, 1) },
      {
        what: "delete claim and pod",
        act: both(remove("persistentvolumeclaims/data-db-1"), remove("pods/db-1")),
        until: ({ pods, set }) => pods["db-1"] === undefined && set?.status?.replicas === 1,
      },
      { what: "it is gone", act: letGo("data-db-1"), until: rolledOut(2, 1) },
    ],
  },
  {
    name: "claims of pods that wait come back",
    tells: CREATED,
    steps: [
      {
        what: "create 1 that does not start",
        act: create({ replicas: 1, template: aTemplate("one", { "test/state": "pending" }) }),
        until: podIs("db-0", { phase: "Pending" }, 1, 1),
      },
      {
        what: "a claim is lost",
        act: both(
          remove("persistentvolumeclaims/wal-db-0"),
          letGo("wal-db-0"),
          patchPod("db-0", { metadata: { labels: { seen: "yes" } } }),
        ),
        until: all(
          podIs("db-0", { phase: "Pending" }, 1, 1),
          holdsClaims("data-db-0", "wal-db-0"),
          owned(undefined, "wal-db-0"),
        ),
      },
    ],
  },
  {
    name: "a claim that another controller owns",
    tells: [
      ...CREATED,
      "Warning ConflictingController: PersistentVolumeClaim CLAIM has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim",
    ],
    steps: [
      {
        what: "create 1 whose claims go with it",
        act: both(
          withClaimOwner("data-db-0"),
          create({
            replicas: 1,
            persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Delete" },
          }),
        ),
        until: all(rolledOut(1, 1), owned("ConfigMap", "data-db-0"), owned("StatefulSet", "wal-db-0")),
      },
    ],
  },
];
