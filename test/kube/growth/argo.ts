/** The program in ../argo: an application of Argo CD that is synced automatically. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { findTool } from "../tools.ts";

export interface Application {
  readonly namespace: string;
  readonly manifests: readonly object[];
  /** The sync option `ServerSideApply=true`. */
  readonly serverSide: boolean;
}

/** What Argo CD's page would show after one round. */
export interface Round {
  /** Before anything was synced. */
  readonly outOfSync: boolean;
  readonly health: string;
  /** One line for each object that was synced, in the API server's words. */
  readonly results: readonly string[];
  readonly failed: boolean;
  readonly error: string;
}

export interface Argo extends AsyncDisposable {
  /** Compares only. */
  compare(application: Application): Promise<Round>;
  /** Compares, and syncs what is out of sync: `selfHeal`. */
  heal(application: Application): Promise<Round>;
}

export function startArgo(kubeconfig: string): Argo {
  const child = spawn(findTool("argo"), [`--kubeconfig=${kubeconfig}`]);
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
  child.stdin.on("error", () => {});
  const ended = new Promise<void>((resolve, reject) => child.once("error", reject).once("close", () => resolve()));
  const waiting: ((line: string) => void)[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => waiting.shift()?.(line));

  async function ask(request: object): Promise<Round> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    waiting.push(resolve);
    void ended.then(() => reject(new Error(`Argo CD's engine has ended:\n${log.slice(-4_000)}`)), reject);
    child.stdin.write(`${JSON.stringify(request)}\n`);
    return JSON.parse(await promise) as Round;
  }
  return {
    compare: (application) => ask({ ...application, sync: false }),
    heal: (application) => ask({ ...application, sync: true }),
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}
