/** Objects that most tests begin with, ready to use: what binder, scheduler and kubelet would have made of them. */
import type {
  ObjectMeta,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ResourceList,
  StorageClass,
} from "../../src/core/types.ts";
import { ApiRefusal } from "./api.ts";
import type { ControlPlane } from "./control-plane.ts";
import { waitFor } from "./wait.ts";

const BINDER = "persistentvolume-binder-controller";

/** Creates a namespace; one that is there already is fine. */
export async function createNamespace(plane: ControlPlane, name: string): Promise<void> {
  await plane.api.create("/api/v1/namespaces", { metadata: { name } }).catch((error: unknown) => {
    if (!(error instanceof ApiRefusal && error.reason === "AlreadyExists")) throw error;
  });
}

/** Creates a storage class; it allows expansion unless told otherwise. */
export function createStorageClass(
  plane: ControlPlane,
  name: string,
  provisioner: string,
  more: Partial<StorageClass> = {},
): Promise<StorageClass> {
  const storageClass = { metadata: { name }, provisioner, allowVolumeExpansion: true, ...more };
  return plane.api.create("/apis/storage.k8s.io/v1/storageclasses", storageClass);
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
export async function createBoundClaim(plane: ControlPlane, fixture: ClaimFixture): Promise<BoundClaim> {
  const [bound] = await createBoundClaims(plane, [fixture]);
  if (bound === undefined) throw new Error(`claim ${fixture.name} was not created`);
  return bound;
}

/**
 * Creates many claims with their volumes, and resolves when all are bound, in the order given. The binder of the cluster
 * binds them if it runs; without it their status is written as it would have been, which is also quicker.
 */
export async function createBoundClaims(
  plane: ControlPlane,
  fixtures: readonly ClaimFixture[],
): Promise<readonly BoundClaim[]> {
  const bind = plane.runs(BINDER) ? waitForBinder : writeBinding;
  return Promise.all(
    fixtures.map(async (fixture) => {
      const { namespace = "default", name } = fixture;
      const volumeName = `pv-${namespace}-${name}`;
      const volume = volumeFor(fixture, namespace, volumeName);
      await plane.api.create("/api/v1/persistentvolumes", volume);
      const claim = await plane.api.create<PersistentVolumeClaim>(
        `/api/v1/namespaces/${namespace}/persistentvolumeclaims`,
        claimFor(fixture, namespace, volumeName),
      );
      return bind(plane, claim, volume);
    }),
  );
}

function volumeFor(fixture: ClaimFixture, namespace: string, name: string): PersistentVolume {
  return {
    metadata: { name },
    spec: {
      capacity: { storage: fixture.size },
      accessModes: ["ReadWriteOnce"],
      persistentVolumeReclaimPolicy: "Delete",
      storageClassName: fixture.className ?? "",
      claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name: fixture.name },
      csi: { driver: fixture.driver, volumeHandle: name, fsType: "ext4" },
      ...fixture.volumeSpec,
    },
  };
}

function claimFor(fixture: ClaimFixture, namespace: string, volumeName: string): PersistentVolumeClaim {
  return {
    metadata: { ...fixture.metadata, name: fixture.name, namespace },
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: fixture.size } },
      storageClassName: fixture.className ?? "",
      volumeName,
      ...fixture.claimSpec,
    },
  };
}

function paths(claim: PersistentVolumeClaim, volume: PersistentVolume): { claim: string; volume: string } {
  return {
    claim: `/api/v1/namespaces/${claim.metadata.namespace}/persistentvolumeclaims/${claim.metadata.name}`,
    volume: `/api/v1/persistentvolumes/${volume.metadata.name}`,
  };
}

async function waitForBinder(
  plane: ControlPlane,
  created: PersistentVolumeClaim,
  prepared: PersistentVolume,
): Promise<BoundClaim> {
  const path = paths(created, prepared);
  return waitFor(
    `claim ${created.metadata.name} to be bound`,
    async () => {
      const claim = await plane.api.get<PersistentVolumeClaim>(path.claim);
      if (claim.status?.phase !== "Bound") return undefined;
      return { claim, volume: await plane.api.get<PersistentVolume>(path.volume) };
    },
    120_000,
  );
}

/** What pkg/controller/volume/persistentvolume leaves behind when it binds a claim to the volume that it names. */
async function writeBinding(
  plane: ControlPlane,
  created: PersistentVolumeClaim,
  prepared: PersistentVolume,
): Promise<BoundClaim> {
  const path = paths(created, prepared);
  const capacity: ResourceList | undefined = prepared.spec.capacity;
  const [claim, volume] = await Promise.all([
    (async () => {
      await plane.api.patch(path.claim, { metadata: { annotations: { "pv.kubernetes.io/bind-completed": "yes" } } });
      return plane.api.patch<PersistentVolumeClaim>(`${path.claim}/status`, {
        status: { phase: "Bound", accessModes: prepared.spec.accessModes, capacity },
      });
    })(),
    (async () => {
      await plane.api.patch(path.volume, { spec: { claimRef: { uid: created.metadata.uid } } });
      return plane.api.patch<PersistentVolume>(`${path.volume}/status`, { status: { phase: "Bound" } });
    })(),
  ]);
  return { claim, volume };
}

/** Creates a node that is ready. It stays so: nobody expects a kubelet here. */
export async function createNode(plane: ControlPlane, name: string): Promise<void> {
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
export async function createPod(plane: ControlPlane, fixture: PodFixture): Promise<Pod> {
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
