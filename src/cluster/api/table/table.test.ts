import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isObject, type JsonObject } from "../json.ts";
import { BUILT_IN } from "../kinds/built-in.ts";
import { builtInPrinter } from "./built-in-printers.ts";
import { made, NOW } from "./fixtures.ts";
import { partialMetadata, partialMetadataEvent, partialMetadataList } from "./partial-metadata.ts";
import { readIncludeObject, tableFor } from "./table.ts";

const printer = builtInPrinter({ group: "", kind: "ServiceAccount" });
const account = made({ secrets: [] }, { resourceVersion: "7" });
const base = { now: NOW, includeObject: "Metadata" } as const;
const METADATA = { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: account["metadata"] };

describe("a table", () => {
  test("of one object has its version", () => {
    expect(tableFor(printer, [account], base)).toEqual({
      kind: "Table",
      apiVersion: "meta.k8s.io/v1",
      metadata: { resourceVersion: "7" },
      columnDefinitions: [
        { name: "Name", type: "string", format: "name", description: "", priority: 0 },
        { name: "Age", type: "string", format: "", description: "", priority: 0 },
      ],
      rows: [{ cells: ["it", "5d12h"], object: METADATA }],
    });
  });

  test("of a list has the version of the list, and the way to go on", () => {
    const listMetadata = { resourceVersion: "9", continue: "abc", remainingItemCount: 3, selfLink: "/old" };
    const { metadata, rows } = tableFor(printer, [account, account], { ...base, listMetadata });
    expect(metadata).toEqual({ resourceVersion: "9", continue: "abc", remainingItemCount: 3 });
    expect(rows).toHaveLength(2);
  });

  test("of a list of nothing has columns and no rows", () => {
    const table = tableFor(printer, [], { ...base, listMetadata: { resourceVersion: "9" } });
    expect([table.columnDefinitions?.length, table.rows]).toEqual([2, []]);
  });

  test("names its columns once in a watch", () => {
    expect(tableFor(printer, [account], { ...base, columnsAlreadySent: true }).columnDefinitions).toBeNull();
  });

  test.each([
    ["Object", account],
    ["Metadata", METADATA],
    ["None", null],
  ] as const)("carries %s as asked", (includeObject, object) => {
    expect(tableFor(printer, [account], { ...base, includeObject }).rows[0]?.object).toEqual(object);
  });

  test("carries the metadata of the bookmark that ends the initial events, whatever was asked", () => {
    const metadata = { resourceVersion: "9", annotations: { "k8s.io/initial-events-end": "true" } };
    const { rows } = tableFor(printer, [{ metadata }], { ...base, includeObject: "None" });
    expect(rows).toEqual([{ cells: ["", "<unknown>"], object: { ...METADATA, metadata } }]);
  });

  test("of a kind without columns of its own shows when it was made", () => {
    const plain = builtInPrinter({ group: "rbac.authorization.k8s.io", kind: "Role" });
    expect(plain.columns.map(({ name, type }) => `${name}: ${type}`)).toEqual(["Name: string", "Created At: date"]);
    expect(plain.cells(account, NOW)).toEqual(["it", "2026-02-24T00:00:00Z"]);
    expect(plain.cells({ metadata: {} }, NOW)).toEqual(["", "0001-01-01T00:00:00Z"]);
  });
});

describe("whatever an object is like", () => {
  const fields = ["metadata", "name", "spec", "status", "conditions", "containers", "type", "rules", "ports", "hard"];
  const anyObject = fc
    .letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        fc.constantFrom(null, true, -1, "text", "constructor"),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...fields), tie("value")),
      ),
    }))
    .value.filter((value): value is JsonObject => isObject(value as JsonObject));

  test.each(BUILT_IN.map((kind) => ({ name: `${kind.group}/${kind.kind}`, kind })))(
    "$name gives a cell for each column, of a type that can be shown",
    ({ kind }) => {
      const { columns, ...rest } = builtInPrinter(kind);
      fc.assert(
        fc.property(anyObject, (object) => {
          const cells = rest.cells(object, NOW);
          expect(cells).toHaveLength(columns.length + (kind.kind === "IPAddress" ? 1 : 0));
          expect(cells.filter((cell) => !["string", "number", "boolean"].includes(typeof cell))).toEqual([]);
        }),
        { seed: 20_261_115, numRuns: 100 },
      );
    },
  );
});

describe("includeObject", () => {
  test.each([
    [undefined, "Metadata"],
    ["", "Metadata"],
    ["None", "None"],
    ["Object", "Object"],
  ])("%s is read as %s", (text, read) => {
    expect(readIncludeObject(text)).toBe(read);
  });

  test("of another value is a bad request", () => {
    const message =
      'Unable to convert to Table as requested: includeObject: Invalid value: "Everything": ' +
      "must be 'Metadata', 'Object', 'None', or empty";
    expect(() => readIncludeObject("Everything")).toThrow(expect.objectContaining({ code: 400, message }));
  });
});

describe("metadata alone", () => {
  test("of an object", () => {
    expect(partialMetadata(account)).toEqual(METADATA);
  });

  test("of a list keeps the list's own", () => {
    expect(partialMetadataList({ metadata: { resourceVersion: "9" }, items: [account] })).toEqual({
      kind: "PartialObjectMetadataList",
      apiVersion: "meta.k8s.io/v1",
      metadata: { resourceVersion: "9" },
      items: [METADATA],
    });
  });

  test("of an event, but not of an error", () => {
    expect(partialMetadataEvent({ type: "ADDED", object: account })).toEqual({ type: "ADDED", object: METADATA });
    const status = { kind: "Status", code: 410 };
    expect(partialMetadataEvent({ type: "ERROR", object: status })).toEqual({ type: "ERROR", object: status });
  });
});
