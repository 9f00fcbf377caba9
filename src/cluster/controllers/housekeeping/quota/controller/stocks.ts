/** The objects that quotas count: held for a first look, and read anew before usage is written. */
import type { KubeObject } from "../../../../../core/types.ts";
import { type Informer, identity, metadataOf, startInformer, withoutManagedFields } from "../../../../../kube/index.ts";
import { kindKey } from "../../shared/kinds.ts";
import type { Surroundings } from "../../shared/run-controller.ts";
import type { CountedKind, Stock } from "../decide/usage.ts";

export interface Stocks {
  /** As the watches have told. The first time that somebody asks for a kind, it waits until that is filled. */
  held(kinds: readonly CountedKind[], namespace: string): Promise<readonly Stock[]>;
  /** As the server has it now. */
  live(kinds: readonly CountedKind[], namespace: string): Promise<readonly Stock[]>;
  stop(): Promise<void>;
}

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

  return {
    async held(kinds, namespace) {
      const wanted = kinds.map((kind) => ({ kind, informer: informerOf(kind) }));
      await Promise.all(wanted.map(({ informer }) => informer.synced));
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
