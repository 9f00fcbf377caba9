/**
 * What people do to StatefulSets. Each step changes something and says when that has been dealt with; what the cluster
 * looks like then is compared.
 */
import type { ControlPlane } from "../control-plane.ts";
import type { PodView, Snapshot } from "./snapshot.ts";

/** The cluster, and the one namespace of it that the scenario has for itself. */
export interface Scene {
  readonly plane: ControlPlane;
  readonly namespace: string;
}

export interface Step {
  readonly what: string;
  readonly act: (scene: Scene) => Promise<unknown>;
  readonly until: (snapshot: Snapshot) => boolean;
}

export interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

const core = ({ namespace }: Scene): string => `/api/v1/namespaces/${namespace}`;
const sets = ({ namespace }: Scene): string => `/apis/apps/v1/namespaces/${namespace}/statefulsets`;

/** A set called `db` with templates `data` and `wal`, of two replicas unless told otherwise. */
export function aSet(spec: object = {}, metadata: object = {}): object {
  const claim = (name: string, storage: string): object => ({
    metadata: { name, labels: { volume: name }, annotations: { note: name } },
    spec: { accessModes: ["ReadWriteOnce"], storageClassName: "none", resources: { requests: { storage } } },
  });
  return {
    metadata: { name: "db", annotations: { "kubernetes.io/change-cause": "first" }, ...metadata },
    spec: {
      serviceName: "db",
      replicas: 2,
      selector: { matchLabels: { app: "db" } },
      template: aTemplate("one"),
      volumeClaimTemplates: [claim("data", "1Gi"), claim("wal", "500M")],
      ...spec,
    },
  };
}

/** A pod template whose image is `image`; `note` goes into the environment of its container. */
export function aTemplate(image: string, annotations: object = {}, note = "a < b && c > d \u2028 é 𝄞"): object {
  return {
    metadata: { labels: { app: "db", tier: "data" }, annotations: { team: "storage", ...annotations } },
    spec: {
      // Bound from the start: a pod that nobody runs would be gone at once when deleted.
      nodeName: "node-1",
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 30,
      containers: [
        { name: "main", image, env: [{ name: "NOTE", value: note }], resources: { requests: { cpu: "0.5" } } },
      ],
      volumes: [{ name: "scratch", emptyDir: {} }],
    },
  };
}

export const create =
  (spec: object = {}) =>
  (scene: Scene): Promise<unknown> =>
    scene.plane.api.create(sets(scene), aSet(spec));

export const change =
  (spec: object) =>
  (scene: Scene): Promise<unknown> =>
    scene.plane.api.patch(`${sets(scene)}/db`, { spec });

const roll = (image: string, annotations: object = {}) => change({ template: aTemplate(image, annotations) });

const patchPod =
  (name: string, patch: object, subresource = "") =>
  (scene: Scene): Promise<unknown> =>
    scene.plane.api.patch(`${core(scene)}/pods/${name}${subresource}`, patch);

const remove =
  (path: string) =>
  (scene: Scene): Promise<unknown> =>
    scene.plane.api.delete(`${core(scene)}/${path}`);

const kubectl =
  (...args: string[]) =>
  (scene: Scene): Promise<unknown> =>
    scene.plane.kubectl([...args, "--namespace", scene.namespace]);

const both =
  (...acts: ((scene: Scene) => Promise<unknown>)[]) =>
  async (scene: Scene): Promise<void> => {
    for (const act of acts) await act(scene);
  };

/** The set has said so about its latest generation, and has this many pods, all of them ready and none going. */
export const settled =
  (replicas: number) =>
  ({ set, pods }: Snapshot): boolean => {
    const all = Object.values(pods) as PodView[];
    const { observedGeneration, readyReplicas = 0, availableReplicas = 0, currentRevision } = set?.status ?? {};
    return (
      set !== null &&
      observedGeneration === set.generation &&
      set.status?.replicas === replicas &&
      readyReplicas === replicas &&
      availableReplicas === replicas &&
      currentRevision !== undefined &&
      all.length === replicas &&
      all.every(({ phase, ready, terminating }) => phase === "Running" && ready === "True" && !terminating)
    );
  };

/** The same, and nothing is being rolled out any more; so many revisions are left. */
export const rolledOut =
  (replicas: number, revisions: number) =>
  (snapshot: Snapshot): boolean => {
    const { currentRevision, updateRevision, currentReplicas = 0, updatedReplicas = 0 } = snapshot.set?.status ?? {};
    return (
      settled(replicas)(snapshot) &&
      currentRevision === updateRevision &&
      currentReplicas === replicas &&
      updatedReplicas === replicas &&
      Object.keys(snapshot.revisions).length === revisions
    );
  };

/** So many replicas are updated, and all are well. */
const updated =
  (replicas: number, updatedReplicas: number) =>
  (snapshot: Snapshot): boolean =>
    settled(replicas)(snapshot) &&
    (snapshot.set?.status?.updatedReplicas ?? 0) === updatedReplicas &&
    snapshot.set?.status?.currentRevision !== snapshot.set?.status?.updateRevision;

const podIs =
  (
    name: string,
    want: { phase?: string; terminating?: boolean; ready?: string },
    replicas: number,
    generation: number,
  ) =>
  ({ set, pods }: Snapshot): boolean => {
    const pod = pods[name] as Record<string, unknown> | undefined;
    return (
      pod !== undefined &&
      Object.entries(want).every(([field, value]) => pod[field] === value) &&
      set?.status?.observedGeneration === generation &&
      set.status.replicas === replicas
    );
  };

const owned =
  (kind: string | undefined, ...claims: string[]) =>
  (snapshot: Snapshot): boolean =>
    claims.every((name) => {
      const claim = snapshot.claims[name] as { ownerReferences: { kind: string }[] } | undefined;
      return claim !== undefined && claim.ownerReferences[0]?.kind === kind;
    });

const all =
  (...conditions: ((snapshot: Snapshot) => boolean)[]) =>
  (snapshot: Snapshot): boolean =>
    conditions.every((condition) => condition(snapshot));

const holdsClaims =
  (...names: string[]) =>
  ({ claims }: Snapshot): boolean =>
    Object.keys(claims).sort().join() === names.sort().join();

const RETAINED = { whenDeleted: "Retain", whenScaled: "Retain" };
const FOUR = ["data-db-0", "data-db-1", "wal-db-0", "wal-db-1"];

export const SCENARIOS: readonly Scenario[] = [
  ...["OrderedReady", "Parallel"].map((podManagementPolicy) => ({
    name: `${podManagementPolicy.toLowerCase()}: up, down, rolled out, undone`,
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
    name: "claims go with pods and set",
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
    ],
  },
  {
    name: "claims go with pods alone",
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
    name: "a broken pod holds up the update, and its own scaling down",
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
    steps: [
      { what: "create 2", act: create({ minReadySeconds: 1 }), until: rolledOut(2, 1) },
      { what: "new image", act: roll("two"), until: rolledOut(2, 2) },
    ],
  },
  {
    name: "a history of one",
    steps: [
      { what: "create 1", act: create({ replicas: 1, revisionHistoryLimit: 1 }), until: rolledOut(1, 1) },
      ...["two", "three", "four"].map((image, index) => ({
        what: image,
        act: roll(image),
        until: rolledOut(1, 2),
        index,
      })),
    ],
  },
  {
    name: "a claim that is going holds up its pod",
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
];

/** Takes the protection from a claim that is being deleted, or will be. */
function letGo(name: string) {
  return (scene: Scene): Promise<unknown> =>
    scene.plane.api.patch(`${core(scene)}/persistentvolumeclaims/${name}`, { metadata: { finalizers: null } });
}
