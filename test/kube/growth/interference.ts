/** Other people and programs that do something to a set at one moment of its re-creation. */
import { type ApiProxy, PASS, startApiProxy } from "../api-proxy.ts";
import { waitFor } from "../wait.ts";
import { nameOf, type Write } from "./calls.ts";
import type { Scene } from "./scene.ts";
import type { Stage } from "./stage.ts";

export interface Interference {
  /**
   * Has `act` done in the namespace of the scene when the next write of this kind was served there, before the controller
   * hears the answer. Resolves when it is done; what it rejects with is thrown there.
   */
  at(scene: Scene, write: Write, act: () => Promise<void>): Promise<void>;
}

interface Moment {
  readonly write: Write;
  readonly reached: () => Promise<void>;
}

/** One controller for the whole cluster, all of whose calls can be interfered with. It is killed with the stage. */
export async function startInterference(stage: Stage): Promise<Interference & AsyncDisposable> {
  const moments = new Map<string, Moment>();
  const proxy: ApiProxy = await startApiProxy(stage.plane, stage.user, "interference", {
    async onServed(request) {
      const [, namespace = ""] = /\/namespaces\/([^/]+)\//.exec(request.path) ?? [];
      const moment = moments.get(namespace);
      if (moment !== undefined && nameOf(request) === moment.write) {
        moments.delete(namespace);
        await moment.reached();
      }
      return PASS;
    },
  });
  await stage.controller({ kubeconfig: proxy.kubeconfig });
  return {
    async at({ namespace }, write, act) {
      let acted: Promise<void> | undefined;
      const reached = async (): Promise<void> => {
        acted = act();
        await acted.catch(() => {}); // told below
      };
      moments.set(namespace, { write, reached });
      await waitFor(`${namespace}: ${write}`, () => acted?.then(() => true), { timeoutMs: 180_000 });
    },
    [Symbol.asyncDispose]: () => proxy.stop(),
  };
}
