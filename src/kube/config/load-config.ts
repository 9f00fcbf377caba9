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
import { at, invalid } from "./fields.ts";
import { inClusterConfig, isInCluster } from "./in-cluster.ts";
import {
  type ClusterEntry,
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
 * Looks at, in this order: the file that was named; the files of KUBECONFIG, merged; `~/.kube/config`; the pod's own
 * service account; a bare `master`. Throws `ConfigInvalid`, saying where it looked.
 */
export async function loadConfig(options: LoadOptions): Promise<ClusterConfig> {
  const { env, context, master, timers = systemTimers } = options;
  const { files, config } = await readFiles(options);
  if (config !== undefined && (config.contexts.size > 0 || config.clusters.size > 0 || context !== undefined)) {
    return resolve(config, files, { ...options, timers });
  }
  if (isInCluster(env)) {
    const own = await inClusterConfig({ env, timers });
    return master === undefined ? own : { ...own, server: readServer(master, "--master", true) };
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
  const place = { file: files.join(", "), path: "" };
  const name = options.context ?? config.currentContext;
  if (name === undefined && options.master === undefined) {
    throw invalid(at(place, "current-context"), `is missing; choose one with --context: ${listed(config.contexts)}`);
  }
  const context = name === undefined ? undefined : config.contexts.get(name);
  if (name !== undefined && context === undefined) {
    const where = options.context === undefined ? at(place, "current-context") : place;
    throw invalid(where, `there is no context ${JSON.stringify(name)}; there are: ${listed(config.contexts)}`);
  }
  const cluster = context?.cluster === undefined ? undefined : config.clusters.get(context.cluster);
  if (context?.cluster !== undefined && cluster === undefined) {
    throw invalid(at(context.place, "cluster"), `there is no cluster ${JSON.stringify(context.cluster)}`);
  }
  const user = context?.user === undefined ? undefined : config.users.get(context.user);
  if (context?.user !== undefined && user === undefined) {
    throw invalid(at(context.place, "user"), `there is no user ${JSON.stringify(context.user)}`);
  }
  const address = options.master ?? cluster?.server;
  if (address === undefined)
    throw invalid(cluster ? at(cluster.place, "server") : place, "the server's address is missing");
  const source =
    options.master === undefined && cluster ? `${cluster.place.file}: ${cluster.place.path}.server` : "--master";
  const ca = cluster === undefined ? undefined : await contents(cluster.ca);
  const server = readServer(address, source, ca !== undefined || cluster?.insecure === true);
  return {
    server,
    namespace: context?.namespace ?? "default",
    tls: { ca, serverName: cluster?.tlsServerName, insecure: cluster?.insecure ?? false },
    proxyUrl: cluster?.proxyUrl ?? proxyFor(server, options.env),
    // kubectl sends no credentials over a connection that anybody can read.
    credentials:
      user && server.startsWith("https:") ? await readUser(user, cluster, server, ca, options) : fixedCredentials(),
    headers: user?.impersonation ?? {},
  };
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
