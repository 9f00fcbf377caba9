/** A client whose process dies right after one write: the write is done, and nothing that should have followed. */
import type { KubeClient } from "../../../../kube/index.ts";

export interface Mortal {
  readonly client: KubeClient;
  /** Whether it is dead. */
  readonly isDead: () => boolean;
}

export function mortal(client: KubeClient): Mortal {
  let dead = false;
  const live = (): void => {
    if (dead) throw new Error("this process is dead");
  };
  /** Nobody hears the answer of the last write. */
  const last = async <T>(write: () => Promise<T>): Promise<T> => {
    live();
    await write();
    dead = true;
    throw new Error("this process is dead");
  };
  return {
    isDead: () => dead,
    client: {
      ...client,
      create: (...args) => last(() => client.create(...args)),
      update: (...args) => last(() => client.update(...args)),
      patch: (...args) => last(() => client.patch(...args)),
      delete: (...args) => last(() => client.delete(...args)),
      async raw(request, signal) {
        if (request.method !== "GET") return last(() => client.raw(request, signal));
        live();
        return client.raw(request, signal);
      },
      async get(...args) {
        live();
        return client.get(...args);
      },
      async list(...args) {
        live();
        return client.list(...args);
      },
    },
  };
}
