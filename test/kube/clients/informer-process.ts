/** The program in ../informer: client-go's informers, and what they say of themselves. */

import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { startAnswering } from "../answering-process.ts";
import { waitFor } from "../wait.ts";

export interface Told {
  readonly adds: number;
  readonly updates: number;
  readonly deletes: number;
  /** What must never happen: an older version after a newer one, an addition of what is there. */
  readonly wrong: number;
}

export interface Dump {
  /** By informer, the version that it has of each object. */
  readonly cache: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly told: Readonly<Record<string, Told>>;
  readonly leading: boolean;
  readonly terms: number;
}

export interface InformerProcess {
  readonly pid: number;
  dump(): Promise<Dump>;
  /** What it logged. */
  readonly log: string;
  signal(signal: NodeJS.Signals): void;
  /** Stops it where it is, all its threads, until it gets SIGCONT. */
  suspend(): Promise<void>;
  stop(): Promise<void>;
}

export interface InformerOptions {
  readonly folder: string;
  readonly url: string;
  readonly ca: string;
  readonly token: string;
  readonly namespace: string;
  readonly streaming: boolean;
  readonly flags?: readonly string[];
}

export async function startInformers(options: InformerOptions): Promise<InformerProcess> {
  const { folder, namespace, streaming, flags = [] } = options;
  const kubeconfig = join(folder, `informers-${streaming ? "streaming" : "listing"}`);
  await writeFile(kubeconfig, stringify(configFor(options)), { mode: 0o600 });
  const words = [`--kubeconfig=${kubeconfig}`, `--namespace=${namespace}`, ...flags];
  const env = { HOME: folder, KUBE_FEATURE_WatchListClient: String(streaming) };
  const informers = startAnswering("informer", words, env);
  const { child, ended } = informers;
  return {
    pid: child.pid ?? 0,
    get log() {
      return informers.log;
    },
    dump: () => informers.ask("dump"),
    signal: (signal) => void child.kill(signal),
    async suspend() {
      child.kill("SIGSTOP");
      const threads = `/proc/${child.pid}/task`;
      await waitFor("every thread to stop", async () => {
        const states = (await readdir(threads)).map((id) => readFile(join(threads, id, "stat"), "utf8"));
        return (await Promise.all(states)).every((stat) => /\) T /.test(stat));
      });
    },
    async stop() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function configFor({ url, ca, token }: InformerOptions): object {
  const authority = {
    "certificate-authority-data": Buffer.from(ca).toString("base64"),
    "tls-server-name": "127.0.0.1",
  };
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "test", cluster: { server: url, ...authority } }],
    users: [{ name: "test", user: { token } }],
    contexts: [{ name: "test", context: { cluster: "test", user: "test" } }],
    "current-context": "test",
  };
}
