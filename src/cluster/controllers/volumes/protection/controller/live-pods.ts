/** The pods of a namespace as the API server has them now, for many who ask at about the same time. */
import type { Pod } from "../../../../../core/types.ts";
import { type KubeClient, PODS } from "../../../../../kube/index.ts";

export interface LivePods {
  /** All pods that were there when it was asked, and maybe later ones. */
  of(namespace: string): Promise<readonly Pod[]>;
}

interface Listing {
  readonly current: Promise<readonly Pod[]>;
  /** For those who asked while the current one was under way already, and may have missed what it missed. */
  next?: Promise<readonly Pod[]>;
}

export function createLivePods(client: Pick<KubeClient, "listAll">, signal: AbortSignal): LivePods {
  const listings = new Map<string, Listing>();

  function begin(namespace: string): Promise<readonly Pod[]> {
    const listing: Listing = { current: client.listAll(PODS, { namespace }, signal) };
    listings.set(namespace, listing);
    const end = (): void => {
      if (listing.next === undefined) listings.delete(namespace);
    };
    listing.current.then(end, end);
    return listing.current;
  }

  return {
    of(namespace) {
      const listing = listings.get(namespace);
      if (listing === undefined) return begin(namespace);
      listing.next ??= listing.current.then(
        () => begin(namespace),
        () => begin(namespace),
      );
      return listing.next;
    },
  };
}
