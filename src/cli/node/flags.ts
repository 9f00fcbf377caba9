/** The flags of `outgrow node`, read: everything that can be wrong with them is found here. */
import { type Command, InvalidArgumentError } from "commander";
import { KUBELET_FOLDER } from "../../node/apply/layout.ts";

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

export interface Address {
  /** Undefined: all of this machine's. */
  readonly host: string | undefined;
  readonly port: number;
}

const LEVELS = ["debug", "info", "warn", "error", "silent"];

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
    .option("--log-level <level>", `one of ${LEVELS.join(", ")}`, readLevel, "info");
}

function readCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("write a whole number of at least 1.");
  return Number(text);
}

function readAddress(text: string): Address {
  const match = /^(.*):(\d+)$/.exec(text);
  if (match === null || Number(match[2]) > 65_535) {
    throw new InvalidArgumentError("write an address like :8080 or 127.0.0.1:8080.");
  }
  const host = (match[1] ?? "").replace(/^\[(.*)\]$/, "$1");
  return { host: host === "" ? undefined : host, port: Number(match[2]) };
}

function readLevel(text: string): string {
  if (!LEVELS.includes(text)) throw new InvalidArgumentError(`choose one of ${LEVELS.join(", ")}.`);
  return text;
}
