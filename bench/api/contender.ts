/** The API servers that are measured: ours as it ships, and kube-apiserver on an etcd that flushes every write. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, openSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Agent, request } from "undici";
import { parse } from "yaml";
import { startControlPlane } from "../../test/kube/control-plane.ts";

export interface Access {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

export interface Running extends Access {
  readonly name: string;
  /** From nothing to the first answer of /readyz, in milliseconds. */
  readonly startMs: number;
  /** Megabytes that the API server has in memory. */
  memory(): number;
  stop(): Promise<void>;
}

/** With a new data folder on disk, and nothing in it yet. */
export async function startOurs(program: string): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), "outgrow-bench-"));
  const kubeconfig = join(folder, "kubeconfig");
  const log = join(folder, "log");
  const start = performance.now();
  const words = [program, "up", "--no-controllers", "--data", join(folder, "data")];
  const child = spawn(process.execPath, [...words, "--kubeconfig", kubeconfig], {
    stdio: ["ignore", openSync(log, "w"), openSync(log, "a")],
  });
  while (!existsSync(kubeconfig)) {
    if (child.exitCode !== null)
      throw new Error(`outgrow up ended with ${child.exitCode}:\n${readFileSync(log, "utf8")}`);
    await setTimeout(2);
  }
  const access = readKubeconfig(kubeconfig);
  await untilReady(access);
  return {
    ...access,
    name: "outgrow up",
    startMs: performance.now() - start,
    memory: () => memoryOf(child.pid ?? 0),
    async stop() {
      await ended(child);
      await rm(folder, { recursive: true });
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const end = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await end;
}

/** The peer; without an audit log, which ours does not write either. */
export async function startKube(): Promise<Running> {
  const start = performance.now();
  const plane = await startControlPlane({ controllers: [], durable: true, audit: false });
  const { token } = readKubeconfig(plane.admin.kubeconfig);
  const startMs = performance.now() - start;
  const pid = Number(execFileSync("pgrep", ["-n", "-x", "kube-apiserver"], { encoding: "utf8" }));
  return {
    name: "kube-apiserver",
    url: plane.url,
    ca: plane.ca,
    token,
    startMs,
    memory: () => memoryOf(pid),
    stop: () => plane.stop(),
  };
}

async function untilReady({ url, ca, token }: Access): Promise<void> {
  const dispatcher = new Agent({ connect: { ca } });
  for (;;) {
    const answer = await request(`${url}/readyz`, { dispatcher, headers: { authorization: `Bearer ${token}` } }).catch(
      () => undefined,
    );
    await answer?.body.dump();
    if (answer?.statusCode === 200) break;
    await setTimeout(2);
  }
  await dispatcher.close();
}

function readKubeconfig(file: string): Access {
  const config = parse(readFileSync(file, "utf8")) as {
    clusters: { cluster: { server: string; "certificate-authority-data": string } }[];
    users: { user: { token: string } }[];
  };
  const [cluster] = config.clusters;
  const [user] = config.users;
  return {
    url: cluster?.cluster.server ?? "",
    ca: Buffer.from(cluster?.cluster["certificate-authority-data"] ?? "", "base64").toString(),
    token: user?.user.token ?? "",
  };
}

function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}
