/** `outgrow resizer` as a process of its own. */
import { type OutgrowProcess, startOutgrow } from "../outgrow-process.ts";

export { tail } from "../outgrow-process.ts";

export type ResizerProcess = OutgrowProcess;

export interface ResizerOptions {
  readonly kubeconfig: string;
  /** The socket of its driver. */
  readonly socket: string;
  /** Further flags, as on the command line. */
  readonly flags?: readonly string[];
}

/** Returns when the process runs, which is before it works; `says` tells how far it is. */
export function startResizer({ kubeconfig, socket, flags = [] }: ResizerOptions): ResizerProcess {
  return startOutgrow(["resizer", "--csi-address", socket, "--kubeconfig", kubeconfig, ...flags]);
}
