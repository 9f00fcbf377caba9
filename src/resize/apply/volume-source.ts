/**
 * Under which handle a driver knows a volume. A CSI volume says so itself. One that was made before its in-tree plugin
 * was migrated to CSI still has its old source; the handle is made from that, in the way each plugin's migration does.
 */
import { OutgrowError } from "../../core/errors.ts";
import type { PersistentVolume } from "../../core/types.ts";

export interface VolumeSource {
  readonly volumeHandle: string;
  readonly fsType: string | undefined;
}

/** Throws `VOLUME_UNREADABLE` when there is no handle to be had. */
export function volumeSource(volume: PersistentVolume, driver: string): VolumeSource {
  const { csi } = volume.spec;
  const found = csi === undefined ? migrated(volume, driver) : { volumeHandle: csi.volumeHandle, fsType: csi.fsType };
  if (found === undefined || found.volumeHandle === "") {
    throw new OutgrowError(
      "VOLUME_UNREADABLE",
      `volume ${volume.metadata.name} has no handle for driver ${driver}: empty volume handle`,
    );
  }
  return found;
}

type Source = Readonly<Record<string, string | undefined>>;

function migrated(volume: PersistentVolume, driver: string): VolumeSource | undefined {
  const of = (field: string): Source | undefined => volume.spec[field] as Source | undefined;
  switch (driver) {
    case "ebs.csi.aws.com":
      return simple(of("awsElasticBlockStore"), "volumeID", (id) => id.replace(/^aws:\/\/[^/]*\//, ""));
    case "pd.csi.storage.gke.io":
      return simple(
        of("gcePersistentDisk"),
        "pdName",
        (name) => `projects/UNSPECIFIED/${gceLocation(volume)}/disks/${name}`,
      );
    case "cinder.csi.openstack.org":
      return simple(of("cinder"), "volumeID");
    case "disk.csi.azure.com":
      return simple(of("azureDisk"), "diskURI");
    case "file.csi.azure.com":
      return azureFile(volume, of("azureFile"));
    case "csi.vsphere.vmware.com":
      return simple(of("vsphereVolume"), "volumePath");
    case "pxd.portworx.com":
      return simple(of("portworxVolume"), "volumeID");
    default:
      return undefined;
  }
}

function simple(source: Source | undefined, field: string, toHandle = (id: string) => id): VolumeSource | undefined {
  const id = source?.[field];
  return id === undefined ? undefined : { volumeHandle: toHandle(id), fsType: source?.["fsType"] };
}

/** A disk of one zone, or of a region when the label names several zones. */
function gceLocation(volume: PersistentVolume): string {
  const labels = volume.metadata.labels ?? {};
  const zones =
    labels["topology.kubernetes.io/zone"] ?? labels["failure-domain.beta.kubernetes.io/zone"] ?? "UNSPECIFIED";
  const [zone = "UNSPECIFIED", ...others] = zones.split("__");
  return others.length === 0 ? `zones/${zone}` : `regions/${zone.replace(/-[^-]*$/, "")}`;
}

function azureFile(volume: PersistentVolume, source: Source | undefined): VolumeSource | undefined {
  const { shareName, secretName = "" } = source ?? {};
  if (shareName === undefined) return undefined;
  const group = volume.metadata.annotations?.["kubernetes.io/azure-file-resource-group"] ?? "";
  const account = secretName.replace(/^azure-storage-account-/, "").replace(/-secret$/, "");
  const namespace = source?.["secretNamespace"] ?? volume.spec.claimRef?.namespace ?? "default";
  return { volumeHandle: [group, account, shareName, volume.metadata.name, namespace].join("#"), fsType: undefined };
}
