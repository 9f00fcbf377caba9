/**
 * How a driver knows a volume. A CSI volume says so itself. One that was made before its in-tree plugin was migrated to
 * CSI still has its old source; what the driver is told is made from that, in the way each plugin's migration does
 * (k8s.io/csi-translation-lib).
 */
import { OutgrowError } from "../../core/errors.ts";
import type { PersistentVolume } from "../../core/types.ts";

export interface VolumeSource {
  readonly volumeHandle: string;
  readonly fsType?: string | undefined;
  /** The volume's own, unless the plugin took them less seriously than CSI does. */
  readonly accessModes: readonly string[];
  /** The secret that comes along with an expansion. */
  readonly secretRef?: { readonly namespace: string; readonly name: string } | undefined;
}

/** On the volumes of Portworx: the secret that its calls need. */
export const PORTWORX_SECRET = {
  name: "openstorage.io/auth-secret-name",
  namespace: "openstorage.io/auth-secret-namespace",
} as const;
/** On the volumes of Azure File. */
export const AZURE_RESOURCE_GROUP = "kubernetes.io/azure-file-resource-group";

/** Throws `VOLUME_UNREADABLE` when there is no handle to be had. */
export function volumeSource(volume: PersistentVolume, driver: string): VolumeSource {
  const { csi, accessModes = [] } = volume.spec;
  const { volumeHandle = "", ...found } =
    csi === undefined
      ? migrated(volume, driver)
      : { volumeHandle: csi.volumeHandle, fsType: csi.fsType, secretRef: csi.controllerExpandSecretRef };
  if (volumeHandle === "") throw unreadable(volume, `it has no handle for driver ${driver}: empty volume handle`);
  return { accessModes, ...found, volumeHandle };
}

type Fields = Readonly<Record<string, string | undefined>>;

function migrated(volume: PersistentVolume, driver: string): Partial<VolumeSource> {
  const of = (plugin: string): Fields => (volume.spec[plugin] ?? {}) as Fields;
  switch (driver) {
    case "ebs.csi.aws.com":
      return awsElasticBlockStore(volume, of("awsElasticBlockStore"));
    case "pd.csi.storage.gke.io":
      return gcePersistentDisk(volume, of("gcePersistentDisk"));
    case "cinder.csi.openstack.org":
      return { volumeHandle: of("cinder")["volumeID"] ?? "", fsType: of("cinder")["fsType"] };
    case "disk.csi.azure.com":
      return azureDisk(volume, of("azureDisk"));
    case "file.csi.azure.com":
      return azureFile(volume, of("azureFile"));
    case "csi.vsphere.vmware.com":
      return { volumeHandle: of("vsphereVolume")["volumePath"] ?? "", fsType: of("vsphereVolume")["fsType"] };
    case "pxd.portworx.com":
      return portworx(volume, of("portworxVolume"));
    default:
      return {};
  }
}

/** `vol-1`, or with the zone before it: `aws://eu-west-1a/vol-1`, `aws:///vol-1`. */
function awsElasticBlockStore(volume: PersistentVolume, { volumeID = "", fsType }: Fields): Partial<VolumeSource> {
  if (!volumeID.startsWith("aws://")) return { volumeHandle: volumeID, fsType };
  const volumeHandle = /^aws:\/\/[^/]*\/+(vol-[^/]*)\/*$/.exec(volumeID)?.[1];
  if (volumeHandle === undefined)
    throw unreadable(volume, `its volumeID ${JSON.stringify(volumeID)} is not an EBS volume`);
  return { volumeHandle, fsType };
}

function gcePersistentDisk(volume: PersistentVolume, { pdName, fsType }: Fields): Partial<VolumeSource> {
  if (pdName === undefined) return {};
  const { labels = {} } = volume.metadata;
  const label =
    labels["failure-domain.beta.kubernetes.io/zone"] || labels["topology.kubernetes.io/zone"] || "UNSPECIFIED";
  const zones = label.split("__");
  const place = zones.length === 1 ? `zones/${label}` : `regions/${regionOf(volume, zones)}`;
  const modes = new Set(volume.spec.accessModes);
  // The in-tree plugin took ReadWriteMany, and ReadOnlyMany beside it, for ReadWriteOnce; CSI would refuse them.
  const writable = modes.has("ReadWriteMany") || modes.has("ReadWriteOnce");
  return {
    volumeHandle: `projects/UNSPECIFIED/${place}/disks/${pdName}`,
    fsType,
    ...(writable && { accessModes: ["ReadWriteOnce"] }),
  };
}

/** A disk in several zones belongs to their region: `europe-west1` of `europe-west1-b`. */
function regionOf(volume: PersistentVolume, zones: readonly string[]): string {
  const regions = new Set(zones.map((zone) => /^([^-]+-[^-]+)-[^-]+$/.exec(zone)?.[1]));
  const [region] = regions;
  if (region === undefined || regions.size > 1)
    throw unreadable(volume, `its zones ${zones.join(", ")} are not of one region`);
  return region;
}

function azureDisk(volume: PersistentVolume, { diskURI, fsType, kind = "Managed" }: Fields): Partial<VolumeSource> {
  if (kind.toLowerCase() !== "managed") throw unreadable(volume, `Azure disks of kind ${kind} are not migrated to CSI`);
  return { volumeHandle: diskURI ?? "", fsType };
}

function azureFile(volume: PersistentVolume, source: Fields): Partial<VolumeSource> {
  const { shareName, secretName = "", secretNamespace } = source;
  if (shareName === undefined) return {};
  const group = volume.metadata.annotations?.[AZURE_RESOURCE_GROUP] ?? "";
  const account = /azure-storage-account-(.+)-secret/.exec(secretName)?.[1] ?? secretName;
  const namespace = secretNamespace ?? volume.spec.claimRef?.namespace ?? "";
  if (namespace === "") throw unreadable(volume, "neither its source nor its claim names the namespace of its secret");
  return { volumeHandle: [group, account, shareName, volume.metadata.name, namespace].join("#") };
}

function portworx(volume: PersistentVolume, { volumeID, fsType }: Fields): Partial<VolumeSource> {
  const { annotations = {} } = volume.metadata;
  const [name, namespace] = [annotations[PORTWORX_SECRET.name], annotations[PORTWORX_SECRET.namespace]];
  const secretRef = name === undefined || namespace === undefined ? undefined : { name, namespace };
  return { volumeHandle: volumeID ?? "", fsType, secretRef };
}

function unreadable(volume: PersistentVolume, why: string): OutgrowError {
  return new OutgrowError("VOLUME_UNREADABLE", `volume ${volume.metadata.name}: ${why}`);
}
