/** A server with the real kube-controller-manager at work on it, and somebody who plays the kubelet. */
import { generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient, createTransport, loadConfig } from "../../../src/kube/index.ts";
import { ApiRefusal } from "../api.ts";
import { type Kubelet, startKubelet } from "../statefulset-controller/kubelet.ts";
import { waitFor } from "../wait.ts";
import { type Running, start } from "./run.ts";
import { program, type Server, startOurs } from "./server.ts";

const ELASTIC = { metadata: { name: "elastic" }, provisioner: "csi.example.com", allowVolumeExpansion: true };

export interface Stage {
  readonly server: Server;
  readonly manager: Running;
  readonly kubelet: Kubelet;
  /** What is there; undefined when there is nothing. */
  find<T>(path: string): Promise<T | undefined>;
  /** Waits until this holds of what is there; the error shows what was there at the end. */
  until<T>(path: string, what: string, is: (found: T) => boolean, timeoutMs?: number): Promise<T>;
  untilGone(path: string): Promise<void>;
  stop(): Promise<void>;
}

export interface StageOptions {
  /** Ours, unless told. */
  readonly startServer?: () => Promise<Server>;
  /** Each controller under its own ServiceAccount and roles, as kubeadm has it; else all as the administrator. */
  readonly ownAccounts: boolean;
  /** What must be there before the manager looks. */
  readonly before?: (server: Server) => Promise<void>;
}

export async function openStage({ startServer = startOurs, ownAccounts, before }: StageOptions): Promise<Stage> {
  const server = await startServer();
  await server.api.create("/apis/storage.k8s.io/v1/storageclasses", ELASTIC);
  await before?.(server);
  const { folder, kubeconfig } = await server.home("manager");
  const key = join(folder, "service-account.key");
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  await writeFile(key, privateKey, { mode: 0o600 });
  await writeFile(join(folder, "ca.crt"), server.ca);
  const manager = start(program("kube-controller-manager"), managerArgs(folder, kubeconfig, key, ownAccounts), {
    cwd: folder,
  });
  const client = createClient(createTransport(await loadConfig({ env: {}, kubeconfig })));
  const kubelet = startKubelet(client);

  const find: Stage["find"] = async <T>(path: string) => {
    try {
      return await server.api.get<T>(path);
    } catch (error) {
      if (error instanceof ApiRefusal && error.status === 404) return undefined;
      throw error;
    }
  };
  return {
    server,
    manager,
    kubelet,
    find,
    async until<T>(path: string, what: string, is: (found: T) => boolean, timeoutMs = 60_000) {
      let last: T | undefined;
      const look = async (): Promise<T | undefined> => {
        last = await find<T>(path);
        return last !== undefined && is(last) ? last : undefined;
      };
      return waitFor(`${path}: ${what}`, look, { timeoutMs, everyMs: 50 }).catch((error: unknown) => {
        const log = manager.stderr.trimEnd().split("\n").slice(-15).join("\n");
        throw new Error(`${String(error)}\n${JSON.stringify(last)}\n${log}`, { cause: error });
      });
    },
    async untilGone(path) {
      await waitFor(`${path} to be gone`, async () => (await find(path)) === undefined, {
        timeoutMs: 60_000,
        everyMs: 50,
      });
    },
    async stop() {
      await manager.kill("SIGTERM");
      await kubelet.stop();
      await client.close();
      await server.stop();
    },
  };
}

function managerArgs(folder: string, kubeconfig: string, key: string, ownAccounts: boolean): string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    `--use-service-account-credentials=${ownAccounts}`,
    "--leader-elect=true",
    // Who loses the lease on a busy machine ends, and nobody starts it again here.
    "--leader-elect-lease-duration=120s",
    "--leader-elect-renew-deadline=100s",
    "--secure-port=0",
    "--kube-api-qps=500",
    "--kube-api-burst=1000",
    "--pvclaimbinder-sync-period=2s",
    // No kubelet reports here: a Node object is alive for as long as it exists.
    "--node-monitor-grace-period=24h",
    `--flex-volume-plugin-dir=${join(folder, "flex-volumes")}`,
    `--service-account-private-key-file=${key}`,
    `--root-ca-file=${join(folder, "ca.crt")}`,
  ];
}
