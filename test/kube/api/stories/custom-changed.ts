/** Definitions that change while objects of theirs are there: other fields, other defaults, another version in which they are stored. */
import { waitFor } from "../../wait.ts";
import { type Stage, story } from "../story.ts";
import { DEFINITIONS, define, groupOf, things } from "./custom.ts";

const text = { type: "string" };
type Fields = Readonly<Record<string, object>>;

const version = (name: string, fields: Fields, more: object = {}): object => ({
  name,
  served: true,
  storage: name === "v1",
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: { spec: { type: "object", properties: { size: text, ...fields } } },
    },
  },
  ...more,
});
const definition = (stage: Stage, ...versions: readonly object[]): object => ({
  metadata: { name: `things.${groupOf(stage)}` },
  spec: {
    group: groupOf(stage),
    scope: "Namespaced",
    names: { plural: "things", singular: "thing", kind: "Thing" },
    versions,
  },
});
const inVersion = (stage: Stage, name: string): string => things(stage).replace("/v1/", `/${name}/`);
const thing = (stage: Stage, name: string, spec: object, apiVersion = "v1"): object => ({
  apiVersion: `${groupOf(stage)}/${apiVersion}`,
  kind: "Thing",
  metadata: { name },
  spec,
});

/** Replaces the versions, and waits until a field is taken that no version had before. */
async function redefine(stage: Stage, field: string, ...versions: readonly object[]): Promise<void> {
  const path = `${DEFINITIONS}/things.${groupOf(stage)}`;
  const body = { spec: { versions } };
  await stage.tell(`defined anew, with ${field}`, { method: "PATCH", path, type: "merge", body });
  await waitFor(`${field} to be known`, async () => {
    const probe = thing(stage, "probe", { [field]: "x" });
    const query = "dryRun=All&fieldValidation=Strict";
    return (await stage.quietly({ method: "POST", path: `${things(stage)}?${query}`, body: probe })).status === 201;
  });
}

export const CUSTOM_CHANGED = [
  story("cr under a later definition", async (stage) => {
    const { tell } = stage;
    const path = things(stage);
    const patch = (title: string, body: object, query = "") =>
      tell(title, { method: "PATCH", path: `${path}/one${query}`, type: "merge", body });
    await define(stage, definition(stage, version("v1", { old: text })));
    await tell("create", { method: "POST", path, body: thing(stage, "one", { size: "1", old: "x" }) });
    await redefine(stage, "fresh", version("v1", { fresh: { ...text, default: "new" } }));
    await tell("read", { path: `${path}/one` });
    await tell("a list", { path });
    await tell("a table", { path, accept: "application/json;as=Table;v=v1;g=meta.k8s.io" });
    const { events } = await stage.server.watch(`${path}?watch=true&timeoutSeconds=2`, 1);
    stage.note("a watch", await events);
    await patch("a label", { metadata: { labels: { a: "b" } } });
    await patch("an unknown field, strictly", { spec: { odd: "x" } }, "?fieldValidation=Strict");
    await patch("an unknown field", { spec: { odd: "x" } }, "?fieldValidation=Warn");
    await patch("finalizers of any name", { metadata: { finalizers: ["b", "a.example.com", "example.com/c"] } });
    await patch("one more", { metadata: { finalizers: ["b", "a.example.com", "d"] } });
    await patch("none", { metadata: { finalizers: [] } });
    const finalizers = ["e"];
    await tell("a new one with a finalizer", {
      method: "POST",
      path,
      body: { ...thing(stage, "two", {}), metadata: { name: "two", finalizers } },
    });
  }),
  story("cr stored in another version", async (stage) => {
    const { tell } = stage;
    const [first, second] = [things(stage), inVersion(stage, "v2")];
    const more = { more: { ...text, default: "m" } };
    const storage = (on: boolean) => ({ storage: on });
    const everywhere = async (when: string) => {
      await tell(`${when}, as v1`, { path: first });
      await tell(`${when}, as v2`, { path: second });
    };
    await define(stage, definition(stage, version("v1", {}), version("v2", more)));
    await tell("by the one", { method: "POST", path: first, body: thing(stage, "one", { size: "1" }) });
    const other = thing(stage, "two", { size: "2", more: "z" }, "v2");
    await tell("by the other", { method: "POST", path: second, body: other });
    await everywhere("before");
    await redefine(stage, "mark", version("v1", { mark: text }, storage(false)), version("v2", more, storage(true)));
    await everywhere("after");
    await tell("written again", {
      method: "PATCH",
      path: `${first}/one`,
      type: "merge",
      body: { metadata: { labels: { a: "b" } } },
    });
    await tell("more of the other", {
      method: "POST",
      path: second,
      body: thing(stage, "three", { size: "3", more: "y" }, "v2"),
    });
    await everywhere("in the end");
    const path = `${DEFINITIONS}/things.${groupOf(stage)}`;
    const only = { spec: { versions: [version("v2", more, storage(true))] } };
    await tell("without the version of old", { method: "PATCH", path, type: "merge", body: only });
    const migrated = { status: { storedVersions: ["v2"] } };
    await tell("migrated", { method: "PATCH", path: `${path}/status`, type: "merge", body: migrated });
    await tell("then without it", { method: "PATCH", path, type: "merge", body: only });
  }),
];
