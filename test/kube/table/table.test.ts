/** What `kubectl get` shows is what kube-apiserver would have shown of the same objects at the same moment. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { BUILT_IN } from "../../../src/cluster/api/kinds/built-in.ts";
import { groupVersionOf, storageName } from "../../../src/cluster/api/kinds/kind.ts";
import { builtInPrinter } from "../../../src/cluster/api/table/built-in-printers.ts";
import { customPrinter, customScales } from "../../../src/cluster/api/table/custom-printer.ts";
import { partialMetadata, partialMetadataList } from "../../../src/cluster/api/table/partial-metadata.ts";
import type { Printer } from "../../../src/cluster/api/table/printer.ts";
import { readIncludeObject, type Table, type TableOptions, tableFor } from "../../../src/cluster/api/table/table.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { defineKind } from "../custom-kinds.ts";
import { BEYOND, COLUMNS, definition, GROUP, OBJECTS } from "./custom.ts";
import { OTHERS } from "./other-states.ts";
import { PODS } from "./pod-states.ts";
import { type Actor, collectionOf, kindNamed, play } from "./scene.ts";
import { type Answer, openTableServer, type TableServer } from "./server.ts";
import { STORAGE } from "./storage-states.ts";
import { STORED } from "./stored-states.ts";
import { WORKLOADS } from "./workload-states.ts";

const ACTORS: readonly Actor[] = [...PODS, ...WORKLOADS, ...STORAGE, ...OTHERS, ...STORED];
const CUSTOM = `/apis/${GROUP}/v1/namespaces/default`;
let plane: ControlPlane;
let server: TableServer;
beforeAll(async () => {
  plane = await startControlPlane({ controllers: [] });
  server = openTableServer(plane);
  const refused: string[] = [];
  for (const actor of ACTORS) {
    await play(plane, actor).catch((error: unknown) => refused.push(`${actor.kind} ${actor.name}: ${String(error)}`));
  }
  if (refused.length > 0) throw new Error(`the scene cannot be set:\n${refused.join("\n")}`);
  await createCustomResources();
});
afterAll(async () => {
  await server?.close();
  await plane?.stop();
});

async function createCustomResources(): Promise<void> {
  for (const [plural, kind, columns] of [
    ["shows", "Show", COLUMNS],
    ["plains", "Plain", []],
  ] as const) {
    await defineKind(plane.api, definition(plural, kind, columns));
    for (const object of OBJECTS) {
      await plane.api.create(`${CUSTOM}/${plural}`, { apiVersion: `${GROUP}/v1`, kind, ...object });
    }
  }
}

function objectsIn(table: Table): JsonObject[] {
  return table.rows.map(({ object }) => object ?? {});
}

/** Descriptions are prose; differences.json says why there is none here. */
function withoutDescriptions(table: Table): object {
  return {
    ...table,
    columnDefinitions: table.columnDefinitions?.map((column) => ({ ...column, description: "" })) ?? null,
  };
}

/** A moment near that of the answer: it was dated a little after a list was made, and a little before a watch began. */
const OFFSETS = [0, -1000, 1000];

/** Ours, made of the very objects in the real one, is the same. Each age is taken from the moment at which it fits. */
function expectSame(printer: Printer, { body, second }: Answer<Table>, options: Partial<TableOptions> = {}): void {
  const tables = OFFSETS.map((offset) =>
    tableFor(printer, objectsIn(body), { now: second + offset, includeObject: "Object", ...options }),
  );
  const [ours] = tables;
  const rows = ours!.rows.map((row, index) => ({
    ...row,
    cells: row.cells.map((cell, place) => {
      const candidates = tables.map((table) => table.rows[index]?.cells[place]);
      return candidates.find((candidate) => candidate === body.rows[index]?.cells[place]) ?? cell;
    }),
  }));
  expect(withoutDescriptions({ ...ours!, rows })).toStrictEqual(withoutDescriptions(body));
}

test("every kind has an object to show, but for those that the cluster brings itself", () => {
  const played = new Set(ACTORS.map(({ kind }) => storageName(kindNamed(kind))));
  expect(BUILT_IN.filter((kind) => !played.has(storageName(kind))).map(({ kind }) => kind)).toEqual([
    "Binding",
    "ComponentStatus",
    "ClusterRole",
    "CustomResourceDefinition",
  ]);
});

describe("the table of a list", () => {
  test.each(
    BUILT_IN.filter(({ verbs }) => verbs.includes("list")).map((kind) => ({
      name: `${groupVersionOf(kind)} ${kind.kind}`,
      kind,
    })),
  )("$name", async ({ kind }) => {
    const answer = await server.table(collectionOf(kind), "includeObject=Object");
    expect(answer.body.rows.length).toBeGreaterThan(0);
    expectSame(builtInPrinter(kind), answer, { listMetadata: answer.body.metadata });
  });

  test("that has no rows", async () => {
    const answer = await server.table("/api/v1/namespaces/nowhere/pods", "includeObject=Object");
    expectSame(builtInPrinter(kindNamed("Pod")), answer, { listMetadata: answer.body.metadata });
  });

  test("that goes on keeps the way to go on", async () => {
    const answer = await server.table("/api/v1/namespaces/default/pods", "limit=2&includeObject=Object");
    const list = await plane.api.get<{ metadata: JsonObject }>("/api/v1/namespaces/default/pods?limit=2");
    expect(list.metadata["remainingItemCount"]).toBe(PODS.length - 2);
    expectSame(builtInPrinter(kindNamed("Pod")), answer, {
      listMetadata: { ...list.metadata, selfLink: "/left/out", continue: answer.body.metadata["continue"] ?? "" },
    });
  });
});

describe("a row carries", () => {
  const path = "/api/v1/namespaces/default/pods/completed";
  test.each(["None", "Metadata", "Object", ""])("its object as in includeObject=%s", async (asked) => {
    const { body: object } = await server.table(path, "includeObject=Object");
    const answer = await server.table(path, `includeObject=${asked}`);
    const ours = tableFor(builtInPrinter(kindNamed("Pod")), objectsIn(object), {
      now: answer.second,
      includeObject: readIncludeObject(asked),
    });
    expect(ours.rows.map((row) => row.object)).toEqual(answer.body.rows.map((row) => row.object));
    expect(ours.rows.map((row) => row.conditions)).toEqual(answer.body.rows.map((row) => row.conditions));
    expect(ours.metadata).toEqual(answer.body.metadata);
  });

  test("nothing that is not known", async () => {
    const { status, body } = await server.table(path, "includeObject=Everything");
    const { code, reason, message } = body as unknown as { code: number; reason: string; message: string };
    expect(status).toBe(400);
    expect(() => readIncludeObject("Everything")).toThrow(expect.objectContaining({ code, reason, message }));
  });
});

describe("custom resources", () => {
  test("with columns of their own", async () => {
    const answer = await server.table(`${CUSTOM}/shows`, "includeObject=Object");
    const printer = customPrinter(COLUMNS);
    expectSame(printer, answer, { listMetadata: answer.body.metadata });
    expect(printer.columns.slice(1).map(({ description }) => description)).toEqual(
      answer.body.columnDefinitions?.slice(1).map(({ description }) => description),
    );
  });

  test("without", async () => {
    const answer = await server.table(`${CUSTOM}/plains`, "includeObject=Object");
    expectSame(customPrinter([]), answer, { listMetadata: answer.body.metadata });
  });
});

describe("scales", () => {
  test("of a StatefulSet", async () => {
    const answer = await server.table(
      "/apis/apps/v1/namespaces/default/statefulsets/half/scale",
      "includeObject=Object",
    );
    expectSame(builtInPrinter({ group: "autoscaling", kind: "Scale" }), answer);
  });

  test("of a custom resource", async () => {
    await plane.api.patch(`${CUSTOM}/shows/empty`, { spec: { replicas: 3 } });
    const answer = await server.table(`${CUSTOM}/shows/empty/scale`, "includeObject=Object");
    expectSame(customScales, answer);
  });
});

describe("a watch", () => {
  const query = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
  test.each(["Pod", "LimitRange", "ConfigMap"])(
    "of %s names its columns once, and shows bookmarks too",
    async (name) => {
      const kind = kindNamed(name);
      const { body: watched, second } = await server.watchTables(collectionOf(kind), `${query}&includeObject=Object`);
      expect(watched.map(({ type }) => type)).toContain("BOOKMARK");
      for (const [index, { object }] of watched.entries()) {
        expectSame(builtInPrinter(kind), { status: 200, body: object, second }, { columnsAlreadySent: index > 0 });
      }
    },
  );

  test("without objects still has the metadata of the bookmark that ends its beginning", async () => {
    const { body } = await server.watchTables("/api/v1/namespaces/default/limitranges", `${query}&includeObject=None`);
    const full = await server.watchTables("/api/v1/namespaces/default/limitranges", `${query}&includeObject=Object`);
    const printer = builtInPrinter(kindNamed("LimitRange"));
    const ours = full.body.map(({ object }) => tableFor(printer, objectsIn(object), { now: 0, includeObject: "None" }));
    const shapes = (tables: readonly Table[]) =>
      tables.map(({ rows }) => rows.map(({ object }) => object?.["kind"] ?? null));
    expect(shapes(ours)).toEqual(shapes(body.map(({ object }) => object)));
    expect(shapes(ours)).toContainEqual(["PartialObjectMetadata"]);
  });
});

describe("metadata alone", () => {
  test("of an object", async () => {
    const path = "/api/v1/namespaces/default/persistentvolumeclaims/terminating";
    const { body } = await server.metadata(path, "PartialObjectMetadata");
    expect(partialMetadata(await plane.api.get(path))).toEqual(body);
  });

  test("of a list", async () => {
    const path = "/api/v1/namespaces/default/persistentvolumeclaims";
    const { body } = await server.metadata(path, "PartialObjectMetadataList");
    expect(partialMetadataList(await plane.api.get(path))).toEqual(body);
  });
});

/** Each is shown to be there still; one that is not in the list fails a test above. */
const DIFFERENCES: Readonly<Record<string, () => Promise<void>>> = {
  "descriptions of columns": async () => {
    const { body } = await server.table("/api/v1/namespaces/default/pods");
    expect(body.columnDefinitions?.every(({ description }) => description !== "")).toBe(true);
    expect(builtInPrinter(kindNamed("Pod")).columns.every(({ description }) => description === "")).toBe(true);
  },
  "rows of an empty list of a kind without columns of its own": async () => {
    const { body } = await server.table("/apis/rbac.authorization.k8s.io/v1/namespaces/nowhere/roles");
    expect(body.rows).toBeNull();
    const printer = builtInPrinter(kindNamed("rbac.authorization.k8s.io/Role"));
    expect(tableFor(printer, [], { now: 0, includeObject: "None", listMetadata: {} }).rows).toEqual([]);
  },
  "a number that is too large for an integer column": async () => {
    await plane.api.create(`${CUSTOM}/shows`, { apiVersion: `${GROUP}/v1`, kind: "Show", ...BEYOND });
    const { body } = await server.table(`${CUSTOM}/shows/beyond`, "includeObject=Object");
    const ours = tableFor(customPrinter(COLUMNS), objectsIn(body), { now: 0, includeObject: "None" });
    const cellOf = (table: Table) => table.rows[0]?.cells[COLUMNS.findIndex(({ type }) => type === "integer") + 1];
    expect(cellOf(body)).toBeLessThan(0);
    expect(cellOf(ours)).toBe(1.5e300);
  },
};

describe("listed differences", () => {
  const listed = JSON.parse(readFileSync(new URL("differences.json", import.meta.url), "utf8")) as {
    readonly what: string;
    readonly reason: string;
  }[];

  test("are all there are, with a reason each", () => {
    expect(listed.map(({ what }) => what)).toEqual(Object.keys(DIFFERENCES));
    expect(listed.filter(({ reason }) => reason === "")).toEqual([]);
  });

  test.each(Object.entries(DIFFERENCES))("%s", (_, shows) => shows());
});
