/** The claims of the cluster, watched as soon as a source follows claims by label, and not before: most do not. */
import type { LabelSelector, PersistentVolumeClaim } from "../../core/types.ts";
import {
  CLAIMS,
  type Informer,
  type KubeClient,
  type Logger,
  type Metrics,
  startInformer,
  type Timers,
} from "../../kube/index.ts";
import { holdAnyClaim, isNews } from "../../statefulset/controller/held.ts";
import { selects } from "../../statefulset/decide/selector.ts";

export interface SelectedClaimsOptions {
  readonly client: KubeClient;
  readonly namespaces: readonly string[];
  readonly timers: Timers;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly onClaim: (claim: PersistentVolumeClaim) => void;
}

export interface SelectedClaims {
  /** Undefined: they are being listed; ask again soon. */
  find(namespace: string, selector: LabelSelector): readonly PersistentVolumeClaim[] | undefined;
  observe(written: PersistentVolumeClaim, before: string): void;
  stop(): Promise<void>;
}

export function createSelectedClaims(options: SelectedClaimsOptions): SelectedClaims {
  const { onClaim, namespaces, ...shared } = options;
  let rooms: readonly Informer<PersistentVolumeClaim, PersistentVolumeClaim, "namespace">[] | undefined;

  function begin() {
    const places = namespaces.length === 0 ? [undefined] : namespaces;
    return places.map((namespace) => {
      const indexes = { namespace: ({ metadata }: PersistentVolumeClaim) => metadata.namespace };
      const room = startInformer({ ...shared, resource: CLAIMS, namespace, trim: holdAnyClaim, indexes });
      room.addHandler({
        added: onClaim,
        updated(before, after) {
          if (!isNews(before, after)) return;
          onClaim(before);
          onClaim(after);
        },
        deleted: onClaim,
      });
      return room;
    });
  }

  return {
    find(namespace, selector) {
      rooms ??= begin();
      if (!rooms.every((room) => room.isSynced)) return undefined;
      const claims = rooms.flatMap((room) => room.byIndex("namespace", namespace));
      return claims.filter(({ metadata }) => selects(selector, metadata.labels));
    },
    observe(written, before) {
      for (const room of rooms ?? []) if (room.get(written.metadata) !== undefined) room.observe(written, before);
    },
    async stop() {
      await Promise.all((rooms ?? []).map((room) => room.stop()));
    },
  };
}
