/** A handler that trusts nobody: it keeps its own view of what it was told, and notes whatever makes no sense. */
import type { KubeObject } from "../../core/types.ts";
import type { Handler } from "../informer/cache.ts";
import { keyOf } from "../informer/store.ts";

export interface Follower {
  readonly handler: Handler<KubeObject>;
  readonly view: ReadonlyMap<string, KubeObject>;
  readonly problems: readonly string[];
}

/**
 * `monotonic`: no object may ever be told in an older version than before, and in the same one only when it had gone
 * away in between. Versions here are numbers.
 */
export function createFollower(monotonic: boolean): Follower {
  const view = new Map<string, KubeObject>();
  const newest = new Map<string, number>();
  const problems: string[] = [];

  function see(object: KubeObject): void {
    const key = keyOf(object.metadata);
    const id = `${key} ${object.metadata.uid}`;
    const version = Number(object.metadata.resourceVersion);
    const before = newest.get(id) ?? 0;
    if (monotonic && (version < before || (version === before && view.has(key)))) {
      problems.push(`${key} went back from ${before} to ${version}`);
    }
    newest.set(id, version);
    view.set(key, object);
  }

  return {
    view,
    problems,
    handler: {
      added(object) {
        const key = keyOf(object.metadata);
        if (view.has(key)) problems.push(`${key} was added twice`);
        see(object);
      },
      updated(before, after) {
        const key = keyOf(before.metadata);
        if (before.metadata.uid !== after.metadata.uid) problems.push(`${key} became another object`);
        if (view.get(key) !== before) problems.push(`${key} was not like that before`);
        see(after);
      },
      deleted({ metadata }) {
        const key = keyOf(metadata);
        if (!view.delete(key)) problems.push(`${key} was deleted twice`);
      },
    },
  };
}
