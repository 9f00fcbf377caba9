/** The program in ../argo: an application of Argo CD that is synced automatically. */
import { startAnswering } from "../answering-process.ts";

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
  const engine = startAnswering("argo", [`--kubeconfig=${kubeconfig}`]);
  const round = (application: Application, sync: boolean): Promise<Round> =>
    engine.ask(JSON.stringify({ ...application, sync }));
  return {
    compare: (application) => round(application, false),
    heal: (application) => round(application, true),
    async [Symbol.asyncDispose]() {
      engine.child.stdin.end();
      await engine.ended;
    },
  };
}
