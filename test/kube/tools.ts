/**
 * Programs in Go beyond the control plane that suites run: Helm, the engine of Argo CD, informers as client-go has them, and
 * Kubernetes' own CEL. They are built into the user's cache as the control plane is, each from a module that is pinned here.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { requireGo, runGo } from "./asset-build.ts";
import { AssetsUnavailable } from "./assets-unavailable.ts";
import { exclusively } from "./exclusive.ts";
import { PINNED_MODULE } from "./kube-module.ts";

interface Tool {
  /** The folder of its module. */
  readonly module: string;
  readonly package: string;
  /** Files of ours that it is made of, beyond go.mod and go.sum. */
  readonly sources: readonly string[];
}

const TOOLS = {
  helm: { module: join(PINNED_MODULE, "helm"), package: "helm.sh/helm/v3/cmd/helm", sources: [] },
  argo: { module: join(PINNED_MODULE, "argo"), package: ".", sources: ["main.go"] },
  informer: { module: PINNED_MODULE, package: "./informer", sources: ["informer/main.go"] },
  cel: { module: PINNED_MODULE, package: "./cel", sources: ["cel/main.go", "cel/sorted_maps.go"] },
} as const satisfies Readonly<Record<string, Tool>>;

export type ToolName = keyof typeof TOOLS;
const NAMES = Object.keys(TOOLS) as readonly ToolName[];
const FLAGS = ["-mod=readonly", "-trimpath", "-ldflags", "-s -w"];

type Environment = Readonly<Record<string, string | undefined>>;

/** The path of a tool; nothing is built. Throws `AssetsUnavailable` when it is not there yet. */
export function findTool(name: ToolName, env: Environment = process.env): string {
  const file = toolFile(name, env);
  if (existsSync(file)) return file;
  throw new AssetsUnavailable(
    `${name} is not built yet; install Go 1.26 or later and run \`npm run kube:assets\` first`,
  );
}

/** Builds the tools that are not there yet: some five minutes on two cores, the first time. May run several times at once. */
export async function ensureTools(
  log: (line: string) => void,
  env: Environment = process.env,
  signal?: AbortSignal,
): Promise<void> {
  for (const name of NAMES) await ensureTool(name, log, env, signal);
}

async function ensureTool(
  name: ToolName,
  log: (line: string) => void,
  env: Environment,
  signal?: AbortSignal,
): Promise<void> {
  const file = toolFile(name, env);
  if (existsSync(file)) return;
  await requireGo(signal);
  await mkdir(dirname(file), { recursive: true });
  const build = async () => {
    if (existsSync(file)) return;
    log(`building ${name} from Go modules`);
    const unfinished = `${file}.building-${process.pid}`;
    try {
      await runGo(["build", "-v", ...FLAGS, "-o", unfinished, TOOLS[name].package], TOOLS[name].module, log, signal);
      await rename(unfinished, file);
    } finally {
      await rm(unfinished, { force: true });
    }
  };
  const onWait = () => log(`another process is building ${name}; waiting for it`);
  await exclusively(`${file}.lock`, build, onWait, signal);
}

/** Everything that decides what is built is in the file's name, so that a changed pin never meets an old binary. */
function toolFile(name: ToolName, env: Environment): string {
  const { module, sources } = TOOLS[name];
  const hash = createHash("sha256").update(JSON.stringify([FLAGS, process.platform, process.arch]));
  for (const file of ["go.mod", "go.sum", ...sources]) hash.update(readFileSync(join(module, file)));
  const cache = env["XDG_CACHE_HOME"] || join(env["HOME"] ?? homedir(), ".cache");
  return join(cache, "outgrow", "kube", `${name}-${hash.digest("hex").slice(0, 12)}`);
}
