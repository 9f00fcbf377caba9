import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openMemoryStore, type RevisionedStore } from "../../store/index.ts";
import type { JsonObject } from "../json.ts";
import { BUILT_IN } from "../kinds/built-in.ts";
import type { Kind } from "../kinds/kind.ts";
import { textOf, withMetadata } from "../lifecycle/metadata.ts";
import { StatusError } from "../status-error.ts";
import { type ListRequest, listObjects } from "./list.ts";
import { createObjectStore, type ObjectStore } from "./object-store.ts";
import { type ObjectEvent, type WatchRequest, watchObjects } from "./watch.ts";

const MAPS = BUILT_IN.find(({ kind }) => kind === "ConfigMap") as Kind;
const NODES = BUILT_IN.find(({ kind }) => kind === "Node") as Kind;

let store: RevisionedStore;
let objects: ObjectStore;
beforeEach(() => {
  store = openMemoryStore();
  objects = createObjectStore(store);
});
afterEach(() => store.close());

const map = (name: string, labels: Record<string, string> = {}, namespace = "d"): JsonObject => ({
  metadata: { name, namespace, labels },
});
const names = (items: readonly JsonObject[]): string[] => items.map((item) => textOf(item, "name"));
const isRed = (object: JsonObject): boolean => JSON.stringify(object).includes('"colour":"red"');

async function refused(act: () => unknown): Promise<{ code: number; reason: string; message: string }> {
  try {
    await act();
  } catch (error) {
    if (error instanceof StatusError) return { code: error.code, reason: error.reason, message: error.message };
    throw error;
  }
  throw new Error("it was not refused");
}

describe("objects", () => {
  test.each(["", "a/b", "../x"])("nothing is called %j, so that nothing is found", (name) => {
    expect([objects.find(MAPS, "d", name), objects.find(MAPS, name, "a"), objects.entry(MAPS, "d", name)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("carry the revision of the write that made them", async () => {
    const created = await objects.create(MAPS, map("a"));
    expect(textOf(created, "resourceVersion")).toBe(String(store.revision));
    const next = await objects.replace(MAPS, created, { ...created, data: { x: "1" } });
    expect(Number(textOf(next, "resourceVersion"))).toBeGreaterThan(Number(textOf(created, "resourceVersion")));
    expect(objects.get(MAPS, "d", "a")).toEqual(next);
  });

  test("writing the same object writes nothing", async () => {
    const created = await objects.create(MAPS, map("a"));
    const { revision } = store;
    expect(await objects.replace(MAPS, created, created)).toBe(created);
    expect(store.revision).toBe(revision);
  });

  test("are refused in Kubernetes' words", async () => {
    const created = await objects.create(MAPS, map("a"));
    await objects.replace(MAPS, created, { ...created, data: {} });
    expect(await refused(() => objects.create(MAPS, map("a")))).toEqual({
      code: 409,
      reason: "AlreadyExists",
      message: 'configmaps "a" already exists',
    });
    expect(await refused(() => objects.replace(MAPS, created, map("a")))).toMatchObject({
      code: 409,
      reason: "Conflict",
    });
    expect(await refused(() => objects.get(MAPS, "d", "b"))).toEqual({
      code: 404,
      reason: "NotFound",
      message: 'configmaps "b" not found',
    });
  });

  test("the end of one has a revision of its own", async () => {
    const created = await objects.create(NODES, { metadata: { name: "n" } });
    const removed = await objects.remove(NODES, created);
    expect(textOf(removed, "resourceVersion")).toBe(String(store.revision));
    expect(objects.find(NODES, undefined, "n")).toBeUndefined();
    expect(await refused(() => objects.remove(NODES, created))).toMatchObject({ code: 404 });
  });
});

describe("lists", () => {
  const list = (request: ListRequest = {}) => listObjects(objects, MAPS, request);

  test("of one namespace and of all, in order", async () => {
    for (const name of ["b", "a"]) await objects.create(MAPS, map(name));
    await objects.create(MAPS, map("c", {}, "other"));
    expect(names(list({ namespace: "d" }).items)).toEqual(["a", "b"]);
    expect(names(list().items)).toEqual(["a", "b", "c"]);
    expect(list().metadata).toEqual({ resourceVersion: String(store.revision) });
  });

  test("come in pages of one and the same state, whatever is written in between", async () => {
    for (const name of ["a", "b", "c", "d", "e"]) await objects.create(MAPS, map(name));
    const first = list({ limit: 2 });
    expect(first.metadata).toMatchObject({ remainingItemCount: 3 });
    await objects.remove(MAPS, objects.get(MAPS, "d", "c"));
    await objects.create(MAPS, map("bb"));
    const second = list({ limit: 2, continue: first.metadata.continue });
    const third = list({ limit: 2, continue: second.metadata.continue });
    expect([first, second, third].flatMap(({ items }) => names(items))).toEqual(["a", "b", "c", "d", "e"]);
    expect(third.metadata).toEqual({ resourceVersion: first.metadata.resourceVersion });
  });

  test("with a selector fill their pages, and do not guess how many are left", async () => {
    for (const name of ["a", "b", "c", "d"])
      await objects.create(MAPS, map(name, { colour: name < "c" ? "blue" : "red" }));
    const page = list({ limit: 1, matches: isRed });
    expect(names(page.items)).toEqual(["c"]);
    expect(page.metadata.remainingItemCount).toBeUndefined();
    expect(names(list({ limit: 1, matches: isRed, continue: page.metadata.continue }).items)).toEqual(["d"]);
  });

  test("of a version that history no longer has are told to begin anew", async () => {
    for (const name of ["a", "b"]) await objects.create(MAPS, map(name));
    const page = list({ limit: 1 });
    await objects.create(MAPS, map("c"));
    await store.compact(store.revision);
    const again = () => list({ limit: 1, continue: page.metadata.continue });
    expect(await refused(again)).toMatchObject({ code: 410, reason: "Expired" });
    expect(await refused(() => list({ limit: 1, resourceVersion: page.metadata.resourceVersion }))).toMatchObject({
      code: 410,
      message: "The resourceVersion for the provided list is too old.",
    });
  });

  test("or to go on in the state of today, with a token that is in the refusal", async () => {
    for (const name of ["a", "b"]) await objects.create(MAPS, map(name));
    const page = list({ limit: 1 });
    await objects.create(MAPS, map("c"));
    await store.compact(store.revision);
    let token: string | undefined;
    try {
      list({ limit: 1, continue: page.metadata.continue });
    } catch (error) {
      token = (error as StatusError).continue;
    }
    expect(token).toBeTypeOf("string");
    expect(names(list({ continue: token }).items)).toEqual(["b", "c"]);
  });

  test("of a version that is not there yet are refused, not waited for", async () => {
    const future = String(store.revision + 5);
    expect(await refused(() => list({ resourceVersion: future }))).toEqual({
      code: 504,
      reason: "Timeout",
      message: `Timeout: Too large resource version: ${future}, current: ${store.revision}`,
    });
  });

  test.each(["nonsense", Buffer.from("{}").toString("base64url"), Buffer.from("null").toString("base64url")])(
    "a continue token that makes no sense is refused: %s",
    async (token) => {
      expect(await refused(() => list({ continue: token }))).toMatchObject({ code: 400 });
    },
  );
});

describe("watches", () => {
  const told = ({ type, object }: ObjectEvent): string => `${type} ${textOf(object, "name")}`;

  /** The next so many changes. */
  async function take(request: WatchRequest, count: number, write: () => Promise<unknown>): Promise<ObjectEvent[]> {
    const watch = watchObjects(objects, MAPS, request);
    const events = [...watch.initial];
    await write();
    while (events.length < count) {
      const changes = watch.take();
      if (changes === undefined) break;
      events.push(...changes);
      if (changes.length === 0) await new Promise<void>((resolve) => watch.whenMore(resolve));
    }
    watch.stop();
    return events;
  }

  test("without a version tell what is there, then what happens", async () => {
    await objects.create(MAPS, map("a"));
    const events = await take({}, 3, async () => {
      const b = await objects.create(MAPS, map("b"));
      await objects.remove(MAPS, b);
    });
    expect(events.map(told)).toEqual(["ADDED a", "ADDED b", "DELETED b"]);
    expect(textOf((events[2] as ObjectEvent).object, "resourceVersion")).toBe(String(store.revision));
  });

  test("from a version tell what has happened since", async () => {
    const a = await objects.create(MAPS, map("a"));
    await objects.create(MAPS, map("b"));
    const events = await take({ resourceVersion: textOf(a, "resourceVersion") }, 2, () =>
      objects.create(MAPS, map("c")),
    );
    expect(events.map(told)).toEqual(["ADDED b", "ADDED c"]);
  });

  test("with a selector tell of coming and going", async () => {
    const a = await objects.create(MAPS, map("a", { colour: "blue" }));
    const events = await take({ resourceVersion: textOf(a, "resourceVersion"), matches: isRed }, 3, async () => {
      const red = await objects.replace(MAPS, a, withMetadata(a, { labels: { colour: "red" } }));
      const still = await objects.replace(MAPS, red, { ...red, data: { x: "1" } });
      await objects.replace(MAPS, still, withMetadata(still, { labels: { colour: "blue" } }));
      await objects.create(MAPS, map("other"));
    });
    expect(events.map(told)).toEqual(["ADDED a", "MODIFIED a", "DELETED a"]);
    expect(isRed((events[2] as ObjectEvent).object)).toBe(true);
  });

  test("of one name tell of no other, though it begins like it", async () => {
    await objects.create(MAPS, map("a"));
    await objects.create(MAPS, map("ab"));
    const isA = (object: JsonObject): boolean => textOf(object, "name") === "a";
    const watch = watchObjects(objects, MAPS, { namespace: "d", name: "a", matches: isA });
    expect([...watch.initial].map(told)).toEqual(["ADDED a"]);
    watch.stop();
  });

  test("that stream their list mark its end", async () => {
    await objects.create(MAPS, map("a"));
    const watch = watchObjects(objects, MAPS, { resourceVersion: "", sendInitialEvents: true });
    expect([...watch.initial].map(told)).toEqual(["ADDED a"]);
    expect(watch.initialEnd).toEqual({
      type: "BOOKMARK",
      object: {
        kind: "ConfigMap",
        apiVersion: "v1",
        metadata: {
          resourceVersion: String(store.revision),
          annotations: { "k8s.io/initial-events-end": "true" },
        },
      },
    });
    watch.stop();
  });

  test("from a version that is gone begin with 410, and do not leave a gap", async () => {
    const a = await objects.create(MAPS, map("a"));
    await objects.create(MAPS, map("b"));
    await store.compact(store.revision);
    const open = () => watchObjects(objects, MAPS, { resourceVersion: textOf(a, "resourceVersion") });
    expect(await refused(open)).toMatchObject({ code: 410, reason: "Expired" });
  });
});
