/** `outgrow up`: the embedded cluster, until somebody stops it. */
import { join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { pino } from "pino";
import { startCluster } from "../../cluster/index.ts";
import { defaultDataFolder } from "../../cluster/serving/index.ts";
import { OutgrowError } from "../../core/errors.ts";
import { DEFAULT_GATES, type Gates, parseGates } from "../../core/gates.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";
import { banner } from "./banner.ts";

interface Flags {
  readonly data?: string;
  readonly port: number;
  readonly kubeconfig?: string;
  readonly mergeKubeconfig?: string | true;
  readonly controllers: boolean;
  readonly featureGates: Gates;
  readonly logLevel: string;
}

const LEVELS = ["debug", "info", "warn", "error", "silent"];

export function completeUp(command: Command, terminal: Terminal, finish: (code: ExitCode) => void): void {
  command
    .option("--data <folder>", "where everything is kept (default: outgrow in your data directory)")
    .option("--port <number>", "the port on 127.0.0.1; 0: any that is free", readPort, 0)
    .option("--kubeconfig <file>", "write how to reach it to this file as well, when it is ready")
    .option(
      "--merge-kubeconfig [file]",
      "add it to your kubeconfig, as the context outgrow (default file: ~/.kube/config)",
    )
    .option("--no-controllers", "an API server and nothing else")
    .option("--feature-gates <list>", "NAME=true,NAME=false", (text) => parseGates(text), DEFAULT_GATES)
    .option("--log-level <level>", `one of ${LEVELS.join(", ")}`, readLevel, "warn")
    .action(async (flags: Flags) => {
      finish(await up(flags, terminal));
    });
}

async function up(flags: Flags, terminal: Terminal): Promise<ExitCode> {
  const begun = terminal.now();
  const folder = flags.data ?? defaultDataFolder(process.env);
  if (folder === undefined) {
    throw new OutgrowError(
      "INPUT_UNREADABLE",
      "neither XDG_DATA_HOME nor HOME is set; say where to keep the data with --data",
    );
  }
  if (flags.controllers) {
    throw new OutgrowError(
      "INPUT_UNREADABLE",
      "the controllers of a cluster are not part of this version; start the API server alone with --no-controllers",
    );
  }
  const stopping = Promise.withResolvers<void>();
  const stop = (): void => stopping.resolve();
  process.once("SIGTERM", stop).once("SIGINT", stop);
  try {
    const cluster = await startCluster({
      folder,
      port: flags.port,
      gates: flags.featureGates,
      logger: pino(
        { level: flags.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime },
        pino.destination(2),
      ),
      ...(flags.kubeconfig === undefined ? {} : { kubeconfig: flags.kubeconfig }),
      ...(flags.mergeKubeconfig === undefined ? {} : { mergeInto: userKubeconfig(flags.mergeKubeconfig) }),
    });
    terminal.write(
      banner({
        url: cluster.url,
        kubeconfig: flags.kubeconfig ?? cluster.kubeconfig,
        milliseconds: terminal.now() - begun,
      }),
    );
    await stopping.promise;
    await cluster.stop();
    return EXIT.done;
  } finally {
    process.off("SIGTERM", stop).off("SIGINT", stop);
  }
}

function userKubeconfig(given: string | true): string {
  if (given !== true) return given;
  const { KUBECONFIG, HOME = "" } = process.env;
  return (KUBECONFIG ?? "").split(":").find((file) => file !== "") ?? join(HOME, ".kube", "config");
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("a port is a number from 0 to 65535.");
  return port;
}

function readLevel(text: string): string {
  if (!LEVELS.includes(text)) throw new InvalidArgumentError(`choose one of ${LEVELS.join(", ")}.`);
  return text;
}
