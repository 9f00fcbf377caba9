/** Definitions of resources that are traps: for the server that takes them, and for the objects that come after. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { heldMegabytes, startTarget, type Target } from "./target.ts";

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

let target: Target;
beforeAll(async () => {
  target = await startTarget();
});
afterEach(() => target.isFine());
afterAll(() => target[Symbol.asyncDispose]());

interface Version {
  readonly name: string;
  readonly schema: object;
}

function definition(singular: string, versions: readonly Version[]): object {
  const kind = singular.charAt(0).toUpperCase() + singular.slice(1);
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${singular}s.example.com` },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: `${singular}s`, singular, kind, listKind: `${kind}List` },
      versions: versions.map(({ name, schema }, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: { openAPIV3Schema: schema },
      })),
    },
  };
}

const withSpec = (spec: object): object => ({ type: "object", properties: { spec } });

/** Defines a kind with this spec; resolves when its objects are served. */
async function define(singular: string, spec: object): Promise<void> {
  const body = definition(singular, [{ name: "v1", schema: withSpec(spec) }]);
  expect((await target.send("POST", DEFINITIONS, { body })).code).toBe(201);
  await expect.poll(async () => (await target.send("GET", pathOf(singular))).code).toBe(200);
}

/** An object with this many fields, `p0` and so on. */
const fields = (count: number, make: (index: number) => object): object => ({
  type: "object",
  properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, make(index)])),
});

const pathOf = (singular: string): string => `/apis/example.com/v1/namespaces/default/${singular}s`;

/** Creates an object of a kind; `spec` is JSON, so that every key arrives. */
function create(singular: string, name: string, spec: string) {
  const kind = singular.charAt(0).toUpperCase() + singular.slice(1);
  const body = `{"apiVersion":"example.com/v1","kind":"${kind}","metadata":{"name":"${name}"},"spec":${spec}}`;
  return target.send("POST", pathOf(singular), { body });
}

describe("a pattern that backtracks without end", () => {
  test.each([
    ["nested", "^(a+)+$"],
    ["alternative", "^(a|aa)+$"],
    ["polynomial", "^.*.*.*.*.*.*.*.*.*.*x$"],
    [
      "email",
      "^([a-zA-Z0-9])(([-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$",
    ],
  ])("%s: a value that does not fit is refused, a short one and a long one", async (name, pattern) => {
    await define(name, { type: "string", pattern });
    for (const length of [40, 10_000]) {
      const { json } = await create(name, "x", JSON.stringify(`${"a".repeat(length)}!`));
      expect(json).toMatchObject({ code: 422, message: expect.stringContaining("should match") });
    }
  });
});

test("formats take long texts for what they are", async () => {
  const formats =
    "bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn hexcolor rgbcolor byte date duration date-time password k8s-short-name k8s-long-name";
  const properties = Object.fromEntries(formats.split(" ").map((format) => [format, { type: "string", format }]));
  await define("format", { type: "object", properties });
  const unit = ["a", "a.", "1", "1.", "a-", ":", "1:", "/", "a@", "-", "P1Y", "1h", "=", " "];
  for (const [index, part] of unit.entries()) {
    const text = `${part.repeat(20_000 / part.length)}!`;
    const spec = Object.fromEntries(formats.split(" ").map((format) => [format, text]));
    const { json } = await create("format", `f${index}`, JSON.stringify(spec));
    expect(json).toMatchObject({ kind: "Status" });
  }
});

describe("a definition that is too much of something", () => {
  const nested = (depth: number): object =>
    depth === 0 ? { type: "string" } : { type: "object", properties: { a: nested(depth - 1) } };
  const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

  test.each<[string, object, number]>([
    ["references", { $ref: "#/definitions/x" }, 422],
    ["a pattern that is none", { type: "string", pattern: "((((" }, 422],
    ["a pattern nested without end", { type: "string", pattern: `${"(".repeat(50_000)}${")".repeat(50_000)}` }, 422],
    ["a pattern that repeats repetitions", { type: "string", pattern: "((a{1000}){1000}){1000}" }, 422],
    ["a pattern that never closes", { type: "string", pattern: "[".repeat(500_000) }, 422],
    ["properties in properties", nested(400), 201],
    ["choices", { type: "object", anyOf: many(2_000, () => ({ required: ["a"] })) }, 201],
    ["values to choose from", { type: "string", enum: many(20_000, (index) => `e${index}`) }, 201],
    ["types", { type: "nothing" }, 422],
  ])("%s", async (name, spec, code) => {
    const singular = name.replaceAll(/[^a-z]/g, "");
    const body = definition(singular, [{ name: "v1", schema: withSpec(spec) }]);
    const answer = await target.send("POST", DEFINITIONS, { body });
    expect(answer.code, answer.text.slice(0, 300)).toBe(code);
    await target.send("DELETE", `${DEFINITIONS}/${singular}s.example.com`);
  });

  // Made when they are needed: what a table holds is written out for the names of its tests.
  test.each<[string, () => object]>([
    [
      "rules that name one field of many",
      () => ({
        ...fields(40_000, () => ({ type: "string" })),
        "x-kubernetes-validations": many(1_000, (index) => ({ rule: "true", fieldPath: `.p${index}` })),
      }),
    ],
    [
      "choices among many fields",
      () => ({
        ...fields(20_000, () => ({ type: "string" })),
        anyOf: many(20_000, (index) => ({ properties: { [`p${index}`]: {} } })),
      }),
    ],
    ["patterns", () => fields(20_000, (index) => ({ type: "string", pattern: `^a{0,90}b${index}$` }))],
  ])("%s", async (name, spec) => {
    const singular = name.replaceAll(/[^a-z]/g, "");
    await define(singular, spec());
    expect((await target.send("DELETE", `${DEFINITIONS}/${singular}s.example.com`)).code).toBe(200);
  });

  test("more values to choose from than a call has room for: schemas are told as before", async () => {
    await define("choice", { type: "string", enum: many(200_000, (index) => `e${index}`) });
    for (const path of ["/openapi/v2", "/openapi/v3", "/openapi/v3/apis/example.com/v1"]) {
      const { code } = await target.send("GET", path, { headers: { accept: "application/json" } });
      expect([path, code]).toEqual([path, 200]);
    }
    expect((await target.send("DELETE", `${DEFINITIONS}/choices.example.com`)).code).toBe(200);
  });

  test("nested deeper than an object may be", async () => {
    const { json } = await target.send("POST", DEFINITIONS, {
      body: definition("deep", [{ name: "v1", schema: nested(600) }]),
    });
    expect(json).toMatchObject({ kind: "Status", code: 400 });
  });

  test("ten thousand versions", async () => {
    const versions = many(10_000, (index) => ({ name: `v${index + 1}`, schema: { type: "object" } }));
    const { json } = await target.send("POST", DEFINITIONS, { body: definition("many", versions) });
    expect(json).toMatchObject({ code: 422, message: expect.stringContaining("spec.versions: Too many: 10000") });
  });

  test("a hundred versions, that come and go, stay in nobody's memory", async () => {
    const versions = many(100, (index) => ({ name: `v${index + 1}`, schema: { type: "object" } }));
    const comeAndGo = async (): Promise<void> => {
      const body = definition("many", versions);
      expect((await target.send("POST", DEFINITIONS, { body })).code).toBe(201);
      await expect.poll(async () => (await target.send("GET", pathOf("many"))).code).toBe(200);
      for (const path of ["/apis", "/apis/example.com", "/apis/example.com/v99", "/openapi/v3"]) {
        expect((await target.send("GET", path)).code).toBe(200);
      }
      expect((await target.send("DELETE", `${DEFINITIONS}/manys.example.com`)).code).toBe(200);
      await expect.poll(async () => (await target.send("GET", pathOf("many"))).code).toBe(404);
    };
    await comeAndGo();
    const before = await heldMegabytes();
    for (let time = 0; time < 3; time++) await comeAndGo();
    expect((await heldMegabytes()) - before).toBeLessThan(10);
  });
});

test("patterns that nobody uses take no memory, and those that are used match", async () => {
  const patterns = (count: number) => fields(count, (index) => ({ type: "string", pattern: `^a{0,90}b${index}$` }));
  await define("matched", patterns(10));
  const before = await heldMegabytes();
  await define("expected", patterns(20_000));
  expect((await heldMegabytes()) - before).toBeLessThan(100);
  expect((await create("expected", "a", '{"p19999":"aaab19999"}')).code).toBe(201);
  expect((await create("expected", "b", '{"p19999":"aaab1999"}')).json).toMatchObject({
    code: 422,
    message: expect.stringContaining("should match"),
  });
});

test("fields with names that every object has are fields", async () => {
  const spec = {
    type: "object",
    properties: JSON.parse(
      '{"__proto__":{"type":"string","default":"d"},"constructor":{"type":"object","properties":{"prototype":{"type":"string"}}},"toString":{"type":"string"},"hasOwnProperty":{"type":"integer"}}',
    ) as object,
  };
  await define("proto", spec);
  const good = await create(
    "proto",
    "a",
    '{"constructor":{"prototype":"x"},"toString":"y","hasOwnProperty":1,"valueOf":"z"}',
  );
  expect(good.code).toBe(201);
  expect(new Map(Object.entries(good.json?.["spec"] as object))).toEqual(
    new Map<string, unknown>([
      ["__proto__", "d"],
      ["constructor", { prototype: "x" }],
      ["hasOwnProperty", 1],
      ["toString", "y"],
    ]),
  );
  const bad = await create("proto", "b", '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
  expect(bad.json).toMatchObject({ code: 422, reason: "Invalid" });
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});
