/** `outgrow up`: the embedded cluster, until somebody stops it. */
import { basename, isAbsolute, join, relative } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { pino } from "pino";
import {
  type ClusterOptions,
  CONTROLLERS,
  type ControllerName,
  type DriverName,
  type Dump,
  readParameterList,
  startCluster,
} from "../../cluster/index.ts";
import { defaultDataFolder } from "../../cluster/serving/index.ts";
import { OutgrowError } from "../../core/errors.ts";
import { DEFAULT_GATES, type Gates, parseGates } from "../../core/gates.ts";
import { systemTimers } from "../../kube/timers.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { openSources } from "../input/sources.ts";
import type { Terminal } from "../terminal.ts";
import { banner } from "./banner.ts";
import { compileSooner } from "./compile-sooner.ts";
import { ownHousehold, startGivingBack } from "./give-back.ts";
import { importReport } from "./import-report.ts";
import { readDumps } from "./read-dumps.ts";

type ClassParameters = Dump["parameters"];

interface Flags {
  readonly data?: string;
  readonly port: number;
  readonly kubeconfig?: string;
  readonly mergeKubeconfig?: string | true;
  readonly controllers: boolean;
  readonly disableController: readonly ControllerName[];
  readonly driver: DriverName;
  readonly sample?: boolean;
  readonly import: readonly string[];
  readonly importParameters: ClassParameters;
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
      `leave out one or more of ${CONTROLLERS.join(", ")}: NAME,NAME, or given again`,
      readControllers,
      [],
    )
    .option(
      "--driver <name>",
      "what the class standard is made of: loop (file systems on disk) or memory",
      readDriver,
      "loop",
    )
    .option("--sample", "begin with a StatefulSet, a MySQLCluster, a quota and classes that fail, in namespace demo")
    .option(
      "--import <file>",
      "begin with this cluster, to rehearse on it: what kubectl get ... -o yaml prints; - for standard input; may be given again",
      (path: string, others: readonly string[]) => [...others, path],
      [],
    )
    .option(
      "--import-parameters <class:list>",
      "how volumes of an imported class are to behave, as gp3:controllerLimit=1Ti,delay=2s; may be given again",
      readClassParameters,
      new Map(),
    )
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
  const { controllers, sample = false } = flags;
  const dump = await readDump(flags, terminal);
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
      ...(controllers ? { life: lifeOf(flags, dump) } : {}),
      ...(flags.kubeconfig === undefined ? {} : { kubeconfig: flags.kubeconfig }),
      ...(flags.mergeKubeconfig === undefined ? {} : { mergeInto: userKubeconfig(flags.mergeKubeconfig) }),
    });
    compileSooner();
    const stopGivingBack = startGivingBack(ownHousehold(systemTimers));
    const kubeconfig = flags.kubeconfig ?? cluster.kubeconfig;
    const program = programName(process.argv[1] ?? "outgrow", process.cwd());
    if (cluster.imported !== undefined) terminal.write(importReport(cluster.imported));
    terminal.write(
      banner({ url: cluster.url, kubeconfig, controllers, sample, program, milliseconds: terminal.now() - begun }),
    );
    await stopping.promise;
    stopGivingBack();
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

function lifeOf(
  { driver, sample = false, disableController }: Flags,
  dump: Dump | undefined,
): NonNullable<ClusterOptions["life"]> {
  return { driver, sample, without: new Set(disableController), ...(dump === undefined ? {} : { dump }) };
}

async function readDump(
  { import: paths, importParameters: parameters, controllers }: Flags,
  { input }: Terminal,
): Promise<Dump | undefined> {
  if (paths.length === 0) return undefined;
  if (!controllers) {
    throw new OutgrowError(
      "USAGE",
      "--import needs somebody who looks after what is imported; leave out --no-controllers",
    );
  }
  return { objects: await readDumps(await openSources(paths, input)), parameters };
}

function readControllers(text: string, others: readonly ControllerName[]): readonly ControllerName[] {
  const names = text.split(",").map((word) => {
    const name = CONTROLLERS.find((each) => each === word.trim());
    if (name !== undefined) return name;
    throw new InvalidArgumentError(`there is no ${JSON.stringify(word.trim())}; there is ${CONTROLLERS.join(", ")}.`);
  });
  return [...others, ...names];
}

function readClassParameters(text: string, others: ClassParameters): ClassParameters {
  const [, name = "", list = ""] = /^([^:=]+):(.+)$/.exec(text) ?? [];
  if (name === "") throw new InvalidArgumentError("write it as CLASS:NAME=VALUE,NAME=VALUE.");
  return new Map([...others, [name, { ...others.get(name), ...readParameterList(list) }]]);
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
