/** Keeps a volume that is being deleted for as long as it is bound. */
import type { PersistentVolume } from "../../../../../core/types.ts";
import type { Behaviour, Controller } from "../../../shared/run-controller.ts";
import { VOLUME_PROTECTION } from "../../decide/names.ts";
import {
  runVolumeController,
  type VolumeControllerOptions,
  type VolumeSurroundings,
} from "../../shared/run-volume-controller.ts";
import { createWriter } from "../../shared/writer.ts";
import { protectedBy, protectionStep, unprotectedBy } from "../decide/finalizer.ts";

/** Starts at once; the caller stops it, and closes the client. */
export function startVolumeProtection(options: VolumeControllerOptions): Controller {
  const names = { name: "pv-protection", component: "pv-protection-controller" };
  return runVolumeController({ ...options, ...names }, begin);
}

function begin({ client, view, queue, signal }: VolumeSurroundings): Behaviour {
  const { volumes } = view;
  const writer = createWriter(client, view, signal);
  const add = ({ metadata }: PersistentVolume): void => {
    if (protectionStep(metadata, VOLUME_PROTECTION) !== "none") queue.add(metadata.name);
  };

  return {
    borrowed: [volumes],
    async reconcile(name) {
      const volume = volumes.get({ name });
      if (volume === undefined) return;
      switch (protectionStep(volume.metadata, VOLUME_PROTECTION)) {
        case "none":
          return;
        case "add":
          await writer.volume(volume, protectedBy(volume, VOLUME_PROTECTION));
          return;
        case "remove-when-unused":
          if (volume.status?.phase !== "Bound") await writer.volume(volume, unprotectedBy(volume, VOLUME_PROTECTION));
          return;
      }
    },
    end: volumes.addHandler({ added: add, updated: (_, after) => add(after) }),
  };
}
