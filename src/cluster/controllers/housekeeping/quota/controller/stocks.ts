/** The objects that quotas count: held for a first look, and read anew before usage is written. */
import type { KubeObject } from "../../../../../core/types.ts";
import {
  deadlineSignal,
  type Informer,
  identity,
  metadataOf,
  settledOrAborted,
  startInformer,
  withoutManagedFields,
} from "../../../../../kube/index.ts";
import type { Surroundings } from "../../../shared/run-controller.ts";
import { kindKey } from "../../shared/kinds.ts";
import type { CountedKind, Stock } from "../decide/usage.ts";

export interface Stocks {
  /** As the watches have told. The first time that somebody asks for a kind, it waits until that is filled, or rejects. */
  held(kinds: readonly CountedKind[], namespace: string): Promise<readonly Stock[]>;
  /** As the server has it now. */
  live(kinds: readonly CountedKind[], namespace: string): Promise<readonly Stock[]>;
  stop(): Promise<void>;
}

/** In milliseconds. */
const PATIENCE = 5_000;

/** `onNews` hears in which namespace something has changed. */
export function createStocks(
  { client, timers, logger, metrics, signal }: Surroundings,
  onNews: (namespace: string) => void,
): Stocks {
  const informers = new Map<string, Informer<KubeObject, KubeObject, "namespace">>();

  function informerOf({ resource, looksInside }: CountedKind): Informer<KubeObject, KubeObject, "namespace"> {
    const key = kindKey(resource);
    const known = informers.get(key);
    if (known !== undefined) return known;
    const informer = startInformer<KubeObject, KubeObject, "namespace">(
      {
        client,
        resource: looksInside ? resource : metadataOf(resource),
        trim: looksInside ? withoutManagedFields : ({ metadata }) => ({ metadata: identity(metadata) }),
        indexes: { namespace: ({ metadata }) => metadata.namespace },
        timers,
        logger,
        metrics,
      },
      signal,
    );
    const tell = ({ metadata }: KubeObject): void => onNews(metadata.namespace ?? "");
    // Of those that are only counted, a change is no news.
    informer.addHandler({ added: tell, deleted: tell, ...(looksInside ? { updated: tell } : {}) });
    informers.set(key, informer);
    return informer;
  }

  /** A kind that cannot be watched must not hold up the quotas that do not ask for it. */
  async function filled(all: readonly Informer<KubeObject, KubeObject, "namespace">[]): Promise<void> {
    if (all.every(({ isSynced }) => isSynced)) return;
    using patience = deadlineSignal(timers, PATIENCE, "some kinds cannot be watched", signal);
    await settledOrAborted(Promise.all(all.map(({ synced }) => synced)), patience.signal);
    patience.signal.throwIfAborted();
  }

  return {
    async held(kinds, namespace) {
      const wanted = kinds.map((kind) => ({ kind, informer: informerOf(kind) }));
      await filled(wanted.map(({ informer }) => informer));
      return wanted.map(({ kind, informer }) => ({ kind, objects: informer.byIndex("namespace", namespace) }));
    },
    live: (kinds, namespace) =>
      Promise.all(
        kinds.map(async (kind) => {
          const { resource, looksInside } = kind;
          const objects = await client.listAll(looksInside ? resource : metadataOf(resource), { namespace }, signal);
          return { kind, objects };
        }),
      ),
    async stop() {
      await Promise.all([...informers.values()].map((informer) => informer.stop()));
    },
  };
}
