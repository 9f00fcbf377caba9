/** What people do to a StatefulSet called `db`, and how to tell that it has been dealt with. */
import type { KubeObject } from "../../../src/core/types.ts";
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

/** Step by step, what is done to a set, and until when. What the cluster looks like then is compared. */
export interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
  /** What people have been told in the end, of whichever pod and claim. */
  readonly tells: readonly string[];
}

export const CREATED = [
  "Normal SuccessfulCreate: Create Claim CLAIM Pod POD in StatefulSet db success",
  "Normal SuccessfulCreate: Create Pod POD in StatefulSet db successful",
] as const;
export const DELETED = "Normal SuccessfulDelete: Delete Pod POD in StatefulSet db successful";
export const UPDATED = "Normal SuccessfulUpdate: Update Pod POD in StatefulSet db successful";

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

export const roll = (image: string, annotations: object = {}) => change({ template: aTemplate(image, annotations) });

export const patchPod =
  (name: string, patch: object, subresource = "") =>
  (scene: Scene): Promise<unknown> =>
    scene.plane.api.patch(`${core(scene)}/pods/${name}${subresource}`, patch);

export const remove =
  (path: string) =>
  (scene: Scene): Promise<unknown> =>
    scene.plane.api.delete(`${core(scene)}/${path}`);

export const kubectl =
  (...args: string[]) =>
  (scene: Scene): Promise<unknown> =>
    scene.plane.kubectl([...args, "--namespace", scene.namespace]);

export const both =
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
export const updated =
  (replicas: number, updatedReplicas: number) =>
  (snapshot: Snapshot): boolean =>
    settled(replicas)(snapshot) &&
    (snapshot.set?.status?.updatedReplicas ?? 0) === updatedReplicas &&
    snapshot.set?.status?.currentRevision !== snapshot.set?.status?.updateRevision;

export const podIs =
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

export const owned =
  (kind: string | undefined, ...claims: string[]) =>
  (snapshot: Snapshot): boolean =>
    claims.every((name) => {
      const claim = snapshot.claims[name] as { ownerReferences: { kind: string }[] } | undefined;
      return claim !== undefined && claim.ownerReferences[0]?.kind === kind;
    });

export const all =
  (...conditions: ((snapshot: Snapshot) => boolean)[]) =>
  (snapshot: Snapshot): boolean =>
    conditions.every((condition) => condition(snapshot));

export const holdsClaims =
  (...names: string[]) =>
  ({ claims }: Snapshot): boolean =>
    Object.keys(claims).sort().join() === names.sort().join();

/** Takes the protection from a claim that is being deleted, or will be. */
export function letGo(name: string) {
  return (scene: Scene): Promise<unknown> =>
    scene.plane.api.patch(`${core(scene)}/persistentvolumeclaims/${name}`, { metadata: { finalizers: null } });
}

/** Makes a claim of the set's before the set does, owned by another controller. */
export function withClaimOwner(name: string) {
  return async (scene: Scene): Promise<void> => {
    const { metadata } = await scene.plane.api.create<KubeObject>(`${core(scene)}/configmaps`, {
      metadata: { name: "owner" },
    });
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: metadata.uid, controller: true };
    await scene.plane.api.create(`${core(scene)}/persistentvolumeclaims`, {
      metadata: { name, labels: { app: "db" }, ownerReferences: [owner] },
      spec: {
        accessModes: ["ReadWriteOnce"],
        storageClassName: "none",
        resources: { requests: { storage: "1Gi" } },
      },
    });
  };
}
