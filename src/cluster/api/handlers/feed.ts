/**
 * Watchers who ask the same and know all there is are told of the next change together: it is looked up once, matched once and written
 * once, for however many they are. Who cannot keep up leaves, and comes back when it has caught up.
 */
import type { Resource } from "../catalog/resource.ts";
import type { ObjectEvent, ObjectWatch } from "../objects/watch.ts";
import type { EventLine } from "./answer.ts";

export interface Member {
  /** What has happened, in order. False to be told no more. */
  tell(lines: readonly EventLine[]): boolean;
  /** Nobody is told any more: the store has closed. */
  fail(error: unknown): void;
}

export interface Feed {
  /** Everything up to this revision was told. */
  readonly revision: number;
  /** For one who knows all that has happened until now. */
  join(member: Member): void;
  /** May be called twice. */
  leave(member: Member): void;
}

/** What is asked, beyond the resource; and how to find the answers, for the first who asks. */
export interface Question {
  readonly text: string;
  /** From now on. */
  readonly open: () => ObjectWatch;
  readonly lineOf: (event: ObjectEvent) => EventLine;
}

export interface Feeds {
  /** The one that answers this. */
  of(resource: Resource, question: Question): Feed;
}

/** So many changes are told before anybody looks whether they are read. */
const BATCH = 64;

export function createFeeds(): Feeds {
  // By the resource itself: another version of the same, or one that was defined anew, looks different.
  const byResource = new Map<Resource, Map<string, Feed>>();
  return {
    of(resource, question) {
      const feeds = byResource.get(resource) ?? new Map<string, Feed>();
      byResource.set(resource, feeds);
      const known = feeds.get(question.text);
      if (known !== undefined) return known;
      const feed = createFeed(question, () => {
        feeds.delete(question.text);
        if (feeds.size === 0) byResource.delete(resource);
      });
      feeds.set(question.text, feed);
      return feed;
    },
  };
}

/** `onEmpty`: the last has left, or all were sent away. */
function createFeed({ open, lineOf }: Question, onEmpty: () => void): Feed {
  const members = new Set<Member>();
  const watch = open();
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
      const lines = events.map(lineOf);
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
