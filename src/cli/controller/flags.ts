/** The flags of `outgrow controller`, read: everything that can be wrong with them is found here. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { DEFAULT_GATES, type Gates, parseGates } from "../../core/gates.ts";
import { type Address, LOG_LEVELS, readAddress, readCount, readLevel } from "../flag-values.ts";

export interface ControllerFlags {
  readonly kubeconfig?: string;
  /** None: all. */
  readonly namespace: readonly string[];
  readonly leaderElection: boolean;
  readonly leaderElectionNamespace?: string;
  readonly httpEndpoint?: Address;
  readonly webhookPort?: number;
  readonly featureGates: Gates;
  readonly workers: number;
  readonly logLevel: string;
}

export function addControllerFlags(command: Command): Command {
  return command
    .option("--kubeconfig <file>", "how to reach the cluster (default: the pod's own, else as kubectl does)")
    .addOption(
      new Option("-n, --namespace <name>", "only sets of this namespace; may be given again")
        .argParser(readName)
        .default([], "all"),
    )
    .option("--leader-election", "work only while holding a lease, so that several can run", true)
    .option("--no-leader-election", "work without a lease; no other may run")
    .option("--leader-election-namespace <name>", "where the lease is (default: the pod's namespace)")
    .option("--http-endpoint <address>", "serve metrics and health here, as :8080 or 127.0.0.1:8080", readAddress)
    .option("--webhook-port <number>", "also serve the webhook for API servers without admission policies", readPort)
    .addOption(
      new Option("--feature-gates <list>", "NAME=true,NAME=false")
        .argParser((text) => parseGates(text))
        .default(DEFAULT_GATES, "all on"),
    )
    .option("--workers <number>", "how many sets are worked on at the same time", readCount, 10)
    .option("--log-level <level>", `one of ${LOG_LEVELS.join(", ")}`, readLevel, "info");
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("write a port, a number up to 65535.");
  return port;
}

function readName(text: string, others: readonly string[]): readonly string[] {
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text)) {
    throw new InvalidArgumentError("a namespace is written in small letters, digits and dashes.");
  }
  return [...others, text];
}
