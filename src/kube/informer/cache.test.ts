import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../core/types.ts";
import { type ApiStore, createApiStore, type StoredEvent } from "../testing/api-store.ts";
import { type Cache, createCache } from "./cache.ts";
import type { Listing } from "./reflector.ts";
import { keyOf, refOfKey } from "./store.ts";

interface Thing extends KubeObject {
  spec?: { node?: string; nodes?: string[]; ours?: boolean; value?: number };
}

function thing(name: string, version: string, spec: Thing["spec"] = {}, uid = `uid of ${name}`): Thing {
  return { metadata: { namespace: "ns", name, uid, resourceVersion: version }, spec };
}

interface Setup {
  readonly cache: Cache<Thing, Thing, "node">;
  /** What the handler was told, since the last look. */
  readonly told: () => string[];
  readonly errors: unknown[];
  readonly listings: number[];
  readonly list: (...things: Thing[]) => void;
}

function setUp(trim: (object: Thing) => Thing | undefined = (object) => object): Setup {
  const news: string[] = [];
  const errors: unknown[] = [];
  const listings: number[] = [];
  const cache = createCache<Thing, Thing, "node">({
    trim,
    indexes: { node: ({ spec }) => spec?.nodes ?? spec?.node },
    onHandlerError: (error) => errors.push(error),
    onListed: () => listings.push(cache.size),
  });
  const say = ({ metadata }: Thing): string => `${metadata.name}@${metadata.resourceVersion}`;
  cache.addHandler({
    added: (object, source) => news.push(`${source}: +${say(object)}`),
    updated: (before, after, source) => news.push(`${source}: ${say(before)} -> ${say(after)}`),
    deleted: (object, source) => news.push(`${source}: -${say(object)}`),
  });
  return {
    cache,
    told: () => news.splice(0),
    errors,
    listings,
    list(...things) {
      const listing = cache.listing();
      for (const object of things) listing.listed(object);
      listing.complete();
    },
  };
}

describe("a listing", () => {
  it("tells what is new, what has changed and what is gone, and nothing else", () => {
    const { list, told, listings } = setUp();
    list(thing("a", "1"), thing("b", "2"), thing("c", "3"));
    expect(told()).toEqual(["list: +a@1", "list: +b@2", "list: +c@3"]);
    list(thing("a", "1"), thing("b", "7"), thing("d", "8"));
    expect(told()).toEqual(["list: b@2 -> b@7", "list: +d@8", "list: -c@3"]);
    expect(listings).toEqual([3, 3]);
  });

  it("that breaks off tells nothing of what it did not reach", () => {
    const { cache, list, told } = setUp();
    list(thing("a", "1"), thing("b", "2"));
    told();
    cache.listing().listed(thing("a", "5"));
    expect(told()).toEqual(["list: a@1 -> a@5"]);
    expect(cache.get({ namespace: "ns", name: "b" })).toBeDefined();
  });

  it("finds an object that was deleted and created again", () => {
    const { list, told } = setUp();
    list(thing("a", "1"));
    list(thing("a", "9", {}, "another"));
    expect(told()).toEqual(["list: +a@1", "list: -a@1", "list: +a@9"]);
  });

  it("that is streamed may have deletions in between", () => {
    const { cache, told } = setUp();
    const listing = cache.listing();
    listing.listed(thing("a", "1"));
    listing.listed(thing("b", "2"));
    listing.deleted(thing("a", "3"));
    listing.listed(thing("b", "4"));
    listing.complete();
    expect(told()).toEqual(["list: +a@1", "list: +b@2", "watch: -a@3", "list: b@2 -> b@4"]);
    expect(cache.size).toBe(1);
  });
});

describe("an event", () => {
  it("is told with what was before", () => {
    const { cache, told } = setUp();
    cache.changed(thing("a", "1"));
    cache.changed(thing("a", "2"));
    cache.changed(thing("a", "2"));
    cache.deleted(thing("a", "3"));
    cache.deleted(thing("a", "3"));
    expect(told()).toEqual(["watch: +a@1", "watch: a@1 -> a@2", "watch: -a@3"]);
  });

  it("reaches every handler, even when one throws", () => {
    const { cache, told, errors } = setUp();
    const stop = cache.addHandler({
      added: () => {
        throw new Error("no");
      },
    });
    const others: string[] = [];
    cache.addHandler({ added: ({ metadata }) => others.push(metadata.name) });
    cache.changed(thing("a", "1"));
    expect([told(), others, errors.length]).toEqual([["watch: +a@1"], ["a"], 1]);
    stop();
    cache.changed(thing("b", "2"));
    expect(errors).toHaveLength(1);
  });

  it("that came before a handler is told to it as an addition", () => {
    const { cache } = setUp();
    cache.changed(thing("a", "1"));
    const heard: string[] = [];
    cache.addHandler({ added: ({ metadata }, source) => heard.push(`${source} ${metadata.name}`) });
    expect(heard).toEqual(["list a"]);
  });

  it("is told again at a resync", () => {
    const { cache, told } = setUp();
    cache.changed(thing("a", "1"));
    told();
    cache.resync();
    expect(told()).toEqual(["resync: a@1 -> a@1"]);
  });
});

describe("trimming", () => {
  it("decides what is held: coming in is an addition, going out a deletion", () => {
    const { cache, told } = setUp((object) => (object.spec?.ours === true ? object : undefined));
    cache.changed(thing("a", "1"));
    cache.changed(thing("a", "2", { ours: true }));
    cache.changed(thing("a", "3", { ours: true }));
    cache.changed(thing("a", "4"));
    cache.changed(thing("a", "5"));
    cache.deleted(thing("a", "6"));
    expect(told()).toEqual(["watch: +a@2", "watch: a@2 -> a@3", "watch: -a@3"]);
    expect(cache.size).toBe(0);
  });

  it("makes objects smaller", () => {
    const { cache } = setUp(({ metadata }) => ({ metadata }));
    cache.changed(thing("a", "1", { value: 5 }));
    expect(cache.get({ namespace: "ns", name: "a" })).toEqual({ metadata: thing("a", "1").metadata });
  });

  it.each(["name", "namespace", "uid", "resourceVersion"] as const)("that loses metadata.%s is a mistake", (field) => {
    const { cache } = setUp(({ metadata }) => ({ metadata: { ...metadata, [field]: "lost" } }));
    expect(() => cache.changed(thing("a", "1"))).toThrow(`trim must keep metadata.${field}`);
  });
});

describe("an index", () => {
  const names = (found: readonly Thing[]): string[] => found.map(({ metadata }) => metadata.name).sort();

  it("finds objects by a value, by several, and follows changes", () => {
    const { cache } = setUp();
    cache.changed(thing("a", "1", { node: "n1" }));
    cache.changed(thing("b", "2", { node: "n1" }));
    cache.changed(thing("c", "3", { nodes: ["n1", "n2"] }));
    cache.changed(thing("d", "4"));
    expect(names(cache.byIndex("node", "n1"))).toEqual(["a", "b", "c"]);
    expect(names(cache.byIndex("node", "n2"))).toEqual(["c"]);
    cache.changed(thing("a", "5", { node: "n2" }));
    cache.changed(thing("c", "6"));
    cache.deleted(thing("b", "7"));
    expect(names(cache.byIndex("node", "n1"))).toEqual([]);
    expect(names(cache.byIndex("node", "n2"))).toEqual(["a"]);
    expect(cache.byIndex("node", "n3")).toEqual([]);
  });

  it("never differs from looking at all objects", () => {
    const step = fc.record({
      name: fc.constantFrom("a", "b", "c"),
      nodes: fc.option(fc.array(fc.constantFrom("n1", "n2", "n2"), { maxLength: 3 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { cache } = setUp();
        for (const [version, { name, nodes }] of steps.entries()) {
          if (nodes === undefined) cache.deleted(thing(name, String(version)));
          else cache.changed(thing(name, String(version), { nodes }));
          for (const node of ["n1", "n2"]) {
            const expected = [...cache.values()].filter(({ spec }) => spec?.nodes?.includes(node));
            expect(names(cache.byIndex("node", node))).toEqual(names(expected));
          }
        }
      }),
      { seed: 3 },
    );
  });
});

describe("an own write", () => {
  it("on top of what is held is taken in at once, and its echo is not told again", () => {
    const { cache, told } = setUp();
    cache.changed(thing("a", "1"));
    expect(cache.observe(thing("a", "2"), "1")).toBe(true);
    expect(cache.observe(thing("a", "3"), "2")).toBe(true);
    cache.changed(thing("a", "2"));
    cache.changed(thing("a", "3"));
    expect(told()).toEqual(["watch: +a@1", "write: a@1 -> a@2", "write: a@2 -> a@3"]);
    cache.changed(thing("a", "4"));
    expect(told()).toEqual(["watch: a@3 -> a@4"]);
  });

  it("is passed over when the watch was faster", () => {
    const { cache, told } = setUp();
    cache.changed(thing("a", "1"));
    cache.changed(thing("a", "2"));
    expect(cache.observe(thing("a", "2"), "1")).toBe(false);
    cache.changed(thing("a", "3"));
    expect(cache.observe(thing("a", "2"), "1")).toBe(false);
    expect(told()).toEqual(["watch: +a@1", "watch: a@1 -> a@2", "watch: a@2 -> a@3"]);
  });

  it("does not bring back what is gone, nor touch what took its place", () => {
    const { cache } = setUp();
    expect(cache.observe(thing("a", "2"), "1")).toBe(false);
    cache.changed(thing("a", "1", {}, "another"));
    expect(cache.observe(thing("a", "2"), "1")).toBe(false);
  });

  it("that changed nothing waits for no echo", () => {
    const { cache, told } = setUp();
    cache.changed(thing("a", "1"));
    expect(cache.observe(thing("a", "1"), "1")).toBe(true);
    cache.changed(thing("a", "2"));
    expect(told()).toEqual(["watch: +a@1", "watch: a@1 -> a@2"]);
  });

  it("is not undone by a listing that was made before it", () => {
    const { cache, list, told } = setUp();
    list(thing("a", "1"));
    cache.observe(thing("a", "2"), "1");
    cache.observe(thing("a", "3"), "2");
    told();
    list(thing("a", "1"));
    list(thing("a", "2"));
    expect(told()).toEqual([]);
    list();
    expect(told()).toEqual(["list: -a@3"]);
  });

  it("is forgotten with the object", () => {
    const { cache, told } = setUp();
    cache.changed(thing("a", "1"));
    cache.observe(thing("a", "2"), "1");
    cache.deleted(thing("a", "3"));
    told();
    cache.changed(thing("a", "1", {}, "another"));
    expect(told()).toEqual(["watch: +a@1"]);
  });
});

describe("whatever order listings, events, own writes and their answers come in", () => {
  /** Somebody's writes on a server, and a reader that is some steps behind. */
  interface World {
    readonly server: ApiStore;
    readonly setup: Setup;
    readonly stream: StoredEvent[];
    listing: { readonly listing: Listing<Thing>; readonly items: KubeObject[]; readonly revision: number } | undefined;
    readonly answers: { readonly written: Thing; readonly before: string }[];
  }

  const key = fc.constantFrom("ns/a", "ns/b", "ns/c");
  const value = fc.nat(3);
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant("other writes" as const), key, value }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("other deletes" as const), key }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant("we write" as const), key, value }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant("answer arrives" as const) }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant("news arrive" as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("list again" as const) }) },
  );
  type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

  function beginListing(world: World): void {
    const items = world.server.list() ?? [];
    world.listing = { listing: world.setup.cache.listing(), items: [...items], revision: world.server.revision };
    world.stream.length = 0;
  }

  function deliver(world: World): boolean {
    const { cache } = world.setup;
    if (world.listing !== undefined) {
      const { listing, items, revision } = world.listing;
      const item = items.shift();
      if (item !== undefined) listing.listed(item);
      else {
        listing.complete();
        world.listing = undefined;
        world.stream.push(...(world.server.since(revision) ?? []));
      }
      return true;
    }
    const event = world.stream.shift();
    if (event === undefined) return false;
    if (event.type === "DELETED") cache.deleted(event.object);
    else cache.changed(event.object);
    return true;
  }

  function take(world: World, step: Step): void {
    const { server, setup } = world;
    switch (step.do) {
      case "other writes":
        server.put({ ...thing(refOfKey(step.key).name, ""), spec: { value: step.value } } as Thing);
        return;
      case "other deletes":
        server.remove(step.key);
        return;
      case "we write": {
        const held = setup.cache.get(refOfKey(step.key));
        const current = server.get(step.key);
        // The precondition: as we hold it, or the server refuses.
        if (held === undefined || current === undefined) return;
        if (current.metadata.resourceVersion !== held.metadata.resourceVersion) return;
        const written = server.put({ ...held, spec: { value: step.value + 10 } } as Thing);
        world.answers.push({ written, before: held.metadata.resourceVersion ?? "" });
        return;
      }
      case "answer arrives": {
        const answer = world.answers.shift();
        if (answer !== undefined) setup.cache.observe(answer.written, answer.before);
        return;
      }
      case "news arrive":
        deliver(world);
        return;
      case "list again":
        beginListing(world);
    }
  }

  it("no object goes back in time, handlers see what the cache holds, and in the end it is what the server has", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const server = createApiStore(100_000);
        const world: World = { server, setup: setUp(), stream: [], listing: undefined, answers: [] };
        const { cache } = world.setup;
        server.subscribe((event) => world.listing === undefined && world.stream.push(event));
        const view = new Map<string, Thing>();
        const newest = new Map<string, number>();
        const see = (object: Thing): void => {
          const id = `${keyOf(object.metadata)} ${object.metadata.uid}`;
          const version = Number(object.metadata.resourceVersion);
          expect(version).toBeGreaterThan(newest.get(id) ?? 0);
          newest.set(id, version);
          view.set(keyOf(object.metadata), object);
        };
        cache.addHandler({
          added: see,
          updated: (before, after) => {
            expect(view.get(keyOf(before.metadata))).toBe(before);
            see(after);
          },
          deleted: ({ metadata }) => expect(view.delete(keyOf(metadata))).toBe(true),
        });
        beginListing(world);
        for (const step of steps) take(world, step);
        while (world.answers.length > 0) take(world, { do: "answer arrives" });
        while (deliver(world));
        const sorted = [...cache.values()].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
        expect(sorted).toEqual(server.list());
        expect([...view.values()].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))).toEqual(sorted);
      }),
      { seed: 131402, numRuns: 2000 },
    );
  });
});
