/** What people are told about growth on the node. Reasons and messages are the kubelet's: tools and people look for them. */
import type { PersistentVolume, PersistentVolumeClaim, Pod } from "../../core/types.ts";
import { CLAIMS, type EventRecorder, PODS, referenceTo } from "../../kube/index.ts";
import type { AfterNodeAnswer } from "../decide/answer.ts";

export interface Told {
  readonly pod: Pod;
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume;
}

export interface NodeEvents {
  /** What the driver's answer came to is written. */
  ended(about: Told, after: AfterNodeAnswer): void;
  /** It cannot be grown through this mount. */
  readOnly(about: Told, why: string): void;
}

export function createNodeEvents(recorder: Pick<EventRecorder, "event">, nodeName: string): NodeEvents {
  function tellBoth({ pod, claim }: Told, type: "Normal" | "Warning", reason: string, message: string): void {
    recorder.event(referenceTo(PODS, pod), type, reason, message);
    recorder.event(referenceTo(CLAIMS, claim), type, reason, message);
  }

  return {
    ended(about, { result, message }) {
      const { pod, volume } = about;
      const named = `for volume ${JSON.stringify(volume.metadata.name)}`;
      switch (result) {
        case "expanded":
        case "format": {
          const done = `MountVolume.NodeExpandVolume succeeded ${named} ${nodeName}`;
          tellBoth(about, "Normal", "FileSystemResizeSuccessful", done);
          return;
        }
        case "infeasible":
        case "failed":
        case "in-doubt": {
          const why = `NodeExpandVolume.NodeExpandVolume failed ${named} : ${message}`;
          recorder.event(referenceTo(PODS, pod), "Warning", "VolumeResizeFailed", why);
          return;
        }
        case "overtaken":
          return;
      }
    },

    readOnly(about, why) {
      const named = `for volume ${JSON.stringify(about.volume.metadata.name)}`;
      tellBoth(about, "Warning", "FileSystemResizeFailed", `MountVolume.NodeExpandVolume failed ${named} ${why}`);
    },
  };
}
