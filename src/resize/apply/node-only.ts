/** Volumes that only the node grows. */
import type { PersistentVolume } from "../../core/types.ts";

const OURS = ".csi.outgrow.dev";

/**
 * CSI has a driver say this of itself as a whole, by not having ControllerExpandVolume. Our own drivers, which stand in for
 * any other, say it of each volume: by the parameter of its class.
 */
export function isNodeOnly({ spec: { csi } }: PersistentVolume): boolean {
  if (csi?.driver.endsWith(OURS) !== true) return false;
  const { controllerExpansion, nodeExpansion } = csi.volumeAttributes ?? {};
  return controllerExpansion === "false" && nodeExpansion !== "false";
}
