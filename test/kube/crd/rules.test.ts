/** Objects that keep or break rules in CEL, sent to a real server and through the rules here: the same words, in the same form. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Resource } from "../../../src/cluster/api/catalog/resource.ts";
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { waitFor } from "../wait.ts";
import { definition, GROUP } from "./definitions.ts";
import { createObject, resourceOf, updateObject } from "./ours.ts";
import { openServer, type Server } from "./server.ts";

const rules = (...texts: (string | JsonObject)[]) =>
  texts.map((each) => (typeof each === "string" ? { rule: each } : each));

const DEFINITION = definition({
  names: { plural: "ruleds", kind: "Ruled" },
  metadata: { name: `ruleds.${GROUP}` },
  schema: {
    type: "object",
    properties: {
      spec: {
        type: "object",
        required: ["size"],
        properties: {
          size: { type: "string", maxLength: 10, "x-kubernetes-validations": rules("isQuantity(self)") },
          min: { type: "integer", maximum: 100 },
          max: {
            type: "integer",
            "x-kubernetes-validations": rules({ rule: "self >= oldSelf", message: "must not shrink" }),
          },
          mode: { type: "string", enum: ["A", "B"] },
          port: { "x-kubernetes-int-or-string": true },
          tags: {
            type: "array",
            maxItems: 5,
            items: { type: "string", maxLength: 8, "x-kubernetes-validations": rules("self != 'x'") },
          },
          items: {
            type: "array",
            maxItems: 5,
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
            items: {
              type: "object",
              required: ["name"],
              properties: { name: { type: "string" }, size: { type: "integer" } },
              "x-kubernetes-validations": rules({ rule: "!has(oldSelf.size) || has(self.size)", message: "stays" }),
            },
          },
        },
        "x-kubernetes-validations": rules(
          "!has(self.min) || !has(self.max) || self.min <= self.max",
          {
            rule: "!has(self.mode) || self.mode != 'B'",
            message: "no B",
            reason: "FieldValueForbidden",
            fieldPath: ".mode",
          },
          {
            rule: "!has(self.tags) || self.tags.size() < 3",
            messageExpression: "'too many: ' + self.tags.join(', ')",
          },
          "!has(self.port) || self.port > 0",
        ),
      },
    },
    "x-kubernetes-validations": rules("self.metadata.name.startsWith('r')"),
  },
});
const PATH = `/apis/${GROUP}/v1/namespaces/default/ruleds`;
const ruled = (spec: JsonObject, name = "r"): JsonObject => ({
  apiVersion: `${GROUP}/v1`,
  kind: "Ruled",
  metadata: { name },
  spec: { size: "1Gi", ...spec },
});

let plane: ControlPlane;
let server: Server;
let resource: Resource;
beforeAll(async () => {
  plane = await startControlPlane({ controllers: [] });
  server = openServer(plane);
  const answer = await server.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION);
  expect(answer.causes).toEqual([]);
  await waitFor("them to be served", async () => (await server.send("GET", PATH)).code === 200);
  resource = resourceOf(DEFINITION);
});
afterAll(async () => {
  await server?.close();
  await plane?.stop();
});

describe("a new object", () => {
  test.each<[string, JsonObject, string?]>([
    ["that keeps all rules", { min: 1, max: 2, mode: "A", port: 80, tags: ["a"], items: [{ name: "a" }] }],
    ["of no size", { size: "big" }],
    ["upside down", { min: 3, max: 2 }],
    ["of a mode that is not wanted", { mode: "B" }],
    ["with too many tags", { tags: ["a", "b", "c"] }],
    ["with a tag that is not wanted", { tags: ["x"] }],
    ["with a port that is no number", { port: "http" }],
    ["with a name that is not wanted", {}, "a"],
    ["that breaks several rules", { size: "x", min: 3, max: 2, tags: ["x"] }],
    ["that is wrong in itself, which stops at that", { min: 3, max: 2, mode: "C" }],
    ["of a wrong type, which stops at that", { min: "a", max: 2, mode: "B" }],
    ["with a number out of bounds, which does not", { min: 101, max: 2 }],
  ])("%s", async (_, spec, name) => {
    const object = ruled(spec, name);
    const theirs = await server.send("POST", `${PATH}?dryRun=All`, object);
    expect(createObject(resource, object)).toEqual(theirs);
  });
});

describe("an update", () => {
  test.each<[string, JsonObject, JsonObject]>([
    ["that grows", { max: 1 }, { max: 2 }],
    ["that shrinks", { max: 2 }, { max: 1 }],
    ["of what was not there", {}, { max: 1 }],
    ["of an item, wherever it stands", { items: [{ name: "a", size: 1 }] }, { items: [{ name: "b" }, { name: "a" }] }],
    ["of an item that is fine", { items: [{ name: "a" }] }, { items: [{ name: "a", size: 1 }] }],
  ])("%s", async (name, before, after) => {
    const id = `r-${name.replaceAll(/[^a-z]+/g, "-")}`;
    await server.send("POST", PATH, ruled(before, id));
    const stored = await plane.api.get<JsonObject>(`${PATH}/${id}`);
    const sent = { ...ruled(after, id), metadata: stored["metadata"] ?? {} };
    expect(updateObject(resource, stored, sent)).toEqual(await server.send("PUT", `${PATH}/${id}`, sent));
  });
});
