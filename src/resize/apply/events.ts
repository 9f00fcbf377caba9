/** What people are told about one claim's growth. Reasons and messages are the incumbent's: tools and people look for them. */
import type { PersistentVolume, PersistentVolumeClaim } from "../../core/types.ts";
import { CLAIMS, type EventRecorder, referenceTo, VOLUMES } from "../../kube/index.ts";
import type { AfterAnswer } from "../decide/answer.ts";

export interface ResizeEvents {
  /** A size was recorded, and the driver is about to be called. */
  started(claim: PersistentVolumeClaim, volume: PersistentVolume): void;
  /** What the driver's answer came to is written. */
  ended(claim: PersistentVolumeClaim, volume: PersistentVolume, after: AfterAnswer): void;
  /** The driver grows only what nobody uses, and a pod uses it. */
  inUse(claim: PersistentVolumeClaim): void;
  /** KEP-1790, Monitoring: "events that are added to both PV and PVC objects for user reducing PVC size". */
  lowered(claim: PersistentVolumeClaim, volume: PersistentVolume | undefined, from: string, to: string): void;
}

export function createResizeEvents(recorder: Pick<EventRecorder, "event">, driver: string): ResizeEvents {
  const tell = (claim: PersistentVolumeClaim, type: "Normal" | "Warning", reason: string, message: string): void =>
    recorder.event(referenceTo(CLAIMS, claim), type, reason, message);

  return {
    started: (claim, volume) =>
      tell(claim, "Normal", "Resizing", `External resizer is resizing volume ${volume.metadata.name}`),

    ended(claim, volume, { result, message }) {
      switch (result) {
        case "node-expansion-required":
          tell(claim, "Normal", "FileSystemResizeRequired", "Require file system resize of volume on node");
          return;
        case "finished":
          tell(claim, "Normal", "VolumeResizeSuccessful", "Resize volume succeeded");
          return;
        case "infeasible":
        case "failed":
        case "in-doubt": {
          const what = `resize volume ${JSON.stringify(volume.metadata.name)} by resizer ${JSON.stringify(driver)}`;
          tell(claim, "Warning", "VolumeResizeFailed", `${what} failed: ${message}`);
          return;
        }
        case "overtaken":
          return;
      }
    },

    inUse(claim) {
      const { namespace, name } = claim.metadata;
      const why = `because CSI driver ${driver} only supports offline expansion and volume is currently in-use`;
      tell(claim, "Warning", "VolumeResizeFailed", `Unable to expand ${namespace}/${name} ${why}`);
    },

    lowered(claim, volume, from, to) {
      const message = `requested size was lowered from ${from} to ${to}`;
      tell(claim, "Normal", "VolumeResizeLowered", message);
      if (volume === undefined) return;
      const { namespace, name } = claim.metadata;
      recorder.event(referenceTo(VOLUMES, volume), "Normal", "VolumeResizeLowered", `${namespace}/${name}: ${message}`);
    },
  };
}
