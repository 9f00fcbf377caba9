/** CustomResourceDefinitions, and the objects that they bring. */
import { waitFor } from "../../wait.ts";
import { type Stage, story } from "../story.ts";
import { isEstablished } from "./least.ts";

export const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const SCHEMA = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      required: ["size"],
      properties: {
        size: { type: "integer", minimum: 1, maximum: 10 },
        color: { type: "string", enum: ["red", "blue"], default: "red" },
        replicas: { type: "integer" },
        items: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
          items: {
            type: "object",
            required: ["name"],
            properties: { name: { type: "string" }, n: { type: "integer" } },
          },
        },
      },
    },
    status: {
      type: "object",
      properties: { replicas: { type: "integer" }, selector: { type: "string" }, phase: { type: "string" } },
    },
  },
};

const OTHER = { ...SCHEMA, description: "told otherwise" };

/** Each story has a group of its own: stories share a server. */
export const groupOf = ({ ns }: Stage): string => `${ns}.example.com`;
const definition = (stage: Stage, version: object = {}, spec: object = {}): object => ({
  metadata: { name: `things.${groupOf(stage)}` },
  spec: {
    group: groupOf(stage),
    scope: "Namespaced",
    names: { plural: "things", singular: "thing", kind: "Thing", shortNames: ["th"] },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: SCHEMA }, ...version }],
    ...spec,
  },
});
export const things = (stage: Stage): string => `/apis/${groupOf(stage)}/v1/namespaces/${stage.ns}/things`;
const thing = (stage: Stage, name: string, spec: object = { size: 1 }): object => ({
  apiVersion: `${groupOf(stage)}/v1`,
  kind: "Thing",
  metadata: { name },
  spec,
});

/** Creates the definition, and waits until it says that it is established, and its objects are served. */
export async function define(stage: Stage, body: object): Promise<void> {
  const { status, body: answer } = await stage.quietly({ method: "POST", path: DEFINITIONS, body });
  if (status !== 201) throw new Error(JSON.stringify(answer));
  const path = `${DEFINITIONS}/things.${groupOf(stage)}`;
  await waitFor("the definition to be established", async () => isEstablished((await stage.quietly({ path })).body));
  await waitFor("the objects to be served", async () => (await stage.quietly({ path: things(stage) })).status === 200);
  // Told of apart from being served, and a while later.
  const group = `/apis/${groupOf(stage)}/v1`;
  await waitFor("the kind to be told of", async () => (await stage.quietly({ path: group })).status === 200);
}

const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

export const CUSTOM = [
  story("cr plain", async (stage) => {
    const { tell } = stage;
    const path = things(stage);
    await define(stage, definition(stage));
    await tell("create", { method: "POST", path, body: thing(stage, "one") });
    await tell("pruned", { method: "POST", path, body: thing(stage, "two", { size: 2, surprise: true }) });
    await tell("strictly", {
      method: "POST",
      path: `${path}?fieldValidation=Strict`,
      body: thing(stage, "three", { size: 2, surprise: true }),
    });
    await tell("too large", { method: "POST", path, body: thing(stage, "four", { size: 11 }) });
    await tell("no size", { method: "POST", path, body: thing(stage, "four", {}) });
    await tell("of another type", { method: "POST", path, body: thing(stage, "four", { size: "1" }) });
    await tell("no color", { method: "POST", path, body: thing(stage, "four", { size: 1, color: "green" }) });
    await tell("twice", { method: "POST", path, body: thing(stage, "one") });
    await tell("a list", { path });
    await tell("a table", { path, accept: TABLE });
    await tell("merge", { method: "PATCH", path: `${path}/one`, type: "merge", body: { spec: { size: 3 } } });
    await tell("json", {
      method: "PATCH",
      path: `${path}/one`,
      type: "json",
      body: [{ op: "replace", path: "/spec/size", value: 4 }],
    });
    await tell("strategic", { method: "PATCH", path: `${path}/one`, type: "strategic", body: { spec: { size: 3 } } });
    await tell("with a status", {
      method: "PATCH",
      path: `${path}/one`,
      type: "merge",
      body: { status: { phase: "x" } },
    });
    await tell("a status of its own", { path: `${path}/one/status` });
    await tell("put, without a version", { method: "PUT", path: `${path}/one`, body: thing(stage, "one") });
    await tell("by field", { path: `${path}?fieldSelector=spec.color%3Dred` });
    await tell("by name", { path: `${path}?fieldSelector=metadata.name%3Done` });
    await tell("delete", { method: "DELETE", path: `${path}/one` });
    await tell("all", { method: "DELETE", path });
  }),
  story("cr apply", async (stage) => {
    const { tell } = stage;
    await define(stage, definition(stage));
    const apply = (manager: string, spec: object, more = "") =>
      ({
        method: "PATCH",
        path: `${things(stage)}/one?fieldManager=${manager}${more}`,
        type: "apply",
        body: thing(stage, "one", spec),
      }) as const;
    await tell("create", apply("one", { size: 1, items: [{ name: "a", n: 1 }] }));
    await tell("another item", apply("two", { size: 1, items: [{ name: "b", n: 2 }] }));
    await tell("a conflict", apply("two", { size: 2 }));
    await tell("by force", apply("two", { size: 2 }, "&force=true"));
    await tell("twice the same item", apply("one", { size: 2, items: [{ name: "a" }, { name: "a" }] }));
    await tell("too large", apply("two", { size: 20 }, "&force=true"));
  }),
  story("cr subresources", async (stage) => {
    const { tell } = stage;
    const path = things(stage);
    const scale = {
      specReplicasPath: ".spec.replicas",
      statusReplicasPath: ".status.replicas",
      labelSelectorPath: ".status.selector",
    };
    await define(stage, definition(stage, { subresources: { status: {}, scale } }));
    const body = { ...thing(stage, "one", { size: 1, replicas: 2 }), status: { phase: "sent" } };
    await tell("create", { method: "POST", path, body });
    await tell("status", {
      method: "PATCH",
      path: `${path}/one/status`,
      type: "merge",
      body: { spec: { size: 5 }, status: { replicas: 2, selector: "a=b", phase: "Ready" } },
    });
    await tell("status, wrong", {
      method: "PATCH",
      path: `${path}/one/status`,
      type: "merge",
      body: { status: { replicas: "two" } },
    });
    await tell("a status with the object", {
      method: "PATCH",
      path: `${path}/one`,
      type: "merge",
      body: { spec: { size: 6 }, status: { phase: "no" } },
    });
    await tell("scale", { path: `${path}/one/scale` });
    await tell("scale up", {
      method: "PATCH",
      path: `${path}/one/scale`,
      type: "merge",
      body: { spec: { replicas: 5 } },
    });
    await tell("scale below nothing", {
      method: "PATCH",
      path: `${path}/one/scale`,
      type: "merge",
      body: { spec: { replicas: -1 } },
    });
    await tell("the object", { path: `${path}/one` });
  }),
  story("cr versions", async (stage) => {
    const { tell } = stage;
    const versions = [
      { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: SCHEMA } },
      { name: "v2", served: true, storage: false, schema: { openAPIV3Schema: OTHER }, deprecated: true },
      { name: "v3", served: false, storage: false, schema: { openAPIV3Schema: SCHEMA } },
    ];
    const columns = [
      { name: "Size", type: "integer", jsonPath: ".spec.size" },
      { name: "Color", type: "string", jsonPath: ".spec.color", priority: 1 },
    ];
    const [first, ...others] = versions;
    await define(
      stage,
      definition(
        stage,
        {},
        {
          versions: [
            { ...first, additionalPrinterColumns: columns, selectableFields: [{ jsonPath: ".spec.color" }] },
            ...others,
          ],
        },
      ),
    );
    await stage.quietly({ method: "POST", path: things(stage), body: thing(stage, "one") });
    const inVersion = (version: string): string => things(stage).replace("/v1/", `/${version}/`);
    await tell("another version", { path: `${inVersion("v2")}/one` });
    await tell("a list of another version", { path: inVersion("v2") });
    await tell("not served", { path: `${inVersion("v3")}/one` });
    await tell("written in another", {
      method: "PATCH",
      path: `${inVersion("v2")}/one`,
      type: "merge",
      body: { spec: { size: 7 } },
    });
    await tell("a table", { path: things(stage), accept: TABLE });
    await tell("by color", { path: `${things(stage)}?fieldSelector=spec.color%3Dred` });
    await tell("by size", { path: `${things(stage)}?fieldSelector=spec.size%3D1` });
    await tell("the definition, by put", {
      method: "PUT",
      path: `${DEFINITIONS}/things.${groupOf(stage)}`,
      body: definition(stage),
    });
  }),
  story("cr definitions that cannot be", async (stage) => {
    const { tell } = stage;
    const post = (title: string, body: object) => tell(title, { method: "POST", path: DEFINITIONS, body });
    await post("without a word", { metadata: { name: "x" } });
    await post("another name", { ...definition(stage), metadata: { name: "other.example.com" } });
    await post("no versions", definition(stage, {}, { versions: [] }));
    await post("no schema", definition(stage, { schema: undefined }));
    await post("no type", definition(stage, { schema: { openAPIV3Schema: { properties: { a: {} } } } }));
    await post("not stored", definition(stage, { storage: false }));
  }),
  story("cr in the whole cluster", async (stage) => {
    const { tell } = stage;
    const path = `/apis/${groupOf(stage)}/v1/things`;
    await stage.quietly({ method: "POST", path: DEFINITIONS, body: definition(stage, {}, { scope: "Cluster" }) });
    await waitFor("the objects to be served", async () => (await stage.quietly({ path })).status === 200);
    await tell("create", { method: "POST", path, body: thing(stage, "one") });
    await tell("in a namespace", { path: things(stage) });
    await tell("finalizers", {
      method: "PATCH",
      path: `${path}/one`,
      type: "merge",
      body: { metadata: { finalizers: ["example.com/hold"] } },
    });
    await tell("delete", { method: "DELETE", path: `${path}/one` });
    await tell("let go", {
      method: "PATCH",
      path: `${path}/one`,
      type: "merge",
      body: { metadata: { finalizers: null } },
    });
    await tell("gone", { path: `${path}/one` });
  }),
];
