/** `outgrow up`: the embedded cluster, until somebody stops it. */
import { basename, isAbsolute, join, relative } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { pino } from "pino";
import {
  type ClusterOptions,
  CONTROLLERS,
  type ControllerName,
  type DriverName,
  startCluster,
} from "../../cluster/index.ts";
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
  readonly disableController: readonly ControllerName[];
  readonly driver: DriverName;
  readonly sample?: boolean;
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
    .option(
      "--disable-controller <name>",
      `leave out one of ${CONTROLLERS.join(", ")}; may be given again`,
      readController,
      [],
    )
    .option(
      "--driver <name>",
      "what the class standard is made of: loop (file systems on disk) or memory",
      readDriver,
      "loop",
    )
    .option("--sample", "begin with a StatefulSet, a quota and classes that fail, in namespace demo")
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
  // Heard as long as there is something to give back: npm and shells hand on the signal that a terminal has sent already.
  const stopping = Promise.withResolvers<void>();
  const stop = (): void => stopping.resolve();
  process.on("SIGTERM", stop).on("SIGINT", stop);
  try {
    const cluster = await startCluster({
      folder,
      port: flags.port,
      gates: flags.featureGates,
      logger: pino(
        { level: flags.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime },
        pino.destination(2),
      ),
      ...(flags.controllers ? { life: lifeOf(flags) } : {}),
      ...(flags.kubeconfig === undefined ? {} : { kubeconfig: flags.kubeconfig }),
      ...(flags.mergeKubeconfig === undefined ? {} : { mergeInto: userKubeconfig(flags.mergeKubeconfig) }),
    });
    const kubeconfig = flags.kubeconfig ?? cluster.kubeconfig;
    const { controllers, sample = false } = flags;
    const program = programName(process.argv[1] ?? "outgrow", process.cwd());
    terminal.write(
      banner({ url: cluster.url, kubeconfig, controllers, sample, program, milliseconds: terminal.now() - begun }),
    );
    await stopping.promise;
    await cluster.stop();
    return EXIT.done;
  } finally {
    process.off("SIGTERM", stop).off("SIGINT", stop);
  }
}

/** In a checkout by its path, elsewhere as it was installed. */
function programName(script: string, folder: string): string {
  const path = relative(folder, script);
  return path.startsWith("..") || isAbsolute(path) ? basename(script) : path;
}

function lifeOf({ driver, sample = false, disableController }: Flags): NonNullable<ClusterOptions["life"]> {
  return { driver, sample, without: new Set(disableController) };
}

function readController(text: string, others: readonly ControllerName[]): readonly ControllerName[] {
  const name = CONTROLLERS.find((each) => each === text);
  if (name === undefined) throw new InvalidArgumentError(`there is ${CONTROLLERS.join(", ")}.`);
  return [...others, name];
}

function readDriver(text: string): DriverName {
  if (text !== "loop" && text !== "memory") throw new InvalidArgumentError("choose loop or memory.");
  return text;
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
