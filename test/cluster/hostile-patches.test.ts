/** Patches and names that would blow up, or get at what all objects share. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startTarget, type Target } from "./target.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const JSON_PATCH = "application/json-patch+json";
const MERGE = "application/merge-patch+json";
const STRATEGIC = "application/strategic-merge-patch+json";
const APPLY = "application/apply-patch+yaml";

let target: Target;
let serial = 0;
beforeAll(async () => {
  target = await startTarget();
});
afterEach(() => target.isFine());
afterAll(() => target[Symbol.asyncDispose]());

/** A map with this data, as text, so that every key arrives; gives its path. */
async function mapWith(data: string): Promise<string> {
  const name = `map-${serial++}`;
  const body = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"},"data":${data}}`;
  expect((await target.send("POST", MAPS, { body })).code).toBe(201);
  return `${MAPS}/${name}`;
}

const operations = (count: number, make: (index: number) => object) =>
  Array.from({ length: count }, (_, index) => make(index));

describe("JSON patches", () => {
  test("ten thousand operations on ten thousand keys", async () => {
    const keys = operations(10_000, (index) => ({ [`k${index}`]: "v" }));
    const path = await mapWith(JSON.stringify(Object.assign({}, ...keys)));
    const body = operations(
      10_000,
      (index) =>
        [
          { op: "test", path: `/data/k${index}`, value: "v" },
          { op: "replace", path: `/data/k${index}`, value: "w" },
          { op: "remove", path: `/data/k${index}` },
          { op: "copy", from: `/data/k${index}`, path: `/data/c${index}` },
          { op: "move", from: `/data/k${index}`, path: `/data/m${index}` },
        ].at(index % 5) ?? {},
    );
    const { code, json } = await target.send("PATCH", path, { type: JSON_PATCH, body });
    expect(code).toBe(200);
    expect(Object.keys(json?.["data"] as object)).toHaveLength(10_000);
  });

  test("ten thousand items taken from the front of a hundred thousand", async () => {
    const path = await mapWith("{}");
    const value = operations(100_000, () => ({})).map((_, index) => `a.b/${index}`);
    const taken = operations(9_999, () => ({ op: "remove", path: "/metadata/finalizers/0" }));
    const body = [{ op: "add", path: "/metadata/finalizers", value }, ...taken];
    const { text } = await target.send("PATCH", `${path}?dryRun=All`, { type: JSON_PATCH, body });
    const { finalizers } = (JSON.parse(text) as { metadata: { finalizers: string[] } }).metadata;
    expect([finalizers.length, finalizers[0]]).toEqual([90_001, "a.b/9999"]);
  });

  test.each<[string, number, object[]]>([
    ["more operations than there may be", 413, operations(10_001, () => ({ op: "test", path: "/x" }))],
    [
      "copies that double",
      422,
      [
        { op: "add", path: "/x", value: { a: "x" } },
        ...operations(60, (i) => ({ op: "copy", from: "/x", path: `/x/${i}` })),
      ],
    ],
    [
      "moves that nest",
      422,
      operations(9_000, (i) =>
        i % 2 === 0
          ? { op: "add", path: `/${i}`, value: {} }
          : { op: "move", from: i === 1 ? "/data" : `/${i - 3}`, path: `/${i - 1}/x` },
      ),
    ],
    ["a path without end", 422, [{ op: "add", path: "/a".repeat(500_000), value: 1 }]],
    ["a move into itself", 422, [{ op: "move", from: "/data", path: "/data/x" }]],
    ["all objects' prototype", 422, [{ op: "add", path: "/__proto__/polluted", value: 1 }]],
    ["all objects' constructor", 422, [{ op: "add", path: "/constructor/prototype/polluted", value: 1 }]],
    [
      "a copy of what every object has",
      422,
      [
        { op: "copy", from: "/toString", path: "/data/x" },
        { op: "test", path: "/data/x", value: "y" },
      ],
    ],
  ])("%s", async (_, code, body) => {
    const path = await mapWith('{"a":"b"}');
    const answer = await target.send("PATCH", path, { type: JSON_PATCH, body });
    expect(answer.json).toMatchObject({ kind: "Status", code });
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });
});

test.each([JSON_PATCH, MERGE, STRATEGIC, APPLY])("a %s that is nested without end", async (type) => {
  const path = await mapWith("{}");
  const deep = `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`;
  const body = type === JSON_PATCH ? `[{"op":"add","path":"/x","value":${deep}}]` : `{"data":${deep}}`;
  const { json } = await target.send("PATCH", `${path}?fieldManager=x`, { type, body });
  expect(json).toMatchObject({ kind: "Status", code: 400, message: expect.stringContaining("exceeded max depth") });
});

describe("strategic merge patches of as many items as a body has room for", () => {
  const PODS = "/api/v1/namespaces/default/pods";
  const env = (count: number, more: object) => operations(count, (index) => ({ name: `a${index}`, ...more }));
  test.each<[string, object, number]>([
    ["merged by their keys", { env: env(90_000, {}).reverse() }, 422],
    ["deleted", { env: env(60_000, { $patch: "delete" }) }, 422],
    ["put in order", { "$setElementOrder/env": env(90_000, {}).reverse() }, 422],
    ["retained", { $retainKeys: ["name", ...operations(100_000, (index) => ({ index })).keys()] }, 422],
  ])("%s", async (what, change, code) => {
    const name = what.replaceAll(" ", "-");
    const container = { name: "c", image: "i", env: env(8_000, {}) };
    const body = { metadata: { name }, spec: { containers: [container] } };
    expect((await target.send("POST", PODS, { body })).code).toBe(201);
    const patch = { spec: { containers: [{ name: "c", ...change }] } };
    const { json } = await target.send("PATCH", `${PODS}/${name}?dryRun=All`, { type: STRATEGIC, body: patch });
    expect(json).toMatchObject({ kind: "Status", code });
  });
});

test("no object grows for ever", async () => {
  const path = await mapWith("{}");
  const codes: number[] = [];
  for (let time = 0; time < 6; time++) {
    const labels = Object.assign(
      {},
      ...operations(6_000, (index) => ({ [`k-${time}-${index}-${"x".repeat(45)}`]: "x".repeat(63) })),
    );
    codes.push((await target.send("PATCH", path, { type: MERGE, body: { metadata: { labels } } })).code);
  }
  expect(codes[0]).toBe(200);
  expect(codes.at(-1)).toBe(413);
});

describe("an apply with managedFields that make no sense", () => {
  test.each<[string, object[]]>([
    ["with any", [{ manager: "x", operation: "Apply", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: {} }]],
    ["with a hundred thousand", operations(100_000, () => ({}))],
  ])("%s", async (_, managedFields) => {
    const path = await mapWith("{}");
    const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { managedFields }, data: { a: "b" } };
    const { json } = await target.send("PATCH", `${path}?fieldManager=x`, { type: APPLY, body });
    expect(json).toMatchObject({ kind: "Status", code: 400 });
  });

  test("an update with a great many that nobody reads begins anew", async () => {
    const path = await mapWith("{}");
    const fieldsV1 = Object.assign({}, ...operations(20_000, (index) => ({ [`f:${index}`]: {} })));
    const managedFields = [{ manager: "y", operation: "Update", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1 }];
    const { code } = await target.send("PATCH", path, { type: MERGE, body: { metadata: { managedFields } } });
    expect(code).toBe(200);
  });
});

describe("names that every object has", () => {
  const KEYS = ["constructor", "toString", "valueOf", "hasOwnProperty", "isPrototypeOf"];
  const DATA = `{"__proto__":"p",${KEYS.map((key) => `"${key}":"${key}"`).join(",")}}`;

  test.each<[string, string, string]>([
    ["created", "", ""],
    ["merged", MERGE, `{"data":${DATA}}`],
    ["merged strategically", STRATEGIC, `{"data":${DATA}}`],
    ["applied", APPLY, `{"apiVersion":"v1","kind":"ConfigMap","data":${DATA}}`],
    ["patched in", JSON_PATCH, `[{"op":"add","path":"/data","value":${DATA}}]`],
  ])("%s as keys of data", async (_, type, body) => {
    const path = await mapWith(type === "" ? DATA : "{}");
    if (type !== "") expect((await target.send("PATCH", `${path}?fieldManager=x`, { type, body })).code).toBe(200);
    const { text } = await target.send("GET", path);
    const { data } = JSON.parse(text) as { data: Record<string, string> };
    expect(new Map(Object.entries(data))).toEqual(
      new Map([["__proto__", "p"], ...KEYS.map((key) => [key, key] as const)]),
    );
    expect(Object.hasOwn(Object.prototype, "p")).toBe(false);
  });

  test("as labels and annotations, where they are allowed", async () => {
    const path = await mapWith("{}");
    const metadata = { labels: { constructor: "a", toString: "b" }, annotations: { valueOf: "c", constructor: "d" } };
    expect((await target.send("PATCH", path, { type: MERGE, body: { metadata } })).json).toMatchObject({ metadata });
    const name = path.split("/").at(-1);
    const found = await target.send("GET", `${MAPS}?labelSelector=constructor=a,toString,!hasOwnProperty`);
    expect(found.text).toContain(`"name":"${name}"`);
    const none = await target.send("GET", `${MAPS}?labelSelector=hasOwnProperty`);
    expect(none.json).toMatchObject({ items: [] });
    const bad = await target.send("PATCH", path, { type: MERGE, body: '{"metadata":{"labels":{"__proto__":"x"}}}' });
    expect(bad.json).toMatchObject({ code: 422, message: expect.stringContaining('"__proto__"') });
  });

  test("in a merge patch, next to what they would replace", async () => {
    const path = await mapWith('{"constructor":"a","b":"c"}');
    const body = '{"__proto__":{"polluted":1},"data":{"constructor":null,"__proto__":null}}';
    const { json } = await target.send("PATCH", path, { type: MERGE, body });
    expect(json).toMatchObject({ data: { b: "c" } });
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });
});
