/**
 * Watchers who ask the same and know all there is are told of the next change together: it is looked up once, matched once and written
 * once, for however many they are. Who cannot keep up leaves, and comes back when it has caught up.
 */
import type { Resource } from "../catalog/resource.ts";
import type { EventLine } from "./answer.ts";
import type { Source } from "./source.ts";

export interface Member {
  /** What has happened, in order. False to be told no more. */
  tell(lines: readonly EventLine[]): boolean;
  /** Nobody is told any more: the store has closed. */
  fail(error: unknown): void;
}

export interface Feed {
  /** That of the first who asked, which is as good as that of any other. */
  readonly source: Source;
  /** Everything up to this revision was told. */
  readonly revision: number;
  /** For one who knows all that has happened until now. */
  join(member: Member): void;
  /** May be called twice. */
  leave(member: Member): void;
}

export interface Feeds {
  /** The one that answers this. `question`: what is asked, beyond the resource; `source`: how to find the answers, for the first who asks. */
  of(resource: Resource, question: string, source: Source): Feed;
}

/** So many changes are told before anybody looks whether they are read. */
const BATCH = 64;

export function createFeeds(): Feeds {
  // By the resource itself: another version of the same, or one that was defined anew, looks different.
  const byResource = new Map<Resource, Map<string, Feed>>();
  return {
    of(resource, question, source) {
      const feeds = byResource.get(resource) ?? new Map<string, Feed>();
      byResource.set(resource, feeds);
      const known = feeds.get(question);
      if (known !== undefined) return known;
      const feed = createFeed(source, () => {
        feeds.delete(question);
        if (feeds.size === 0) byResource.delete(resource);
      });
      feeds.set(question, feed);
      return feed;
    },
  };
}

/** `onEmpty`: the last has left, or all were sent away. */
function createFeed(source: Source, onEmpty: () => void): Feed {
  const members = new Set<Member>();
  const watch = source.open();
  let isClosed = false;

  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    watch.stop();
    onEmpty();
  };
  const fail = (error: unknown): void => {
    const all = [...members];
    members.clear();
    close();
    for (const member of all) member.fail(error);
  };
  /** Tells all there is. */
  const catchUp = (): void => {
    for (;;) {
      const events = watch.take(BATCH);
      if (events === undefined || events.length === 0) return;
      const lines = events.map((event) => source.lineOf(event));
      for (const member of members) if (!member.tell(lines)) members.delete(member);
    }
  };
  const goOn = (): void => {
    if (isClosed) return;
    try {
      catchUp();
      if (members.size === 0) close();
      else watch.whenMore(goOn);
    } catch (error) {
      fail(error);
    }
  };
  watch.whenMore(goOn);

  return {
    source,
    get revision() {
      return watch.revision;
    },
    join(member) {
      // Those who are here may not have been told yet of what the new one knows.
      catchUp();
      members.add(member);
    },
    leave(member) {
      if (members.delete(member) && members.size === 0) close();
    },
  };
}
