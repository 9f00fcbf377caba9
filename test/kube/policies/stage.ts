/** A server on which stories happen: each in a namespace of its own, told with kubectl and Helm as released. */
import { join } from "node:path";
import type { StatefulSet } from "../../../src/core/types.ts";
import { type Ended, run } from "../clients/run.ts";
import { program, type Server } from "../clients/server.ts";
import { words } from "../clients/words.ts";
import { findTool } from "../tools.ts";
import { aSet, CLASSES, NAME, type Traits } from "./set.ts";

const CHART = join(import.meta.dirname, "testdata", "chart");

/** Somebody with a namespace of his own. */
export interface Hand {
  readonly namespace: string;
  /** Runs kubectl with these words and this object on its standard input; gives back how it ended. */
  kubectl(line: string, input?: object, env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** The same, and it must work. */
  does(line: string, input?: object, env?: Readonly<Record<string, string>>): Promise<string>;
  /** Runs Helm with these words, CHART being the chart of the stories. */
  helm(line: string): Promise<Ended>;
  /** Creates the set as it is described, without leaving a trace of a client. */
  create(traits?: Traits): Promise<StatefulSet>;
  read(): Promise<StatefulSet>;
}

export interface Stage {
  readonly server: Server;
  /** A hand for one story. */
  hand(): Promise<Hand>;
}

export async function openStage(server: Server): Promise<Stage> {
  for (const storageClass of CLASSES) await server.api.create("/apis/storage.k8s.io/v1/storageclasses", storageClass);
  // One memory of what the server serves, for all.
  const { folder: HOME } = await server.home("memory");
  let count = 0;
  return {
    server,
    async hand() {
      const namespace = `story-${++count}`;
      await server.api.create("/api/v1/namespaces", { metadata: { name: namespace } });
      const { folder: cwd, kubeconfig: KUBECONFIG } = await server.home(namespace, namespace);
      const sets = `/apis/apps/v1/namespaces/${namespace}/statefulsets`;
      const kubectl: Hand["kubectl"] = (line, input, env = {}) =>
        run(program("kubectl"), words(line), {
          cwd,
          env: { HOME, KUBECONFIG, ...env },
          ...(input !== undefined && { input: JSON.stringify(input) }),
        });
      return {
        namespace,
        kubectl,
        async does(line, input, env) {
          const { code, stdout, stderr } = await kubectl(line, input, env);
          if (code !== 0) throw new Error(`kubectl ${line}: ${stderr}`);
          return stdout;
        },
        helm: (line) => run(findTool("helm"), words(line.replace("CHART", CHART)), { cwd, env: { HOME, KUBECONFIG } }),
        create: (traits = {}) => server.api.create(sets, aSet(traits)),
        read: () => server.api.get(`${sets}/${NAME}`),
      };
    },
  };
}
