/** The cluster that a verb talks to, from the flags that all such verbs have. */
import type { Command } from "commander";
import {
  createClient,
  createTransport,
  isUnreachable,
  type KubeClient,
  KubeError,
  loadConfig,
} from "../../kube/index.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { oneLine } from "../output/one-line.ts";
import type { Terminal } from "../terminal.ts";

export interface ClusterFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
}

export interface Connection {
  readonly client: KubeClient;
  /** That of the flags, or of the context. */
  readonly namespace: string;
}

export function addClusterFlags(command: Command): Command {
  return addConnectionFlags(command).option("-n, --namespace <name>", "another namespace than the context's");
}

/** The flags of a verb that looks at all namespaces. */
export function addConnectionFlags(command: Command): Command {
  return command
    .option("--kubeconfig <file>", "how to reach the cluster (default: KUBECONFIG, then ~/.kube/config)")
    .option("--context <name>", "another context of it than the current one");
}

/** Calls `work` with a connection, and closes it. What the cluster refuses is one line on standard error. */
export async function withCluster(
  flags: ClusterFlags,
  terminal: Terminal,
  work: (connection: Connection) => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    await using connection = await connect(flags);
    return await work(connection);
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    const wayOut = isUnreachable(error) ? "; is the cluster up, and is it the right one (--context)?" : "";
    terminal.complain(`outgrow: ${oneLine(error.message)}${wayOut}\n`);
    return error.reason === "ConfigInvalid" ? EXIT.usage : EXIT.refused;
  }
}

/** For those who go on without a cluster; `withCluster` is for all others. Rejects with a `KubeError`. */
export async function connect({ kubeconfig, context, namespace }: ClusterFlags): Promise<Connection & AsyncDisposable> {
  const config = await loadConfig({
    env: process.env,
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
  });
  const client = createClient(createTransport(config));
  return { client, namespace: namespace ?? config.namespace, [Symbol.asyncDispose]: () => client.close() };
}
