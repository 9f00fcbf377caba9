/**
 * The same stage on the embedded cluster, whose API server takes other sizes in a template and whose controllers grow by
 * it: `outgrow up` as a process of its own, with the controller of growth in it, unless that is left to the suite.
 */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findAssets } from "../assets.ts";
import { connectTo } from "../clients/server.ts";
import { createNamespace } from "../fixtures.ts";
import { runKubectl } from "../kubectl.ts";
import { aPlace, startUp } from "../life/program.ts";
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
  const place = cleanup.use(aPlace());
  const flags = ownController ? ["--disable-controller", "growth"] : [];
  cleanup.use(await startUp(place, "--driver", "memory", "--port", "0", ...flags));
  const folder = await mkdtemp(join(tmpdir(), "outgrow-growth-"));
  const server = connectTo("ours", join(place.data, "outgrow.kubeconfig"), folder, async () => {});
  cleanup.defer(() => server.stop());
  const { url, ca, token, api } = server;
  const addUser: Place["addUser"] = async (name, own, namespace) => {
    const { kubeconfig } = await server.home(name, namespace, own);
    return { name, token: own, kubeconfig };
  };
  const admin = await addUser("admin", token);
  const { folder: home } = await server.home("kubectl");
  const plane: Place = {
    url,
    ca,
    api,
    admin,
    addUser,
    runs: () => true,
    async kubectl(args, options = {}) {
      const all = { kubeconfig: admin.kubeconfig, ...options };
      const { code, stdout, stderr } = await runKubectl(join(findAssets(), "kubectl"), home, args, all);
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
