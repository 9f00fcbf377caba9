/** Where the kubelet has CSI drivers put volumes on a node (upstream pkg/volume/csi). */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { PersistentVolume } from "../../core/types.ts";

export interface Layout {
  /** Where the volume is seen by one pod: a folder, or for raw block a file. */
  publishPath(podUid: string, volume: PersistentVolume): string;
  /** Where the volume is on this node, once for all pods. */
  stagingPath(volume: PersistentVolume): string;
}

/** The kubelet's own folder, unless it was told otherwise. */
export const KUBELET_FOLDER = "/var/lib/kubelet";

export function kubeletLayout(folder: string): Layout {
  const plugins = join(folder, "plugins", "kubernetes.io", "csi");
  const devices = join(plugins, "volumeDevices");
  return {
    publishPath(podUid, { metadata: { name }, spec }) {
      if (spec.volumeMode === "Block") return join(devices, "publish", name, podUid);
      return join(folder, "pods", podUid, "volumes", "kubernetes.io~csi", name, "mount");
    },
    stagingPath({ metadata: { name }, spec }) {
      if (spec.volumeMode === "Block") return join(devices, "staging", name);
      const { driver = "", volumeHandle = "" } = spec.csi ?? {};
      return join(plugins, driver, createHash("sha256").update(volumeHandle).digest("hex"), "globalmount");
    },
  };
}
