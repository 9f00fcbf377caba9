/** Follows several kinds at once, for who only needs to know that something changed. */
import { prefixOf, type RevisionedStore, StoreError, type Watch } from "../../../store/index.ts";
import { type Kind, resourceName, storageName } from "../../kinds/kind.ts";

export interface Changes {
  /** Follows these kinds from now on, and no others. */
  follow(kinds: readonly Kind[]): void;
  /** Resolves when nothing is followed any more. May be called twice. */
  stop(): Promise<void>;
}

/**
 * `told` is called after every change, and once when a kind is first followed: what changed just before would go unseen
 * otherwise. When the store ends, that is reported and nothing is followed any more.
 */
export function createChanges(store: RevisionedStore, told: () => void, report: (error: unknown) => void): Changes {
  const followed = new Map<string, { readonly watch: Watch; readonly done: Promise<void> }>();
  let stopped = false;

  function begin(name: string, kind: Kind): void {
    const watch = store.watch(prefixOf(storageName(kind)), store.revision);
    followed.set(name, { watch, done: read(name, kind, watch) });
    told();
  }

  async function read(name: string, kind: Kind, watch: Watch): Promise<void> {
    try {
      for await (const _ of watch) told();
    } catch (error) {
      followed.delete(name);
      // Too slow for the history that the store keeps: begin anew with what is there.
      if (error instanceof StoreError && error.reason === "Compacted" && !stopped) begin(name, kind);
      else if (!stopped) report(error);
    }
  }

  return {
    follow(kinds) {
      if (stopped) return;
      const wanted = new Map(kinds.map((kind) => [resourceName(kind), kind]));
      for (const [name, { watch }] of followed) {
        if (wanted.has(name)) continue;
        followed.delete(name);
        watch.stop();
      }
      for (const [name, kind] of wanted) if (!followed.has(name)) begin(name, kind);
    },
    async stop() {
      stopped = true;
      const ending = [...followed.values()];
      followed.clear();
      for (const { watch } of ending) watch.stop();
      await Promise.all(ending.map(({ done }) => done));
    },
  };
}
