/** Objects of one rich schema, sent to a real server and through the rules here: defaults, pruning, warnings, errors. */
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Resource } from "../../../src/cluster/api/catalog/resource.ts";
import type { Json, JsonObject } from "../../../src/cluster/api/json.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { waitFor } from "../wait.ts";
import { createObject, resourceOf, updateObject, updateStatus } from "./ours.ts";
import { DEFINITION, GROUP, thing, VALUES } from "./rich.ts";
import { type Answer, openServer, type Server } from "./server.ts";

const THINGS = `/apis/${GROUP}/v1/namespaces/default/things`;
const SEED = 20_260_101;

const listed = JSON.parse(readFileSync(new URL("differences.json", import.meta.url), "utf8")) as {
  readonly objects: readonly { readonly field: string; readonly value: Json; readonly reason: string }[];
};

let plane: ControlPlane;
let server: Server;
let resource: Resource;
beforeAll(async () => {
  plane = await startControlPlane({ controllers: [] });
  server = openServer(plane);
  await server.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION);
  await waitFor("things to be served", async () => (await server.send("GET", THINGS)).code === 200);
  resource = resourceOf(DEFINITION);
});
afterAll(async () => {
  await server?.close();
  await plane?.stop();
});

const trial = (object: JsonObject): Promise<Answer> => server.send("POST", `${THINGS}?dryRun=All`, object);

function differenceOf(field: string, value: Json): string | undefined {
  return listed.objects.find((each) => each.field === field && JSON.stringify(each.value) === JSON.stringify(value))
    ?.reason;
}

const cases = Object.entries(VALUES).flatMap(([field, values]) => values.map((value) => ({ field, value })));

describe("a new object", () => {
  test.each(cases.map((each) => ({ ...each, name: `${each.field}: ${JSON.stringify(each.value)}` })))(
    "with $name",
    async ({ field, value }) => {
      const object = thing({ [field]: value });
      const theirs = await trial(object);
      const ours = createObject(resource, object);
      if (differenceOf(field, value) === undefined) expect(ours).toEqual(theirs);
      else expect(ours, "this is no difference any more").not.toEqual(theirs);
    },
  );

  test.each([
    ["no spec", { spec: undefined }],
    ["a spec that is none", { spec: "a" }],
    ["unknown fields at the top", { other: 1, data: {} }],
    ["a status, which is not its own", { status: { phase: "Busy" } }],
    ["a name that is too long", { metadata: { name: "a".repeat(21) } }],
    ["a name that is none", { metadata: { name: "A_b" } }],
    [
      "unknown metadata",
      {
        metadata: {
          name: "a",
          unknown: 1,
          ownerReferences: [{ apiVersion: "v1", kind: "A", name: "a", uid: "u", x: 1 }],
        },
      },
    ],
  ])("with %s", async (_, more) => {
    const object = JSON.parse(JSON.stringify({ ...thing({}), ...more })) as JsonObject;
    expect(createObject(resource, object)).toEqual(await trial(object));
  });

  test("of any sort", async () => {
    const known = cases.filter(({ field, value }) => differenceOf(field, value) === undefined);
    const spec = fc
      .uniqueArray(fc.constantFrom(...known), { selector: ({ field }) => field, minLength: 2, maxLength: 8 })
      .map((chosen) => Object.fromEntries(chosen.map(({ field, value }) => [field, value])));
    for (const fields of fc.sample(spec, { seed: SEED, numRuns: 300 })) {
      const object = thing(fields);
      expect(createObject(resource, object), JSON.stringify(fields)).toEqual(await trial(object));
    }
  });

  test("of random values", async () => {
    const fields = Object.keys(VALUES).filter((field) => !["embedded", "link", "mail"].includes(field));
    const value = fc.letrec<{ any: Json }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<Json>(null, true, 0, 1, -1, 2.5, 100, 4294967296, "", "a", "abc", "Fast", "TCP"),
        fc.array(tie("any"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom("a", "b", "name", "size", "id", "deep", "known", "from", "x"), tie("any"), {
          maxKeys: 3,
        }),
      ),
    })).any;
    const spec = fc.dictionary(fc.constantFrom(...fields), value, { minKeys: 1, maxKeys: 5 });
    for (const random of fc.sample(spec, { seed: SEED, numRuns: 400 })) {
      const object = thing(random);
      expect(createObject(resource, object), JSON.stringify(random)).toEqual(await trial(object));
    }
  });
});

describe("an update", () => {
  test.each<[string, JsonObject, JsonObject]>([
    [
      "of the status",
      {},
      { status: { phase: "Ready", replicas: 1, selector: "a=b", conditions: [{ type: "A", status: "True" }] } },
    ],
    ["of a status that lacks something", {}, { status: { replicas: 1 } }],
    ["of a status with wrong types", {}, { status: { phase: 1, replicas: "1", selector: 5 } }],
    ["of a status with unknown fields", {}, { status: { phase: "Ready", x: { y: 1 } } }],
    [
      "of a status with what stands twice",
      {},
      { status: { phase: "Ready", conditions: [{ type: "A" }, { type: "A" }] } },
    ],
    ["of a status below zero", {}, { status: { phase: "Ready", replicas: -1 } }],
    ["that takes the status away", {}, {}],
  ])("%s", async (name, spec, change) => {
    const id = `s-${name.replaceAll(" ", "-")}`.slice(0, 20).replace(/-$/, "");
    await server.send("POST", THINGS, thing(spec, id));
    const stored = await plane.api.get<JsonObject>(`${THINGS}/${id}`);
    const sent = { ...stored, ...change };
    const theirs = await server.send("PUT", `${THINGS}/${id}/status`, sent);
    expect(updateStatus(resource, stored, sent)).toEqual(theirs);
  });

  test.each<[string, JsonObject, JsonObject]>([
    ["to wrong types", {}, { size: "a", mode: "None" }],
    ["that leaves it as it is", { size: 5 }, { size: 5 }],
    ["that raises its generation", { size: 5 }, { size: 6 }],
    ["that drops a default", { size: 5 }, {}],
    ["to what stands twice", { set: ["a"] }, { set: ["a", "a"] }],
  ])("%s", async (name, before, after) => {
    const id = `u-${name.replaceAll(" ", "-")}`.slice(0, 20).replace(/-$/, "");
    await server.send("POST", THINGS, thing(before, id));
    const stored = await plane.api.get<JsonObject>(`${THINGS}/${id}`);
    const sent = { ...thing(after, id), metadata: stored["metadata"] ?? {} };
    expect(updateObject(resource, stored, sent)).toEqual(await server.send("PUT", `${THINGS}/${id}`, sent));
  });
});

describe("what was wrong already may stay wrong", () => {
  const before: JsonObject = thing(
    { keyed: [{ id: 1, value: "abc" }, { id: 2 }], labels: { a: "b" }, plain: "long" },
    "old",
  );

  test("and nothing else may become so", async () => {
    await server.send("POST", THINGS, before);
    const stricter = JSON.parse(JSON.stringify(DEFINITION)) as JsonObject;
    const { properties } = (stricter as unknown as Loose).spec.versions[0].schema.openAPIV3Schema.properties.spec;
    properties.plain.maxLength = 2;
    properties.keyed.items.properties.value.maxLength = 2;
    properties.name.maxLength = 2;
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.${GROUP}`;
    const current = await plane.api.get<JsonObject>(path);
    await plane.api.replace(path, { ...stricter, metadata: current["metadata"] });
    const narrow = resourceOf(stricter);
    const stored = await plane.api.get<JsonObject>(`${THINGS}/old`);
    const change = (spec: JsonObject): JsonObject => ({
      ...stored,
      spec: { ...(stored["spec"] as JsonObject), ...spec },
    });
    await waitFor("the stricter schema", async () => (await trial(thing({}))).code === 422);
    for (const next of [
      change({ size: 4 }),
      change({ plain: "longer" }),
      change({ keyed: [{ id: 2 }, { id: 1, value: "abc" }] }),
      change({ keyed: [{ id: 3, value: "abc" }] }),
      change({ keyed: [{ id: 1, value: "abcd" }] }),
      change({ labels: { a: "bcde" } }),
    ]) {
      const theirs = await server.send("PUT", `${THINGS}/old?dryRun=All`, next);
      expect(updateObject(narrow, stored, next), JSON.stringify(next["spec"])).toEqual(theirs);
    }
  });
});

interface Limited {
  maxLength: number;
}

/** The part of the definition that is made stricter, to be changed in place. */
interface Loose {
  readonly spec: {
    readonly versions: readonly [
      {
        readonly schema: {
          readonly openAPIV3Schema: { readonly properties: { readonly spec: { readonly properties: LooseFields } } };
        };
      },
    ];
  };
}

interface LooseFields {
  readonly plain: Limited;
  readonly name: Limited;
  readonly keyed: { readonly items: { readonly properties: { readonly value: Limited } } };
}

test("every listed difference has a reason", () => {
  expect(listed.objects.filter(({ reason }) => reason === "")).toEqual([]);
});
