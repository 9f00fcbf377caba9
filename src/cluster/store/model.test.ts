/** Random histories, played against a store and against a model that is too simple to be wrong: all of history in one list. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FIRST_REVISION, openMemoryStore, openSqliteStore, type RevisionedStore, StoreError } from "./index.ts";
import { endOfPrefix } from "./keys.ts";
import { type TemporaryFolder, temporaryFolder } from "./testing/temporary-folder.ts";

const SEED = 20_240_611;

/** What happened at each revision from `FIRST_REVISION + 1` on: a value, or undefined for a deletion. */
interface Model {
  readonly writes: { readonly key: string; readonly value: string | undefined }[];
  compacted: number;
}
/** The store is replaced when it is opened again; a watch follows it from one to the next. */
interface Real {
  store: RevisionedStore;
  reopen(store: RevisionedStore): Promise<RevisionedStore>;
}

const newest = (model: Model): number => FIRST_REVISION + model.writes.length;

function stateAsOf(model: Model, revision: number): Map<string, { value: string; revision: number }> {
  const state = new Map<string, { value: string; revision: number }>();
  for (const [index, { key, value }] of model.writes.slice(0, revision - FIRST_REVISION).entries()) {
    if (value === undefined) state.delete(key);
    else state.set(key, { value, revision: FIRST_REVISION + index + 1 });
  }
  return state;
}

type Action =
  | { readonly do: "create"; readonly key: string }
  | { readonly do: "update" | "delete"; readonly key: string; readonly stale: boolean }
  | { readonly do: "list"; readonly prefix: string; readonly back: number; readonly limit: number }
  | { readonly do: "watch"; readonly prefix: string; readonly back: number }
  | { readonly do: "compact"; readonly back: number }
  | { readonly do: "reopen" };

/** Few keys, so that they meet; among them prefixes of one another, and neighbours of the separator. */
const key = fc.constantFrom("p/a/x", "p/a/y", "p/a-b/x", "p/ab/x", "q/a/x", "p/a/x-1", "p/a/ü", "p/a/𝄞");
const prefix = fc.constantFrom("", "p/", "p/a/", "q/", "r/", "p/a");
const back = fc.nat({ max: 12 });

/** Those of one turn are asked for together. */
const write: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ do: fc.constant("create" as const), key }),
  fc.record({ do: fc.constantFrom("update" as const, "delete" as const), key, stale: fc.boolean() }),
);
const other: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ do: fc.constant("list" as const), prefix, back, limit: fc.nat({ max: 4 }) }),
  fc.record({ do: fc.constant("watch" as const), prefix, back }),
  fc.record({ do: fc.constant("compact" as const), back }),
  fc.record({ do: fc.constant("reopen" as const) }),
);
const history = fc.array(fc.oneof({ weight: 3, arbitrary: fc.array(write, { minLength: 1, maxLength: 5 }) }, other), {
  maxLength: 40,
  size: "max",
});

/** Asks for the writes of one turn, and checks each outcome against the model, which takes them one after the other. */
async function playWrites(model: Model, { store }: Real, actions: readonly Action[]): Promise<void> {
  const before = stateAsOf(model, newest(model));
  const asked = actions.map((action) => {
    if (action.do !== "create" && action.do !== "update" && action.do !== "delete") throw new TypeError(action.do);
    const expected = (before.get(action.key)?.revision ?? FIRST_REVISION) - ("stale" in action && action.stale ? 1 : 0);
    const value = `${action.key}@${newest(model)}`;
    switch (action.do) {
      case "create":
        return { action, expected, value, outcome: store.create(action.key, value) };
      case "update":
        return { action, expected, value, outcome: store.update(action.key, expected, value) };
      case "delete":
        return { action, expected, value, outcome: store.delete(action.key, expected) };
    }
  });
  const outcomes = await Promise.allSettled(asked.map(({ outcome }) => outcome));
  for (const [index, { action, expected, value }] of asked.entries()) {
    const outcome = outcomes[index];
    const current = stateAsOf(model, newest(model)).get(action.key);
    const reason = refusal(action.do, current?.revision, expected);
    if (reason !== undefined) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { reason } });
      continue;
    }
    model.writes.push({ key: action.key, value: action.do === "delete" ? undefined : value });
    expect(outcome).toMatchObject({ status: "fulfilled", value: { key: action.key, revision: newest(model) } });
  }
}

function refusal(action: "create" | "update" | "delete", current: number | undefined, expected: number) {
  if (action === "create") return current === undefined ? undefined : "Exists";
  if (current === undefined) return "NotFound";
  return current === expected ? undefined : "Conflict";
}

function checkList(model: Model, { store }: Real, prefix: string, revision: number, limit: number): void {
  const expected = [...stateAsOf(model, revision)]
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, entry]) => ({ key, ...entry }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const found = [];
  let after: string | undefined;
  do {
    const page = store.list({ prefix, revision, limit, after });
    found.push(...page.entries);
    expect(page.remaining).toBe(expected.length - found.length);
    after = page.next;
  } while (after !== undefined);
  expect(found).toEqual(expected);
}

/** A watch that begins in the past gives everything since, and then waits. */
async function checkWatch(model: Model, { store }: Real, prefix: string, after: number): Promise<void> {
  const expected = model.writes
    .map((write, index) => ({ ...write, revision: FIRST_REVISION + index + 1 }))
    .filter(({ key, revision }) => key.startsWith(prefix) && revision > after)
    .map(({ key, value, revision }) => {
      const previous = stateAsOf(model, revision - 1).get(key);
      const type = value === undefined ? "deleted" : previous === undefined ? "created" : "updated";
      return { type, key, revision, value, previous: previous?.value };
    });
  const watch = store.watch(prefix, after);
  const found: unknown[] = [];
  const reading = (async () => {
    for await (const events of watch) {
      for (const event of events) {
        found.push({
          type: event.type,
          key: event.key,
          revision: event.revision,
          value: event.type === "deleted" ? undefined : event.entry.value,
          previous: event.type === "created" ? undefined : event.previous.value,
        });
      }
    }
  })();
  await new Promise(setImmediate);
  expect(watch.revision).toBe(newest(model));
  watch.stop();
  await reading;
  expect(found).toEqual(expected);
}

async function play(model: Model, real: Real, action: Action): Promise<void> {
  switch (action.do) {
    case "create":
    case "update":
    case "delete":
      await playWrites(model, real, [action]);
      return;
    case "reopen":
      real.store = await real.reopen(real.store);
      return;
    case "compact": {
      const revision = newest(model) - action.back;
      await real.store.compact(revision);
      model.compacted = Math.max(model.compacted, revision);
      return;
    }
    case "list":
    case "watch": {
      const revision = newest(model) - action.back;
      const check = async (): Promise<void> =>
        action.do === "list"
          ? checkList(model, real, action.prefix, revision, action.limit)
          : await checkWatch(model, real, action.prefix, revision);
      if (revision >= model.compacted) await check();
      else await expect(check()).rejects.toMatchObject({ name: StoreError.name, reason: "Compacted" });
    }
  }
}

function checkWhole(model: Model, { store }: Real): void {
  expect(store).toMatchObject({ revision: newest(model), compacted: model.compacted });
  for (const each of ["", "p/", "p/a/", "q/"]) {
    const inside = [...stateAsOf(model, newest(model)).keys()].filter(
      (key) => key >= each && (each === "" || key < (endOfPrefix(each) ?? "")),
    );
    expect(store.count(each)).toBe(inside.length);
  }
}

const kinds = {
  "in memory": {
    runs: 400,
    open: (): Real => ({ store: openMemoryStore(), reopen: async (store) => store }),
  },
  "in a file": {
    runs: 60,
    open: (folder: TemporaryFolder): Real => {
      const file = folder.join("store.db");
      return {
        store: openSqliteStore(file),
        async reopen(store) {
          await store.close();
          return openSqliteStore(file);
        },
      };
    },
  },
};

describe.each(Object.entries(kinds))("a store %s", (_, { runs, open }) => {
  test("behaves like the model, whatever is asked of it", async () => {
    const property = fc.asyncProperty(history, async (actions) => {
      using folder = temporaryFolder();
      const real = open(folder);
      const model: Model = { writes: [], compacted: FIRST_REVISION };
      try {
        for (const action of actions) {
          if (Array.isArray(action)) await playWrites(model, real, action);
          else await play(model, real, action);
          checkWhole(model, real);
        }
      } finally {
        await real.store.close();
      }
    });
    await fc.assert(property, { seed: SEED, numRuns: runs });
  }, 60_000);
});
