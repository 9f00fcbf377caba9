/**
 * What is known about drivers without asking them. Kubernetes does not say anywhere what a driver can do; only the driver
 * itself does, over its socket. A class that allows expansion is the word of whoever made the class.
 */
import { LOOP_DRIVER, MEMORY_DRIVER, STORAGE_RESIZER } from "../../core/names.ts";
import type { PersistentVolume, StorageClass } from "../../core/types.ts";
import type { ClaimFacts, PreflightFacts } from "./facts.ts";

export type DriverAbility =
  /** It grows volumes. `online`: while a pod uses them; undefined when not known. `node`: the node has a part in it. */
  | { readonly kind: "can"; readonly online: boolean | undefined; readonly node: boolean }
  | { readonly kind: "cannot"; readonly reason: string }
  | { readonly kind: "unknown" };

/** Drivers whose own documents promise growth of volumes in use. */
const ONLINE = new Set([
  "ebs.csi.aws.com",
  "pd.csi.storage.gke.io",
  "rbd.csi.ceph.com",
  "rook-ceph.rbd.csi.ceph.com",
  "topolvm.io",
]);

/** Ours tell by the parameters of the class what they can do. */
const OURS = new Set<string>([LOOP_DRIVER, MEMORY_DRIVER]);

const CANNOT: ReadonlyMap<string, string> = new Map([
  ["kubernetes.io/no-provisioner", "volumes of this class are made by hand, and nobody grows them"],
  ["rancher.io/local-path", "it makes folders, which have no size"],
  ["docker.io/hostpath", "it makes folders, which have no size"],
  ["k8s.io/minikube-hostpath", "it makes folders, which have no size"],
  ["microk8s.io/hostpath", "it makes folders, which have no size"],
]);

/** The CSI driver that took over from each kind of volume that Kubernetes once knew by itself. */
const MIGRATED: ReadonlyMap<string, string> = new Map([
  ["awsElasticBlockStore", "ebs.csi.aws.com"],
  ["azureDisk", "disk.csi.azure.com"],
  ["azureFile", "file.csi.azure.com"],
  ["cinder", "cinder.csi.openstack.org"],
  ["gcePersistentDisk", "pd.csi.storage.gke.io"],
  ["portworxVolume", "pxd.portworx.com"],
  ["vsphereVolume", "csi.vsphere.vmware.com"],
]);

/** Kinds of volumes that nothing grows. */
const FIXED_SOURCES = ["hostPath", "local", "nfs", "iscsi", "fc", "cephfs"] as const;

/** Every kind of volume source, besides csi, that is told apart here. */
export const VOLUME_SOURCES: readonly string[] = [...MIGRATED.keys(), ...FIXED_SOURCES];

/** Who would grow a claim's volume: the volume says, then the claim, then its class. Empty when nobody says. */
export function driverOf({ view, volume }: ClaimFacts, { classes }: PreflightFacts): string {
  const told = volume?.spec.csi?.driver ?? migratedTo(volume) ?? view.annotations[STORAGE_RESIZER];
  return told ?? classes?.named(view.className ?? "")?.provisioner ?? "";
}

export function abilityOf(claim: ClaimFacts, facts: PreflightFacts): DriverAbility {
  const fixed = fixedSource(claim.volume);
  if (fixed !== undefined) return { kind: "cannot", reason: `volume ${claim.view.volumeName} is a ${fixed} volume` };
  const driver = driverOf(claim, facts);
  const reason = CANNOT.get(driver);
  if (reason !== undefined) return { kind: "cannot", reason };
  const needsNode = claim.view.volumeMode === "Filesystem";
  if (ONLINE.has(driver)) return { kind: "can", online: true, node: needsNode };
  const storageClass = facts.classes?.named(claim.view.className ?? "");
  return OURS.has(driver) && storageClass !== undefined ? ourAbility(storageClass) : { kind: "unknown" };
}

function ourAbility({ parameters }: StorageClass): DriverAbility {
  const has = (name: string): boolean => parameters?.[name] !== "false";
  if (!has("controllerExpansion") && !has("nodeExpansion")) {
    return {
      kind: "cannot",
      reason: "the class turns both halves of expansion off (controllerExpansion, nodeExpansion)",
    };
  }
  return { kind: "can", online: has("online"), node: has("nodeExpansion") };
}

/** The CSI driver that has taken over a volume of an older kind; undefined for volumes that never had one. */
export function migratedTo(volume: PersistentVolume | undefined): string | undefined {
  if (volume === undefined) return undefined;
  return [...MIGRATED].find(([source]) => volume.spec[source] !== undefined)?.[1];
}

function fixedSource(volume: PersistentVolume | undefined): string | undefined {
  if (volume === undefined || volume.spec.csi !== undefined) return undefined;
  return FIXED_SOURCES.find((source) => volume.spec[source] !== undefined);
}
