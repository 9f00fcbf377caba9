import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openMemoryStore, type RevisionedStore } from "../../../store/index.ts";
import { type Catalog, createCatalog } from "../../catalog/catalog.ts";
import type { JsonObject } from "../../json.ts";
import { prepareDelete } from "../../lifecycle/delete.ts";
import { textOf, withMetadata } from "../../lifecycle/metadata.ts";
import { createObjectStore, type ObjectStore } from "../../objects/object-store.ts";
import { DEFINITIONS } from "../definition/definition.ts";
import { GROUP, newDefinition, version } from "../testing/definition.ts";
import { type Definitions, startDefinitions } from "./definitions.ts";
import { holdDefinition } from "./finalize.ts";

let turns = 0;
const nextTurn = (): Promise<void> => {
  turns++;
  return new Promise((resolve) => setImmediate(resolve));
};
const NOW = Date.UTC(2026, 0, 1);
let store: RevisionedStore;
let objects: ObjectStore;
let catalog: Catalog;
let running: Definitions | undefined;
let problems: unknown[];

beforeEach(() => {
  store = openMemoryStore();
  objects = createObjectStore(store);
  catalog = createCatalog();
  problems = [];
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  await store.close();
  expect(problems).toEqual([]);
});

async function start(): Promise<void> {
  const report = (error: unknown) => problems.push(error);
  running = startDefinitions({ objects, catalog, clock: { now: () => NOW }, turn: nextTurn, report });
  await running.ready;
}

const served = (plural: string, name = "v1") => catalog.find(GROUP, name, plural);
const read = (plural: string) => objects.find(DEFINITIONS, undefined, `${plural}.${GROUP}`);

/** Until the condition holds; every write of the store is a chance. */
async function until(holds: () => boolean): Promise<void> {
  if (holds()) return;
  const watch = store.watch("", store.revision);
  if (holds()) return watch.stop();
  for await (const _ of watch) if (holds()) return;
}

/** What a DELETE does to a definition. */
async function deleteDefinition(plural: string): Promise<void> {
  const stored = objects.get(DEFINITIONS, undefined, `${plural}.${GROUP}`);
  await objects.replace(
    DEFINITIONS,
    stored,
    holdDefinition(withMetadata(stored, { deletionTimestamp: "2026-01-01T00:00:00Z" })),
  );
}

describe("a definition", () => {
  test("that was there before is served when the controller is ready", async () => {
    await objects.create(DEFINITIONS, newDefinition("things", "Thing"));
    await start();
    expect(served("things")?.kind).toMatchObject({ kind: "Thing", namespaced: true, generation: "content" });
    expect(JSON.stringify(read("things"))).toContain("InitialNamesAccepted");
  });

  test("that comes later is served before its status says so", async () => {
    await start();
    await objects.create(DEFINITIONS, newDefinition("things", "Thing"));
    await until(() => JSON.stringify(read("things")).includes("InitialNamesAccepted"));
    expect(served("things")).toBeDefined();
  });

  test("whose names are taken is not served until they are free", async () => {
    await start();
    await objects.create(DEFINITIONS, newDefinition("things", "Thing"));
    await until(() => served("things") !== undefined);
    await objects.create(DEFINITIONS, newDefinition("others", "Thing", {}, { singular: "other" }));
    await until(() => JSON.stringify(read("others")).includes("ListKindConflict"));
    expect(served("others")).toBeUndefined();
    await deleteDefinition("things");
    await until(() => JSON.stringify(read("others")).includes("InitialNamesAccepted"));
    expect(served("others")).toBeDefined();
    expect(served("things")).toBeUndefined();
  });

  test("that stops serving a version takes it away; what did not change stays the very same", async () => {
    const both = { versions: [version("v1"), version("v2")] };
    await objects.create(DEFINITIONS, newDefinition("things", "Thing", both));
    await objects.create(DEFINITIONS, newDefinition("others", "Other"));
    await start();
    const other = served("others");
    expect(served("things", "v2")).toBeDefined();
    const stored = objects.get(DEFINITIONS, undefined, `things.${GROUP}`);
    const spec = { ...(stored["spec"] as JsonObject), versions: [version("v1"), version("v2", { served: false })] };
    await objects.replace(DEFINITIONS, stored, { ...stored, spec });
    // The catalog is changed without a write: another definition is settled behind it.
    await objects.create(DEFINITIONS, newDefinition("lasts", "Last"));
    await until(() => JSON.stringify(read("lasts")).includes("InitialNamesAccepted"));
    expect(served("things", "v2")).toBeUndefined();
    expect(served("things", "v1")).toBeDefined();
    expect(served("others")).toBe(other);
  });
});

test("a definition that cannot be read is reported, and keeps no other from being served", async () => {
  const schema = { openAPIV3Schema: { type: "object", properties: { a: { type: "string", pattern: "(" } } } };
  await objects.create(DEFINITIONS, newDefinition("broken", "Broken", { versions: [version("v1", { schema })] }));
  await objects.create(DEFINITIONS, newDefinition("things", "Thing"));
  await start();
  expect(served("things")).toBeDefined();
  expect(served("broken")).toBeUndefined();
  expect(problems.splice(0).map(String)).toContain("SyntaxError: error parsing regexp: missing closing ): `(`");
});

test("a definition with many rules is read in steps, a small one at once", async () => {
  const turnsWith = async (plural: string, rules: number): Promise<number> => {
    const properties = Object.fromEntries(
      Array.from({ length: rules }, (_, index) => [
        `p${index}`,
        { type: "string", "x-kubernetes-validations": [{ rule: "self != 'x'" }] },
      ]),
    );
    const schema = { openAPIV3Schema: { type: "object", properties } };
    const before = turns;
    await objects.create(DEFINITIONS, newDefinition(plural, plural, { versions: [version("v1", { schema })] }));
    await until(() => JSON.stringify(read(plural)).includes("InitialNamesAccepted"));
    return turns - before;
  };
  await start();
  expect(await turnsWith("fews", 2)).toBe(0);
  expect(await turnsWith("manies", 2000)).toBeGreaterThanOrEqual(3);
});

describe("a definition that is deleted", () => {
  const thing = (name: string, metadata: JsonObject = {}): JsonObject => ({
    apiVersion: `${GROUP}/v1`,
    kind: "Thing",
    metadata: { name, namespace: "default", ...metadata },
  });

  test("takes its objects along", async () => {
    await objects.create(DEFINITIONS, newDefinition("things", "Thing"));
    await start();
    const { kind } = served("things")!;
    for (const name of ["a", "b", "c"]) await objects.create(kind, thing(name));
    await deleteDefinition("things");
    await until(() => read("things") === undefined);
    expect(objects.all(kind)).toEqual([]);
    expect(served("things")).toBeUndefined();
  });

  test("is not read anew for that, however often it was written before", async () => {
    await objects.create(DEFINITIONS, newDefinition("things", "Thing"));
    await start();
    const { kind, custom } = served("things")!;
    await objects.create(kind, thing("held", { finalizers: ["example.com/hold"] }));
    const stored = objects.get(DEFINITIONS, undefined, `things.${GROUP}`);
    const rewritten = JSON.parse(JSON.stringify(withMetadata(stored, { labels: { a: "b" } }))) as JsonObject;
    await objects.replace(DEFINITIONS, stored, rewritten);
    await deleteDefinition("things");
    await until(() => served("things")?.custom?.terminating === true);
    expect(served("things")?.custom?.type).toBe(custom?.type);
    expect(served("things")?.kind).toBe(kind);
  });

  test("waits for objects that somebody holds, and takes no new ones", async () => {
    await objects.create(DEFINITIONS, newDefinition("things", "Thing"));
    await start();
    const { kind } = served("things")!;
    await objects.create(kind, thing("held", { finalizers: ["example.com/hold"] }));
    await objects.create(kind, thing("free"));
    await deleteDefinition("things");
    await until(() => JSON.stringify(read("things")).includes("InstanceDeletionInProgress"));
    const [held, ...others] = objects.all(kind);
    expect(others).toEqual([]);
    expect(held).toMatchObject({ metadata: { name: "held", deletionTimestamp: "2026-01-01T00:00:00Z" } });
    expect(served("things")?.custom?.terminating).toBe(true);

    expect(prepareDelete(kind, withMetadata(held!, { finalizers: undefined }), {}, NOW)).toEqual({ kind: "remove" });
    await objects.remove(kind, held!);
    await until(() => read("things") === undefined);
    expect(served("things")).toBeUndefined();
  });

  test("leaves alone what is built in under its name", async () => {
    const builtIn = catalog.find("storage.k8s.io", "v1", "storageclasses")!;
    const storageClass = { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata: { name: "fast" } };
    await objects.create(builtIn.kind, storageClass);
    const spec = { group: "storage.k8s.io", scope: "Cluster" };
    const definition = newDefinition("storageclasses", "StorageClass", spec);
    await objects.create(DEFINITIONS, definition);
    await start();
    expect(catalog.find("storage.k8s.io", "v1", "storageclasses")).toBe(builtIn);
    const stored = objects.get(DEFINITIONS, undefined, textOf(definition, "name"));
    expect(JSON.stringify(stored)).toContain("InitialNamesAccepted");
    const marked = withMetadata(stored, { deletionTimestamp: "2026-01-01T00:00:00Z" });
    await objects.replace(DEFINITIONS, stored, holdDefinition(marked));
    await until(() => objects.find(DEFINITIONS, undefined, textOf(definition, "name")) === undefined);
    expect(objects.all(builtIn.kind)).toHaveLength(1);
  });

  test("while nobody was there is seen off at the next start", async () => {
    await objects.create(DEFINITIONS, newDefinition("things", "Thing"));
    await start();
    const { kind } = served("things")!;
    await objects.create(kind, thing("a"));
    await running?.stop();
    await deleteDefinition("things");
    await start();
    expect(read("things")).toBeUndefined();
    expect(objects.all(kind)).toEqual([]);
  });
});

test("stopping twice is fine", async () => {
  await start();
  await running?.stop();
  await expect(running?.stop()).resolves.toBeUndefined();
});
