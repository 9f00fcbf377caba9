/** The flags of `outgrow node`, read: everything that can be wrong with them is found here. */
import type { Command } from "commander";
import { KUBELET_FOLDER } from "../../node/apply/layout.ts";
import { type Address, LOG_LEVELS, readAddress, readCount, readLevel } from "../flag-values.ts";

export interface NodeFlags {
  readonly csiAddress: string;
  readonly nodeName: string;
  readonly kubeletDir: string;
  readonly resizeTool?: string;
  readonly kubeconfig?: string;
  /** In seconds. */
  readonly timeout: number;
  readonly workers: number;
  readonly httpEndpoint?: Address;
  readonly logLevel: string;
}

export function addNodeFlags(command: Command): Command {
  return command
    .requiredOption("--csi-address <path>", "the socket of the CSI driver on this node")
    .requiredOption("--node-name <name>", "the node, as pods name it in spec.nodeName")
    .option("--kubelet-dir <folder>", "the kubelet's folder, as this process sees it", KUBELET_FOLDER)
    .option(
      "--resize-tool <command>",
      "grow file systems with this instead of the driver's node half; it is called with type, device and mount path",
    )
    .option("--kubeconfig <file>", "how to reach the cluster (default: the pod's own, else as kubectl does)")
    .option("--timeout <seconds>", "how long the driver has to answer", readCount, 120)
    .option("--workers <number>", "how many volumes are grown at the same time", readCount, 10)
    .option("--http-endpoint <address>", "serve metrics and health here, as :8080 or 127.0.0.1:8080", readAddress)
    .option("--log-level <level>", `one of ${LOG_LEVELS.join(", ")}`, readLevel, "info");
}
