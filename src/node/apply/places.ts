/** Where a volume is, for one pod of this node. */
import type { PersistentVolume } from "../../core/types.ts";
import { mountAt, readMounts } from "../filesystem/index.ts";
import { kubeletLayout } from "./layout.ts";

export interface Place {
  /** Where it is published for the pod. */
  readonly volumePath: string;
  readonly stagingPath: string;
  readonly readOnly: boolean;
}

export interface Places {
  /** Undefined while the volume is not there for this pod. `readOnly`: the pod asks for it so. */
  find(podUid: string, volume: PersistentVolume, readOnly: boolean): Promise<Place | undefined>;
}

/**
 * What a kubelet has mounted, by its folder as this process sees it. The kernel is asked, so a path that is prepared but
 * not mounted yet does not count.
 */
export function kubeletPlaces(folder: string): Places {
  const layout = kubeletLayout(folder);
  return {
    async find(podUid, volume, readOnly) {
      const volumePath = layout.publishPath(podUid, volume);
      const mount = mountAt(await readMounts(), volumePath);
      if (mount === undefined) return undefined;
      return { volumePath, stagingPath: layout.stagingPath(volume), readOnly: readOnly || mount.readOnly };
    },
  };
}
