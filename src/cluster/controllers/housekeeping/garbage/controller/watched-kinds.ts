/** One informer for each kind that can be watched and deleted, of metadata alone; kinds come and go. */
import type { KubeObject, ObjectMeta } from "../../../../../core/types.ts";
import {
  apiVersionOf,
  type Handler,
  type Informer,
  identity,
  metadataOf,
  type Resource,
  settledOrAborted,
  startInformer,
} from "../../../../../kube/index.ts";
import type { Surroundings } from "../../../shared/run-controller.ts";
import { isEvent, type Kinds, kindKey } from "../../shared/kinds.ts";

export interface WatchedKinds {
  /** Watches what is new in there, and no longer what is not. */
  follow(kinds: Kinds): Promise<void>;
  /** Resolves when all are filled, or have had their time: one that cannot be watched must not hold up the others. */
  filled(): Promise<void>;
  stop(): Promise<void>;
}

export interface WatchedKindsOptions extends Pick<Surroundings, "client" | "timers" | "logger" | "metrics" | "signal"> {
  readonly handlerFor: (resource: Resource) => Handler<KubeObject>;
  /** Nobody watches it any more. What was told of it may be out of date from now on. */
  readonly forget: (resource: Resource) => void;
}

const PATIENCE_MS = 10_000;

export function createWatchedKinds(options: WatchedKindsOptions): WatchedKinds {
  const { client, timers, logger, metrics, signal, handlerFor, forget } = options;
  const watched = new Map<string, { readonly resource: Resource; readonly informer: Informer<KubeObject> }>();

  async function drop(key: string): Promise<void> {
    const each = watched.get(key);
    if (each === undefined) return;
    watched.delete(key);
    await each.informer.stop();
    forget(each.resource);
  }

  return {
    async follow(kinds) {
      const wanted = new Map(
        kinds.preferred
          .filter(({ resource, verbs }) => !isEvent(resource) && ["delete", "list", "watch"].every((v) => verbs.has(v)))
          .map(({ resource }) => [kindKey(resource), resource]),
      );
      for (const [key, { resource }] of watched) {
        const now = wanted.get(key);
        // Of a group that the server cannot speak for at the moment nothing is known: it is not gone.
        if (now === undefined && kinds.unknown.includes(apiVersionOf(resource))) continue;
        if (now === undefined || apiVersionOf(now) !== apiVersionOf(resource)) await drop(key);
      }
      for (const [key, resource] of wanted) {
        if (watched.has(key)) continue;
        const informer = startInformer(
          { client, resource: metadataOf(resource), trim: holdMetadata, timers, logger, metrics },
          signal,
        );
        informer.addHandler(handlerFor(resource));
        watched.set(key, { resource, informer });
      }
    },
    async filled() {
      const all = Promise.all([...watched.values()].map(({ informer }) => informer.synced));
      const over = new AbortController();
      const cancel = timers.after(PATIENCE_MS, () => over.abort());
      await settledOrAborted(all, AbortSignal.any([over.signal, signal]));
      cancel();
    },
    async stop() {
      await Promise.all([...watched.values()].map(({ informer }) => informer.stop()));
      watched.clear();
    },
  };
}

/** What the collector looks at, and nothing else. */
function holdMetadata({ metadata }: KubeObject): KubeObject {
  const { ownerReferences, deletionTimestamp, finalizers } = metadata;
  const held: ObjectMeta = {
    ...identity(metadata),
    ...(ownerReferences === undefined ? {} : { ownerReferences }),
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    ...(finalizers === undefined ? {} : { finalizers }),
  };
  return { metadata: held };
}
