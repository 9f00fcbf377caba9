/** The controllers of this folder: like all others, and looking through a view that they may share. */
import { isConflict, isNotFound } from "../../../../kube/index.ts";
import {
  type Behaviour,
  type Controller,
  type ControllerOptions,
  type RunOptions,
  runController,
  type Surroundings,
} from "../../shared/run-controller.ts";
import { createView, type View } from "./view.ts";

export interface VolumeControllerOptions extends ControllerOptions {
  /** Shared with other controllers, and stopped by whoever made it. @default one of its own */
  readonly view?: View;
  /** How many claims and volumes are worked on at the same time. @default 10 */
  readonly workers?: number;
}

export interface VolumeSurroundings extends Surroundings {
  readonly view: View;
}

/**
 * Starts at once. The keys are those of claims (`namespace/name`) and of volumes (`name`); one that is gone when it is to
 * be written is as good as a lost race.
 */
export function runVolumeController(
  options: Omit<RunOptions, "isLostRace"> & VolumeControllerOptions,
  begin: (surroundings: VolumeSurroundings) => Behaviour,
): Controller {
  const isLostRace = (error: unknown): boolean => isConflict(error) || isNotFound(error);
  return runController({ workers: 10, ...options, isLostRace }, (surroundings) => {
    if (options.view !== undefined) return begin({ ...surroundings, view: options.view });
    const { client, timers, logger, metrics } = surroundings;
    const view = createView({ client, timers, logger, metrics });
    const behaviour = begin({ ...surroundings, view });
    const end = async (): Promise<void> => {
      await behaviour.end?.();
      await view.stop();
    };
    return { ...behaviour, end };
  });
}
