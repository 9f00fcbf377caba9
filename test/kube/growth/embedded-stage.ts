/**
 * The same stage on the embedded cluster, whose API server takes other sizes in a template and whose controllers grow by
 * it. Everything runs in this process, the controller of growth as well, unless it is left to the suite.
 */
import { join } from "node:path";
import { findAssets } from "../assets.ts";
import { startOurs } from "../clients/server.ts";
import { createNamespace } from "../fixtures.ts";
import { runKubectl } from "../kubectl.ts";
import { startController } from "./controller.ts";
import { openScene } from "./scene.ts";
import { createMemoryClass, type Place, type Stage } from "./stage.ts";

export interface EmbeddedOptions {
  /** Leave growing to whoever `controller` starts. @default false */
  readonly ownController?: boolean;
}

/** There is a class `memory` from the start. */
export async function openEmbeddedStage({ ownController = false }: EmbeddedOptions = {}): Promise<Stage> {
  await using cleanup = new AsyncDisposableStack();
  const without = new Set(ownController ? (["growth"] as const) : []);
  const server = await startOurs({ life: { driver: "memory", sample: false, without } });
  cleanup.defer(() => server.stop());
  const { url, ca, token, api } = server;
  const addUser: Place["addUser"] = async (name, own, namespace) => {
    const { kubeconfig } = await server.home(name, namespace, own);
    return { name, token: own, kubeconfig };
  };
  const admin = await addUser("admin", token);
  const { folder } = await server.home("kubectl");
  const plane: Place = {
    url,
    ca,
    api,
    admin,
    addUser,
    runs: () => true,
    async kubectl(args, options = {}) {
      const all = { kubeconfig: admin.kubeconfig, ...options };
      const { code, stdout, stderr } = await runKubectl(join(findAssets(), "kubectl"), folder, args, all);
      if (code !== 0) throw new Error(`kubectl ${args.join(" ")} failed with exit code ${code}: ${stderr}`);
      return stdout;
    },
  };
  const owned = cleanup.move();
  return {
    plane,
    user: admin,
    async scene(namespace) {
      await createNamespace(plane, namespace);
      return openScene(plane, namespace, { takesEdits: true });
    },
    createClass: (name, parameters, expandable) => createMemoryClass(plane, name, parameters, expandable),
    async controller(options = {}) {
      const started = startController({ kubeconfig: admin.kubeconfig, ...options });
      owned.defer(async () => void (await started.kill()));
      return started;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
