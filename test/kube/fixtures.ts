/** Objects that most tests begin with, ready to use: what binder, scheduler and kubelet would have made of them. */
import type {
  KubeObject,
  ObjectMeta,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  StorageClass,
} from "../../src/core/types.ts";
import { ApiRefusal } from "./api.ts";
import type { ClusterAccess } from "./control-plane.ts";
import { waitFor } from "./wait.ts";

const BINDER = "persistentvolume-binder-controller";
const VOLUMES = "/api/v1/persistentvolumes";
const claimsIn = (namespace = "default") => `/api/v1/namespaces/${namespace}/persistentvolumeclaims`;

/** Creates a namespace; one that is there already is fine. */
export async function createNamespace(plane: ClusterAccess, name: string): Promise<void> {
  await plane.api.create("/api/v1/namespaces", { metadata: { name } }).catch((error: unknown) => {
    if (!(error instanceof ApiRefusal && error.reason === "AlreadyExists")) throw error;
  });
}

/** Creates a storage class; it allows expansion unless told otherwise. */
export function createStorageClass(
  plane: ClusterAccess,
  name: string,
  provisioner: string,
  more: Partial<StorageClass> = {},
): Promise<StorageClass> {
  const storageClass = { metadata: { name }, provisioner, allowVolumeExpansion: true, ...more };
  return plane.api.create("/apis/storage.k8s.io/v1/storageclasses", storageClass);
}

/**
 * Creates the quota `storage` for what the claims of a namespace ask for, and resolves when it holds. Before somebody has counted what is
 * there, the API server lets claims in that nobody counts afterwards.
 */
export async function createStorageQuota(
  { api }: Pick<ClusterAccess, "api">,
  namespace: string,
  storage: string,
): Promise<void> {
  await api.create(`/api/v1/namespaces/${namespace}/resourcequotas`, {
    metadata: { name: "storage" },
    spec: { hard: { "requests.storage": storage } },
  });
  const tooMuch = {
    metadata: { name: "too-much" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Ei" } } },
  };
  const isRefused = (error: unknown): boolean => {
    if (error instanceof ApiRefusal) return error.message.includes("exceeded quota: storage");
    throw error;
  };
  const dryRun = () => api.create(`${claimsIn(namespace)}?dryRun=All`, tooMuch);
  await waitFor(`the quota of ${namespace} to hold`, () => dryRun().then(() => false, isRefused), {
    timeoutMs: 120_000,
  });
}

/** A claim and the volume that it is bound to. */
export interface BoundClaim {
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume;
}

export interface ClaimFixture {
  readonly name: string;
  /** `default` unless told. */
  readonly namespace?: string;
  /** What the claim asks for and the volume has. */
  readonly size: string;
  /** Name of the CSI driver. The volume's handle is its name, `pv-NAMESPACE-NAME`. */
  readonly driver: string;
  readonly className?: string;
  /** Added to the claim's metadata, its spec, and the volume's spec. */
  readonly metadata?: Partial<ObjectMeta>;
  readonly claimSpec?: Partial<PersistentVolumeClaim["spec"]>;
  readonly volumeSpec?: Partial<PersistentVolume["spec"]>;
}

/** Creates one claim with its volume, and resolves when they are bound. */
export async function createBoundClaim(plane: ClusterAccess, fixture: ClaimFixture): Promise<BoundClaim> {
  const [bound] = await createBoundClaims(plane, [fixture]);
  if (bound === undefined) throw new Error(`claim ${fixture.name} was not created`);
  return bound;
}

/**
 * Creates many claims with their volumes, and resolves when all are bound, in the order given. The binder of the cluster
 * binds them if it runs; without it their status is written as it would have been, which is also quicker.
 */
export async function createBoundClaims(
  plane: ClusterAccess,
  fixtures: readonly ClaimFixture[],
): Promise<readonly BoundClaim[]> {
  if (!plane.runs(BINDER)) return Promise.all(fixtures.map((fixture) => createAsBound(plane, fixture)));
  const created = await Promise.all(fixtures.map((fixture) => createToBind(plane, fixture)));
  return waitForBinder(plane, created);
}

/** The volume first: a claim whose volume is missing waits for the binder's next period. */
async function createToBind(plane: ClusterAccess, fixture: ClaimFixture): Promise<BoundClaim> {
  const { claim, volume } = describePair(fixture);
  return {
    volume: await plane.api.create(VOLUMES, volume),
    claim: await plane.api.create(claimsIn(claim.metadata.namespace), claim),
  };
}

/** Writes what pkg/controller/volume/persistentvolume leaves behind when it binds a claim to the volume that it names. */
async function createAsBound(plane: ClusterAccess, fixture: ClaimFixture): Promise<BoundClaim> {
  const { claim, volume } = describePair(fixture);
  const claims = claimsIn(claim.metadata.namespace);
  claim.metadata.annotations = { ...claim.metadata.annotations, "pv.kubernetes.io/bind-completed": "yes" };
  const { metadata } = await plane.api.create<PersistentVolumeClaim>(claims, claim);
  volume.spec.claimRef = { ...volume.spec.claimRef, uid: metadata.uid ?? "" };
  await plane.api.create(VOLUMES, volume);

  const { accessModes, capacity } = volume.spec;
  return {
    volume: await plane.api.patch(`${VOLUMES}/${volume.metadata.name}/status`, { status: { phase: "Bound" } }),
    claim: await plane.api.patch(`${claims}/${metadata.name}/status`, {
      status: { phase: "Bound", accessModes, capacity },
    }),
  };
}

function describePair(fixture: ClaimFixture): { claim: PersistentVolumeClaim; volume: PersistentVolume } {
  const { name, namespace = "default", size, driver, className = "" } = fixture;
  const volumeName = `pv-${namespace}-${name}`;
  const common = { accessModes: ["ReadWriteOnce"], storageClassName: className };
  return {
    claim: {
      metadata: { ...fixture.metadata, name, namespace },
      spec: { ...common, resources: { requests: { storage: size } }, volumeName, ...fixture.claimSpec },
    },
    volume: {
      metadata: { name: volumeName },
      spec: {
        ...common,
        capacity: { storage: size },
        persistentVolumeReclaimPolicy: "Delete",
        claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name },
        csi: { driver, volumeHandle: volumeName, fsType: "ext4" },
        ...fixture.volumeSpec,
      },
    },
  };
}

async function waitForBinder(plane: ClusterAccess, created: readonly BoundClaim[]): Promise<readonly BoundClaim[]> {
  const namespaces = [...new Set(created.map(({ claim }) => claim.metadata.namespace))];
  return waitFor(
    `${created.length} claims to be bound`,
    async () => {
      const claims = await listByUid<PersistentVolumeClaim>(
        plane,
        namespaces.map((namespace) => claimsIn(namespace)),
      );
      const volumes = await listByUid<PersistentVolume>(plane, [VOLUMES]);
      const found = created.flatMap((pair) => {
        const claim = claims.get(pair.claim.metadata.uid);
        const volume = volumes.get(pair.volume.metadata.uid);
        const bound = claim?.status?.phase === "Bound" && volume?.status?.phase === "Bound";
        return bound ? [{ claim, volume }] : [];
      });
      return found.length === created.length && found;
    },
    { timeoutMs: 120_000, everyMs: 200 },
  );
}

async function listByUid<T extends KubeObject>(plane: ClusterAccess, paths: readonly string[]) {
  const lists = await Promise.all(paths.map((path) => plane.api.get<{ items: T[] }>(path)));
  return new Map(lists.flatMap(({ items }) => items).map((object) => [object.metadata.uid, object]));
}

/** Creates a node that is ready. It stays so: nobody expects a kubelet here. */
export async function createNode(plane: ClusterAccess, name: string): Promise<void> {
  await plane.api.create("/api/v1/nodes", { metadata: { name, labels: { "kubernetes.io/hostname": name } } });
  await plane.api.patch(
    `/api/v1/nodes/${name}/status`,
    { status: { conditions: [{ type: "Ready", status: "True", reason: "KubeletReady", message: "" }] } },
    "strategic-merge",
  );
}

export interface PodFixture {
  readonly name: string;
  readonly namespace?: string;
  /** The node that it is bound to; it must exist, or the pod is collected as garbage. */
  readonly node: string;
  /** Names of the claims that it uses. */
  readonly claims?: readonly string[];
  /** `Running` unless told. */
  readonly phase?: string;
}

/** Creates a pod as a kubelet would report it. It is gone at once when deleted, as nobody would stop it. */
export async function createPod(plane: ClusterAccess, fixture: PodFixture): Promise<Pod> {
  const { name, namespace = "default", node, claims = [], phase = "Running" } = fixture;
  const collection = `/api/v1/namespaces/${namespace}/pods`;
  await plane.api.create(collection, {
    metadata: { name },
    spec: {
      nodeName: node,
      terminationGracePeriodSeconds: 0,
      automountServiceAccountToken: false,
      containers: [{ name: "main", image: "none" }],
      volumes: claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
    },
  });
  return plane.api.patch(`${collection}/${name}/status`, {
    status: { phase, conditions: [{ type: "Ready", status: phase === "Running" ? "True" : "False" }] },
  });
}
