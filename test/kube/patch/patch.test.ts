/**
 * The same patches sent to the real kube-apiserver and worked out by our rules, on the same objects: the results must be
 * equal, managedFields included, and so must the refusals. What differs on purpose is in differences.json, with a reason.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isList, isObject, type Json, type JsonObject } from "../../../src/cluster/api/json.ts";
import { applyConfiguration, trackUpdate } from "../../../src/cluster/api/patch/ownership/index.ts";
import { managedFieldsOf, withoutManaged } from "../../../src/cluster/api/patch/ownership/managed-fields.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { defineKind } from "../custom-kinds.ts";
import { waitFor } from "../wait.ts";
import differences from "./differences.json" with { type: "json" };
import { KINDS, type Kind, metadataPart } from "./objects.ts";
import { patchByOurRules, requestBy } from "./ours.ts";
import { type PatchCase, randomPatch } from "./patches.ts";
import { type Random, randomFrom } from "./random.ts";
import { type Answer, openServer, type Server } from "./server.ts";

const SEED = 20_261_115;
const OBJECTS = 30;
const STEPS = 8;

let plane: ControlPlane;
let server: Server;

beforeAll(async () => {
  plane = await startControlPlane({ controllers: [] });
  server = openServer(plane);
  await defineWidgets();
  await waitFor("the namespace", () => isThere("/api/v1/namespaces/default"));
});
afterAll(async () => {
  await server?.close();
  await plane?.stop();
});

const isThere = async (path: string) => (await server.send("GET", path, "application/json")).kind === "taken";

async function defineWidgets(): Promise<void> {
  const schema = KINDS.find(({ custom }) => custom !== undefined)?.custom ?? {};
  const version = {
    name: "v1",
    served: true,
    storage: true,
    subresources: { status: {} },
    schema: { openAPIV3Schema: schema },
  };
  const names = { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" };
  const spec = { group: "example.com", scope: "Namespaced", names, versions: [version] };
  await defineKind(plane.api, { metadata: { name: "widgets.example.com" }, spec });
}

describe.each(KINDS.map((kind) => [kind.kind, kind] as const))("%s", (_, kind) => {
  test(`${OBJECTS * STEPS} patches end alike`, async () => {
    const found = new Map<string, string>();
    const counts = { taken: 0, refused: 0 };
    for (let index = 0; index < OBJECTS; index++) {
      const random = randomFrom(SEED + index);
      let live = await createObject(kind, index);
      for (let step = 0; step < STEPS; step++) {
        const patch = randomPatch(random, kind, live);
        const ours = await patchByOurRules(live, kind, patch, (object) => decode(kind, live, object, patch));
        const theirs = await send(kind, live, patch);
        const label = `${kind.kind} ${index}.${step}`;
        const difference = compare(ours, theirs);
        if (difference !== undefined) found.set(label, `${difference}\n${JSON.stringify(patch)}`);
        counts[theirs.kind]++;
        if (theirs.kind === "taken") live = theirs.object;
      }
    }
    expect(counts.taken).toBeGreaterThan(OBJECTS * STEPS * 0.3);
    expect(counts.refused).toBeGreaterThan(0);
    const known = differences.map(({ case: label }) => label).filter((label) => label.startsWith(`${kind.kind} `));
    for (const label of known) expect([...found.keys()], "a difference that is no more").toContain(label);
    expect([...found].filter(([label]) => !known.includes(label))).toEqual([]);
  });
});

describe.each(KINDS.map((kind) => [kind.kind, kind] as const))("%s that is not there", (_, kind) => {
  test("is created by an apply, with the same owners", async () => {
    const random = randomFrom(SEED);
    for (let index = 0; index < OBJECTS; index++) {
      const config = wholeObject(random, kind, `applied-${index}`);
      const theirs = await server.send(
        "PATCH",
        `${kind.path}/applied-${index}?fieldManager=alice`,
        "application/apply-patch+yaml",
        config,
      );
      if (theirs.kind === "refused") continue;
      const ours = managedFieldsOf(applyConfiguration(undefined, config, false, requestBy("alice", kind)));
      expect(sorted(ours ?? null, "managedFields")).toEqual(
        sorted(managedFieldsOf(theirs.object) ?? null, "managedFields"),
      );
    }
    expect.hasAssertions();
  });
});

describe("from client-side to server-side apply", () => {
  const kind = KINDS.find((each) => each.kind === "ConfigMap")!;
  const configOf = (name: string, data: JsonObject): JsonObject => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    data,
    metadata: { name, namespace: "default" },
  });
  const apply = (manager: string, body: JsonObject): PatchCase => ({
    type: "apply",
    subresource: "",
    manager,
    force: false,
    body,
  });

  test.each([
    ["kubectl takes over what it wrote", "kubectl", false],
    ["another applier does not", "argo", false],
    ["nobody takes over what was changed since", "kubectl", true],
  ])("%s", async (title, manager, changed) => {
    const name = title.replaceAll(" ", "-");
    const config = configOf(name, { a: "1", b: "1" });
    const annotations = { "kubectl.kubernetes.io/last-applied-configuration": `${JSON.stringify(config)}\n` };
    const object = { ...config, metadata: { name, annotations } };
    const created = await server.send(
      "POST",
      `${kind.path}?fieldManager=kubectl-client-side-apply`,
      "application/json",
      object,
    );
    if (created.kind === "refused") throw new Error(created.message);
    const edit: PatchCase = { ...apply("editor", { data: { a: "9" } }), type: "merge" };
    const edited = changed ? await send(kind, created.object, edit) : created;
    if (edited.kind === "refused") throw new Error(edited.message);

    const patch = apply(manager, configOf(name, { a: "2", b: "2" }));
    const live = edited.object;
    const ours = await patchByOurRules(live, kind, patch, (next) => decode(kind, live, next, patch));
    expect(comparable(ours)).toBe(comparable(await send(kind, live, patch)));
    expect(ours.kind).toBe(manager === "kubectl" && !changed ? "taken" : "refused");
  });
});

/** Kinds to which the server adds nothing after it has told who owns what. */
const PLAIN = KINDS.filter(({ kind }) => ["Widget", "StatefulSet", "ConfigMap"].includes(kind));

test.each(PLAIN.map((kind) => [kind.kind, kind] as const))("a new %s is owned alike", async (_, kind) => {
  const random = randomFrom(SEED);
  for (let index = 0; index < OBJECTS; index++) {
    const object = wholeObject(random, kind, `posted-${index}`);
    const theirs = await server.send("POST", `${kind.path}?fieldManager=alice`, "application/json", object);
    if (theirs.kind === "refused") continue;
    const ours = trackUpdate(undefined, withoutManaged(theirs.object), requestBy("alice", kind));
    expect(sorted(ours)).toEqual(sorted(theirs.object));
  }
  expect.hasAssertions();
});

function wholeObject(random: Random, kind: Kind, name: string): JsonObject {
  const spec = { ...(kind.base["spec"] as JsonObject | undefined), ...kind.part(random) };
  const metadata = { ...metadataPart(random), name, namespace: "default" };
  return { apiVersion: kind.apiVersion, kind: kind.kind, ...(kind.kind === "ConfigMap" ? spec : { spec }), metadata };
}

async function createObject(kind: Kind, index: number): Promise<JsonObject> {
  const object = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name: `x-${index}` }, ...kind.base };
  const answer = await server.send("POST", `${kind.path}?fieldManager=creator`, "application/json", object);
  if (answer.kind === "refused") throw new Error(answer.message);
  return answer.object;
}

const nameOf = (object: JsonObject) => (object["metadata"] as { readonly name: string } & JsonObject).name;

function endpoint(kind: Kind, live: JsonObject, { subresource }: PatchCase): string {
  return `${kind.path}/${nameOf(live)}${subresource === "" ? "" : `/${subresource}`}`;
}

function send(kind: Kind, live: JsonObject, patch: PatchCase): Promise<Answer> {
  const force = patch.type === "apply" ? `&force=${patch.force}` : "";
  const path = `${endpoint(kind, live, patch)}?fieldManager=${patch.manager}${force}`;
  const format = patch.type === "apply" ? "yaml" : "json";
  return server.send("PATCH", path, `application/${patch.type}-patch+${format}`, patch.body);
}

function decode(kind: Kind, live: JsonObject, object: JsonObject, patch: PatchCase): Promise<Answer> {
  return server.send("PUT", `${endpoint(kind, live, patch)}?dryRun=All`, "application/json", object);
}

/** Undefined when both mean the same. Times, versions and the words of the decoder apart. */
function compare(ours: Answer, theirs: Answer): string | undefined {
  const [left, right] = [comparable(ours), comparable(theirs)];
  return left === right ? undefined : `\nours:   ${left}\ntheirs: ${right}`;
}

function comparable(answer: Answer): string {
  if (answer.kind === "taken") return JSON.stringify(sorted(answer.object));
  const { code, reason, message } = answer;
  return DECODER.test(message) ? "undecodable" : JSON.stringify({ code, reason, message });
}

/** Whether an object can be decoded is no question of patches; the decoder says it in other words after a patch. */
const DECODER = / cannot be handled as a |^ "" is invalid: patch: /;

/** managedFields in an order that does not depend on the second in which they were written. */
function sorted(value: Json, key = ""): Json {
  if (isList(value)) {
    const items = value.map((item) => sorted(item));
    if (key !== "managedFields") return items;
    return items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value)
    .filter(([name]) => !["time", "resourceVersion", "generation"].includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner, name)] as const));
}
