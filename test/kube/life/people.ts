/** What people do in a cluster, and what they see there: create, edit, look, wait. */
import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { PersistentVolumeClaim, Pod, StatefulSet, StorageClass } from "../../../src/core/types.ts";
import {
  CLAIMS,
  EVENTS,
  type KubeClient,
  PODS,
  QUOTAS,
  STATEFUL_SETS,
  STORAGE_CLASSES,
} from "../../../src/kube/index.ts";

/** Where all of it is. */
export const NAMESPACE = "prod";
const PATIENCE = 60_000;

export interface ClaimWish {
  readonly storageClass?: string;
  readonly volumeMode?: "Filesystem" | "Block";
}

export interface SetWish extends ClaimWish {
  readonly replicas?: number;
  readonly size: string;
}

export interface People {
  /** A class of the memory driver. */
  createClass(name: string, parameters: Readonly<Record<string, string>>, more?: Partial<StorageClass>): Promise<void>;
  createQuota(storage: string): Promise<void>;
  createClaim(name: string, size: string, wish?: ClaimWish): Promise<void>;
  /** A pod that uses the claim of the same name. */
  createPod(name: string, wish?: ClaimWish): Promise<void>;
  createSet(name: string, wish: SetWish): Promise<void>;
  /** A person writes another size into the claim. */
  request(name: string, size: string): Promise<void>;
  /** A person writes another size into the template `data`. */
  editTemplate(name: string, size: string): Promise<StatefulSet>;
  scale(name: string, replicas: number): Promise<void>;
  claim(name: string): Promise<PersistentVolumeClaim>;
  /** What the quota says is used, when it has come to say this. */
  quotaIs(storage: string): Promise<void>;
  /** Waits until the claim looks like this. */
  claimIs(name: string, wanted: Partial<ClaimLook>): Promise<ClaimLook>;
  podsAreReady(...names: readonly string[]): Promise<void>;
  podIsGone(name: string): Promise<void>;
  /** After a restart volumes are mounted again while their pods run. */
  filesAreThere(...paths: readonly string[]): Promise<void>;
  /** Waits until something like this was told about an object of this name, as `Reason: message`. Events come when there is time. */
  isTold(name: string, text: string): Promise<void>;
}

export interface ClaimLook {
  readonly request: string | undefined;
  readonly capacity: string | undefined;
  readonly allocated: string | undefined;
  /** In Kubernetes' words of today; empty when nothing is under way. */
  readonly state: string;
  readonly volume: string;
}

export function lookOf({ spec, status }: PersistentVolumeClaim): ClaimLook {
  return {
    request: spec.resources?.requests?.["storage"],
    capacity: status?.capacity?.["storage"],
    allocated: status?.allocatedResources?.["storage"],
    state: status?.allocatedResourceStatuses?.["storage"] ?? "",
    volume: spec.volumeName ?? "",
  };
}

/** In namespace `prod`, which must be there. `client` is asked for anew each time: a cluster that starts again has another one. */
export function createPeople(client: () => KubeClient): People {
  const people: People = {
    async createClass(name, parameters, more = {}) {
      const provisioner = "memory.csi.outgrow.dev";
      const object = { metadata: { name }, provisioner, parameters, allowVolumeExpansion: true, ...more };
      await client().create(STORAGE_CLASSES, object);
    },
    async createQuota(storage) {
      const metadata = { name: "storage", namespace: NAMESPACE };
      await client().create(QUOTAS, { metadata, spec: { hard: { "requests.storage": storage } } });
      await people.quotaIs("0");
    },
    async createClaim(name, size, wish) {
      await client().create(CLAIMS, { metadata: { name, namespace: NAMESPACE }, spec: claimSpec(size, wish) });
    },
    async createPod(name, wish) {
      await client().create(PODS, aPod(name, wish));
    },
    async createSet(name, wish) {
      await client().create(STATEFUL_SETS, aSet(name, wish));
    },
    async request(name, size) {
      const body = { spec: { resources: { requests: { storage: size } } } };
      await client().patch(CLAIMS, at(name), { type: "merge", body });
    },
    editTemplate(name, size) {
      const path = "/spec/volumeClaimTemplates/0/spec/resources/requests/storage";
      return client().patch(STATEFUL_SETS, at(name), { type: "json", body: [{ op: "replace", path, value: size }] });
    },
    async scale(name, replicas) {
      await client().patch(STATEFUL_SETS, at(name), { type: "merge", body: { spec: { replicas } } });
    },
    claim: (name) => client().get(CLAIMS, at(name)),
    async quotaIs(storage) {
      await eventually(`quota to be ${storage}`, storage, async () => {
        const { status } = await client().get(QUOTAS, at("storage"));
        return status?.used?.["requests.storage"];
      });
    },
    async claimIs(name, wanted) {
      let look: ClaimLook | undefined;
      const fits = async (): Promise<boolean> => {
        const { items } = await client().list(CLAIMS, { namespace: NAMESPACE, fieldSelector: `metadata.name=${name}` });
        look = items[0] && lookOf(items[0]);
        return (
          look !== undefined && Object.entries(wanted).every(([key, value]) => look?.[key as keyof ClaimLook] === value)
        );
      };
      await waitFor(`claim ${name} to be ${JSON.stringify(wanted)}`, fits, () => JSON.stringify(look));
      return look as ClaimLook;
    },
    async podsAreReady(...names) {
      for (const name of names) {
        await eventually(`pod ${name} to be ready`, "True", async () => {
          const { items } = await client().list(PODS, { namespace: NAMESPACE, fieldSelector: `metadata.name=${name}` });
          return items[0]?.status?.conditions?.find(({ type }) => type === "Ready")?.status;
        });
      }
    },
    async podIsGone(name) {
      await eventually(`pod ${name} to be gone`, 0, async () => {
        const { items } = await client().list(PODS, { namespace: NAMESPACE, fieldSelector: `metadata.name=${name}` });
        return items.length;
      });
    },
    async filesAreThere(...paths) {
      for (const path of paths) await eventually(path, true, () => Promise.resolve(existsSync(path)));
    },
    async isTold(name, text) {
      let told: readonly string[] = [];
      const isSo = async (): Promise<boolean> => {
        const { items } = await client().list(EVENTS, { namespace: NAMESPACE });
        const about = items.filter(({ involvedObject }) => involvedObject.name === name);
        told = about.map(({ reason, message }) => `${reason}: ${message}`);
        return told.some((each) => each.includes(text));
      };
      await waitFor(`${name} to be told "${text}"`, isSo, () => told.join("; "));
    },
  };
  return people;
}

async function eventually<T>(what: string, wanted: T, look: () => Promise<T | undefined>): Promise<void> {
  let last: T | undefined;
  const isSo = async (): Promise<boolean> => {
    last = await look();
    return last === wanted;
  };
  await waitFor(what, isSo, () => String(last));
}

/** The cluster is in this process: a look now and then leaves it room to work. */
export async function waitFor(
  what: string,
  isSo: () => Promise<boolean>,
  last: () => string,
  patience = PATIENCE,
): Promise<void> {
  const end = performance.now() + patience;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`waited in vain for ${what}; it is ${last()}`);
    await setTimeout(20);
  }
}

function at(name: string): { namespace: string; name: string } {
  return { namespace: NAMESPACE, name };
}

function claimSpec(size: string, { storageClass = "memory", volumeMode = "Filesystem" }: ClaimWish = {}) {
  return {
    accessModes: ["ReadWriteOnce"],
    storageClassName: storageClass,
    volumeMode,
    resources: { requests: { storage: size } },
  };
}

function podSpec({ volumeMode = "Filesystem" }: ClaimWish = {}) {
  const use =
    volumeMode === "Block"
      ? { volumeDevices: [{ name: "data", devicePath: "/dev/data" }] }
      : { volumeMounts: [{ name: "data", mountPath: "/data" }] };
  return { terminationGracePeriodSeconds: 0, containers: [{ name: "main", image: "database", ...use }] };
}

function aPod(name: string, wish: ClaimWish = {}): Pod {
  const volumes = [{ name: "data", persistentVolumeClaim: { claimName: name } }];
  return { metadata: { name, namespace: NAMESPACE }, spec: { ...podSpec(wish), volumes } };
}

function aSet(name: string, { replicas = 2, size, ...wish }: SetWish): StatefulSet {
  const labels = { app: name };
  return {
    metadata: { name, namespace: NAMESPACE },
    spec: {
      serviceName: name,
      replicas,
      selector: { matchLabels: labels },
      podManagementPolicy: "Parallel",
      template: { metadata: { labels }, spec: podSpec(wish) },
      volumeClaimTemplates: [{ metadata: { name: "data" }, spec: claimSpec(size, wish) }],
    },
  };
}
