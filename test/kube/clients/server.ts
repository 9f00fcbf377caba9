/** A server for programs of others: ours, or Kubernetes' own, under one and the same kubeconfig. */
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { type ClusterOptions, startCluster } from "../../../src/cluster/index.ts";
import { DEFAULT_GATES } from "../../../src/core/gates.ts";
import { silentLogger } from "../../../src/kube/logger.ts";
import { type Api, openApi } from "../api.ts";
import { findAssets } from "../assets.ts";
import { startControlPlane } from "../control-plane.ts";
import { writeKubeconfig } from "../credentials.ts";
import type { ProgramName } from "../kube-module.ts";

export interface Server {
  readonly name: "ours" | "theirs";
  readonly url: string;
  readonly ca: string;
  readonly token: string;
  /** As the administrator. */
  readonly api: Api;
  /** A folder of its own for a program, with a kubeconfig in it for this namespace; the administrator's unless a token is given. */
  home(name: string, namespace?: string, token?: string): Promise<Home>;
  stop(): Promise<void>;
}

export interface Home {
  readonly folder: string;
  readonly kubeconfig: string;
}

/** The path of a program of the control plane's release. */
export function program(name: ProgramName): string {
  return join(findAssets(), name);
}

export async function startOurs(options: Partial<ClusterOptions> = {}): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), "outgrow-clients-"));
  const data = join(folder, "data");
  const cluster = await startCluster({ folder: data, port: 0, gates: DEFAULT_GATES, logger: silentLogger, ...options });
  return connectTo("ours", cluster.kubeconfig, folder, () => cluster.stop());
}

export async function startTheirs(): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), "outgrow-clients-"));
  const plane = await startControlPlane({ controllers: [], admission: { enable: ["ServiceAccount"] } });
  return connectTo("theirs", plane.admin.kubeconfig, folder, () => plane.stop());
}

/** `folder` takes the homes, and goes away with the server. */
export function connectTo(name: Server["name"], kubeconfig: string, folder: string, stop: () => Promise<void>): Server {
  const config = parse(readFileSync(kubeconfig, "utf8")) as {
    clusters: { cluster: { server: string; "certificate-authority-data": string } }[];
    users: { user: { token: string } }[];
  };
  const { server: url, "certificate-authority-data": encoded } = config.clusters[0]?.cluster ?? ({} as never);
  const ca = Buffer.from(encoded, "base64").toString();
  const token = config.users[0]?.user.token ?? "";
  const api = openApi({ url, ca }, token);
  return {
    name,
    url,
    ca,
    token,
    api,
    async home(user, namespace, own = token) {
      const home = { folder: join(folder, user), kubeconfig: join(folder, user, "kubeconfig") };
      await mkdir(home.folder);
      await writeKubeconfig(home.kubeconfig, { url, ca }, own, namespace);
      return home;
    },
    async stop() {
      await api.close();
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
