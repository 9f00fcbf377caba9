/**
 * A Kubernetes cluster for one test: etcd, kube-apiserver and kube-controller-manager, fresh and private, reachable from
 * this machine only. There is no scheduler and no kubelet: what they would do is done by the fixtures, or by the
 * program under test.
 *
 *     const plane = await startControlPlane({ controllers: ["persistentvolume-binder-controller"] });
 *     try {
 *       await plane.kubectl(["get", "namespaces"]);
 *     } finally {
 *       await plane.stop();
 *     }
 */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Api } from "./api.ts";
import { findAssets } from "./assets.ts";
import { type AuditEntry, type AuditFilter, type AuditMark, readAuditLog } from "./audit.ts";
import { ADMIN, type Booted, boot, logTail } from "./boot.ts";
import { type User, writeKubeconfig } from "./credentials.ts";
import { type Keeper, startKeeper } from "./keeper.ts";
import type { ProgramName } from "./kube-module.ts";
import { type KubectlOptions, type KubectlResult, runKubectl } from "./kubectl.ts";
import type { ControlPlaneOptions } from "./options.ts";
import { type Layout, layout } from "./programs.ts";
import { gatesOn, wantedVersion } from "./releases.ts";

/** What fixtures need of a cluster, whoever serves it. */
export interface ClusterAccess {
  /** May do everything. */
  readonly admin: User;
  /** The API as the administrator. */
  readonly api: Api;
  /** Whether kube-controller-manager runs this controller. */
  runs(controller: string): boolean;
  /** Writes a kubeconfig for somebody who has a token. The file goes away with the cluster. */
  addUser(name: string, token: string, namespace?: string): Promise<User>;
  /** Runs kubectl and gives back what it printed; throws with its error output when it fails. */
  kubectl(args: readonly string[], options?: KubectlOptions): Promise<string>;
}

export interface ControlPlane extends ClusterAccess {
  /** The server's `gitVersion`, as `v1.36.3`. */
  readonly version: string;
  readonly url: string;
  /** Certificate of the authority that vouches for the server, in PEM. */
  readonly ca: string;
  /** The users that were asked for, by name. */
  readonly users: ReadonlyMap<string, User>;
  /** The process ids, by program. */
  readonly processes: ReadonlyMap<ProgramName, number>;
  /** Runs kubectl and gives back how it ended, failed or not. */
  tryKubectl(args: readonly string[], options?: KubectlOptions): Promise<KubectlResult>;
  /** How many requests the API server got, by `verb resource`: see audit.ts. */
  auditCounts(filter?: AuditFilter): Promise<Record<string, number>>;
  /** The requests themselves. */
  auditEntries(filter?: AuditFilter): Promise<AuditEntry[]>;
  /** Now, as a `since` for the two above. */
  auditMark(): Promise<AuditMark>;
  /** The end of a program's output. */
  logTail(program: ProgramName): string;
  /** Ends every process and removes every file. May be called twice. Happens by itself when this process ends. */
  stop(): Promise<void>;
}

/**
 * Starts a cluster and resolves when its API server is ready, after some five seconds. When it cannot be started, the
 * error carries the end of the log of whoever failed, and nothing is left behind. `OUTGROW_KUBE_KEEP=1` keeps the folder
 * with all logs, and prints where it is.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const assets = findAssets(options.version);
  const folder = await mkdtemp(join(tmpdir(), "outgrow-kube-"));
  const keepFolder = process.env["OUTGROW_KUBE_KEEP"] === "1";
  if (keepFolder) console.error(`the files of this control plane stay in ${folder}`);
  const keeper = startKeeper(folder, keepFolder);
  try {
    const files = layout(folder);
    const featureGates = { ...gatesOn(wantedVersion(options.version, process.env)), ...options.featureGates };
    const booted = await boot(assets, files, keeper, { ...options, featureGates });
    return await assemble(options, assets, files, booted, keeper);
  } catch (error) {
    await keeper.stop();
    throw error;
  }
}

async function assemble(
  options: ControlPlaneOptions,
  assets: string,
  files: Layout,
  { url, ca, api, tokens, processes }: Booted,
  keeper: Keeper,
): Promise<ControlPlane> {
  const addUser = async (name: string, token: string, namespace?: string): Promise<User> => {
    const kubeconfig = files.kubeconfig(name);
    await writeKubeconfig(kubeconfig, { url, ca }, token, namespace);
    return { name, token, kubeconfig };
  };
  const admin = await addUser(ADMIN, tokens.get(ADMIN) ?? "");
  const users = new Map<string, User>();
  for (const { name } of options.users ?? []) users.set(name, await addUser(name, tokens.get(name) ?? ""));

  let stopping = false;
  for (const [name, kept] of processes) {
    void kept.ended.then((how) => {
      if (!stopping) console.error(`${name} ended by itself (${how}):\n${logTail(files, name)}`);
    });
  }
  const controllers = options.controllers ?? ["*"];
  const audit = readAuditLog(files.auditLog);
  const { gitVersion } = await api.get<{ gitVersion: string }>("/version");
  const tryKubectl = (args: readonly string[], kubectlOptions: KubectlOptions = {}) =>
    runKubectl(join(assets, "kubectl"), files.folder, args, { kubeconfig: admin.kubeconfig, ...kubectlOptions });

  return {
    version: gitVersion,
    url,
    ca,
    admin,
    users,
    api,
    processes: new Map([...processes].map(([name, kept]) => [name, kept.pid])),
    runs: (controller) =>
      controllers.includes(controller) || (controllers.includes("*") && !controllers.includes(`-${controller}`)),
    addUser,
    tryKubectl,
    kubectl: async (args, kubectlOptions) => {
      const { code, stdout, stderr } = await tryKubectl(args, kubectlOptions);
      if (code !== 0) throw new Error(`kubectl ${args.join(" ")} failed with exit code ${code}: ${stderr}`);
      return stdout;
    },
    auditCounts: (filter) => audit.counts(filter),
    auditEntries: (filter) => audit.entries(filter),
    auditMark: () => audit.mark(),
    logTail: (program) => logTail(files, program),
    stop: async () => {
      stopping = true;
      await api.close();
      await keeper.stop();
    },
  };
}
