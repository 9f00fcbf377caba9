/** From command line, environment and files to one `ClusterConfig`, in kubectl's order of preference. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { messageOf } from "../../core/errors.ts";
import { KubeError } from "../kube-error.ts";
import { systemTimers, type Timers } from "../timers.ts";
import type { ClusterConfig } from "./cluster-config.ts";
import {
  basicAuthorization,
  type Credentials,
  fileCredentials,
  fixedCredentials,
  readOrExplain,
} from "./credentials.ts";
import { execCredentials } from "./exec-plugin.ts";
import { at, invalid, type Place } from "./fields.ts";
import { inClusterConfig, isInCluster } from "./in-cluster.ts";
import {
  type ClusterEntry,
  type ContextEntry,
  type Kubeconfig,
  type Material,
  mergeKubeconfigs,
  parseKubeconfig,
  type UserEntry,
} from "./kubeconfig.ts";
import { proxyFor } from "./proxy.ts";

export interface LoadOptions {
  /** `process.env` at the edge: KUBECONFIG, HOME, proxies, and what plugins inherit. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `--kubeconfig`: this file and no other. */
  readonly kubeconfig?: string | undefined;
  /** `--context`: instead of the current one. */
  readonly context?: string | undefined;
  /** `--master`: the server's address, instead of the one in the files. */
  readonly master?: string | undefined;
  /** Credential plugins may ask questions at the terminal. @default false */
  readonly interactive?: boolean;
  readonly timers?: Timers;
}

/**
 * Looks at, in this order: the file that was named; the files of KUBECONFIG, merged; `~/.kube/config`; a bare `master`,
 * which gets no credentials; the pod's own service account. Throws `ConfigInvalid`, saying where it looked.
 */
export async function loadConfig(options: LoadOptions): Promise<ClusterConfig> {
  const { env, kubeconfig, context, master, timers = systemTimers } = options;
  const { files, config } = await readFiles(options);
  // An empty file in the home directory is none; one that was named is a mistake that must be told.
  const meant = Boolean(kubeconfig) || context !== undefined;
  if (config !== undefined && (meant || config.contexts.size > 0)) {
    return resolve(config, files, { ...options, timers });
  }
  if (master !== undefined) {
    const server = readServer(master, "--master", false);
    return {
      server,
      namespace: "default",
      tls: { ca: undefined, serverName: undefined, insecure: false },
      proxyUrl: proxyFor(server, env),
      credentials: fixedCredentials(),
      headers: {},
    };
  }
  if (isInCluster(env)) return inClusterConfig({ env, timers });
  throw new KubeError(
    "ConfigInvalid",
    `no cluster is configured: looked at ${files.join(", ") || "nothing (HOME is not set)"}, and this is not a pod; name a file with --kubeconfig or KUBECONFIG`,
  );
}

async function readFiles(options: LoadOptions): Promise<{ files: string[]; config: Kubeconfig | undefined }> {
  if (options.kubeconfig) {
    const file = path.resolve(options.kubeconfig);
    return { files: [file], config: parseKubeconfig((await readOrExplain(file)).toString("utf8"), file) };
  }
  const { KUBECONFIG: list, HOME: home } = options.env;
  const named = (list ?? "").split(path.delimiter).filter((entry) => entry !== "");
  const files = (named.length > 0 ? named : home ? [path.join(home, ".kube", "config")] : []).map((file) =>
    path.resolve(file),
  );
  const configs: Kubeconfig[] = [];
  for (const file of new Set(files)) {
    const contents = await readIfThere(file);
    if (contents !== undefined) configs.push(parseKubeconfig(contents, file));
  }
  return { files, config: configs.length === 0 ? undefined : mergeKubeconfigs(configs) };
}

/** kubectl passes over files of the list that do not exist, and over nothing else. */
async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new KubeError("ConfigInvalid", `${file}: cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

async function resolve(
  config: Kubeconfig,
  files: readonly string[],
  options: LoadOptions & { readonly timers: Timers },
): Promise<ClusterConfig> {
  const { master, env } = options;
  const place = { file: files.join(", "), path: "" };
  const { context, cluster, user } = choose(config, place, options);
  const address = master ?? cluster?.server;
  const where = cluster === undefined ? place : at(cluster.place, "server");
  if (address === undefined) throw invalid(where, "the server's address is missing");
  const ca = cluster === undefined ? undefined : await contents(cluster.ca);
  const insecure = cluster?.insecure ?? false;
  const server = readServer(
    address,
    master === undefined ? `${where.file}: ${where.path}` : "--master",
    insecure || ca !== undefined,
  );
  // kubectl sends no credentials over a connection that anybody can read.
  const known = user !== undefined && server.startsWith("https:");
  return {
    server,
    namespace: context?.namespace ?? "default",
    tls: { ca, serverName: cluster?.tlsServerName, insecure },
    proxyUrl: cluster?.proxyUrl ?? proxyFor(server, env),
    credentials: known ? await readUser(user, cluster, server, ca, options) : fixedCredentials(),
    headers: user?.impersonation ?? {},
  };
}

interface Choice {
  readonly context: ContextEntry | undefined;
  readonly cluster: ClusterEntry | undefined;
  readonly user: UserEntry | undefined;
}

/** The context that is meant, and what it names; a bare `master` needs none. */
function choose(config: Kubeconfig, place: Place, { context: wanted, master }: LoadOptions): Choice {
  const name = wanted ?? config.currentContext;
  if (name === undefined) {
    if (master !== undefined) return { context: undefined, cluster: undefined, user: undefined };
    throw invalid(at(place, "current-context"), `is missing; choose one with --context: ${listed(config.contexts)}`);
  }
  const context = config.contexts.get(name);
  if (context === undefined) {
    const where = wanted === undefined ? at(place, "current-context") : place;
    throw invalid(where, `there is no context ${JSON.stringify(name)}; there are: ${listed(config.contexts)}`);
  }
  const find = <T>(kind: "cluster" | "user", entries: ReadonlyMap<string, T>): T | undefined => {
    const named = context[kind];
    const found = named === undefined ? undefined : entries.get(named);
    if (named !== undefined && found === undefined) {
      throw invalid(at(context.place, kind), `there is no ${kind} ${JSON.stringify(named)}`);
    }
    return found;
  };
  return { context, cluster: find("cluster", config.clusters), user: find("user", config.users) };
}

async function readUser(
  user: UserEntry,
  cluster: ClusterEntry | undefined,
  server: string,
  caData: Buffer | undefined,
  options: LoadOptions & { readonly timers: Timers },
): Promise<Credentials> {
  const { timers, env, interactive = false } = options;
  if (user.exec !== undefined) {
    const { tlsServerName, insecure = false, proxyUrl, execConfig } = cluster ?? {};
    const info = { server, caData, tlsServerName, insecure, proxyUrl, execConfig };
    return execCredentials(user.exec, at(user.place, "exec"), { timers, env, interactive, cluster: info });
  }
  const cert = await contents(user.certificate);
  const key = await contents(user.key);
  const given = {
    authorization: user.token === undefined ? basic(user) : `Bearer ${user.token}`,
    certificate: cert === undefined || key === undefined ? undefined : { cert, key },
  };
  const { tokenFile } = user;
  const certificateFile = user.certificate.data === undefined ? user.certificate.file : undefined;
  const keyFile = user.key.data === undefined ? user.key.file : undefined;
  if (tokenFile === undefined && certificateFile === undefined && keyFile === undefined) return fixedCredentials(given);
  const credentials = fileCredentials({ tokenFile, certificateFile, keyFile }, given, timers);
  // A file that is not there should be told now, not with the first request.
  await credentials.current();
  return credentials;
}

function basic({ username, password }: UserEntry): string | undefined {
  return username === undefined ? undefined : basicAuthorization(username, password ?? "");
}

async function contents(material: Material): Promise<Buffer | undefined> {
  return material.data ?? (material.file === undefined ? undefined : readOrExplain(material.file));
}

/** An address without a scheme is https where TLS is configured, else http, as client-go reads it. */
function readServer(address: string, source: string, tls: boolean): string {
  const full = address.includes("://") ? address : `${tls ? "https" : "http"}://${address}`;
  const url = URL.parse(full);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new KubeError("ConfigInvalid", `${source}: ${JSON.stringify(address)} is not an http or https address`);
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

function listed(contexts: Kubeconfig["contexts"]): string {
  return [...contexts.keys()].join(", ") || "none";
}
