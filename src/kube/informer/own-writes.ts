/**
 * Which versions of an object are older than what we hold, because we wrote it since.
 *
 * Resource versions have no order that we may rely on, so "newer" has to be known in another way. A write that the server
 * accepted under the precondition "still at version B" made the successor of B: no other version can lie between. So when
 * B is what we hold, the answer R may take its place, and B is remembered as superseded. The same may happen again on top
 * of R. Until the watch has caught up it will bring B, R ... again, in that order: superseded versions are passed over,
 * and the first that is not superseded (R itself, or something later) ends the memory.
 */
export interface OwnWrites {
  /** We hold `after` now, written on top of `before`. */
  wrote(key: string, uid: string, before: string): void;
  /** Whether this version, coming from the server, is older than what we hold. If not, the memory of this key is over. */
  isSuperseded(key: string, uid: string, version: string): boolean;
  /** All other objects are gone. */
  retain(keys: ReadonlySet<string>): void;
}

export function createOwnWrites(): OwnWrites {
  const superseded = new Map<string, { uid: string; versions: Set<string> }>();
  return {
    wrote(key, uid, before) {
      const known = superseded.get(key);
      if (known?.uid === uid) known.versions.add(before);
      else superseded.set(key, { uid, versions: new Set([before]) });
    },
    isSuperseded(key, uid, version) {
      const known = superseded.get(key);
      if (known === undefined) return false;
      if (known.uid === uid && known.versions.has(version)) return true;
      superseded.delete(key);
      return false;
    },
    retain(keys) {
      for (const key of superseded.keys()) if (!keys.has(key)) superseded.delete(key);
    },
  };
}
