/** An embedded cluster of its own for one test file, and a client of it. */
import { DEFAULT_GATES } from "../../../../core/gates.ts";
import {
  createClient,
  createTransport,
  type KubeClient,
  loadConfig,
  NAMESPACES,
  silentLogger,
} from "../../../../kube/index.ts";
import { startCluster } from "../../../start-cluster.ts";
import { temporaryFolder } from "../../../store/testing/temporary-folder.ts";

export interface Embedded extends AsyncDisposable {
  readonly client: KubeClient;
  /** A new namespace; gives its name. */
  namespace(): Promise<string>;
}

export async function startEmbedded(): Promise<Embedded> {
  await using cleanup = new AsyncDisposableStack();
  const folder = cleanup.use(temporaryFolder());
  const cluster = await startCluster({ folder: folder.path, port: 0, gates: DEFAULT_GATES, logger: silentLogger });
  cleanup.defer(() => cluster.stop());
  const config = await loadConfig({ env: {}, kubeconfig: cluster.kubeconfig });
  const client = createClient(createTransport(config));
  cleanup.defer(() => client.close());
  const owned = cleanup.move();
  let serial = 0;
  return {
    client,
    async namespace() {
      const name = `test-${serial++}`;
      await client.create(NAMESPACES, { metadata: { name } });
      return name;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
