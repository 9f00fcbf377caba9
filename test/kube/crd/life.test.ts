/** Definitions from their first day to their last, on a real server, beside what is decided here. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { awaitsCleanup, finalize, holdDefinition } from "../../../src/cluster/api/crd/control/finalize.ts";
import { terminatingDefinitions } from "../../../src/cluster/api/crd/control/terminating.ts";
import { establish, resourcesOf } from "../../../src/cluster/api/crd/index.ts";
import { compareVersions } from "../../../src/cluster/api/crd/resource/version-order.ts";
import { groupDocument, resourceList } from "../../../src/cluster/api/discovery/discovery.ts";
import type { Json, JsonObject } from "../../../src/cluster/api/json.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { waitFor } from "../wait.ts";
import { definition, GROUP, versionOf } from "./definitions.ts";
import { createObject, resourceOf, stored } from "./ours.ts";
import { openServer, type Server } from "./server.ts";
import { WORLD } from "./world.ts";

const PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const NOW = "2026-01-01T00:00:00Z";

let plane: ControlPlane;
let server: Server;
beforeAll(async () => {
  plane = await startControlPlane({ controllers: [] });
  server = openServer(plane);
});
afterAll(async () => {
  await server?.close();
  await plane?.stop();
});

interface Status {
  readonly conditions?: readonly { readonly type: string; readonly reason: string }[] | null;
}

/** Without moments, which differ. */
function statusOf(object: JsonObject): Json {
  return JSON.parse(
    JSON.stringify(object["status"], (key, value: unknown) => (key === "lastTransitionTime" ? "" : value)),
  );
}

function reasonOf(object: JsonObject, type: string): string | undefined {
  return (object["status"] as Status | undefined)?.conditions?.find((each) => each.type === type)?.reason;
}

const nameOf = (object: JsonObject): string => (object["metadata"] as { name: string }).name;
const read = (name: string): Promise<JsonObject> => plane.api.get<JsonObject>(`${PATH}/${name}`);

async function settled(name: string, type: string, reason: string): Promise<JsonObject> {
  return waitFor(`${name} to be ${reason}`, async () => {
    const found = await read(name);
    return reasonOf(found, type) === reason ? found : undefined;
  });
}

async function established(sent: JsonObject): Promise<JsonObject> {
  const { causes } = await server.send("POST", PATH, sent);
  expect(causes).toEqual([]);
  return settled(nameOf(sent), "Established", "InitialNamesAccepted");
}

describe("a definition that is accepted", () => {
  test.each(WORLD)("$name has this status, and is told like this", async ({ definition: sent }) => {
    const real = await established(sent);
    const ours = establish(stored(sent), [], NOW);
    expect(statusOf(ours)).toEqual(statusOf(real));
    const kinds = resourcesOf(ours)
      .map(({ kind }) => kind)
      .toSorted((a, b) => compareVersions(a.version, b.version));
    for (const { group, version, plural } of kinds) {
      const theirs = await waitFor(`${plural} in ${version}`, async () => {
        const { object } = await server.send("GET", `/apis/${group}/${version}`);
        return (object as unknown as { resources?: readonly { name: string }[] } | null)?.resources?.some(
          ({ name }) => name === plural,
        ) === true
          ? (object as unknown as { resources: readonly { name: string }[] })
          : undefined;
      });
      const mine = resourceList(kinds, group, version) as { resources: readonly object[] };
      const theirsOfIt = theirs.resources.filter(({ name }) => name.split("/")[0] === plural);
      expect(mine.resources).toEqual(theirsOfIt);
    }
  });

  test("tells its versions in the order of preference", async () => {
    const names = ["v1alpha1", "v2", "foo", "v1beta1", "v10", "v1", "v2beta1"];
    const sent = definition({
      metadata: { name: "orders.order.example.com" },
      names: { plural: "orders", kind: "Order" },
      spec: {
        group: "order.example.com",
        versions: names.map((name, index) => versionOf(name, { storage: index === 0 })),
      },
    });
    await established(sent);
    const kinds = resourcesOf(establish(stored(sent), [], NOW))
      .map(({ kind }) => kind)
      .toSorted((a, b) => compareVersions(a.version, b.version));
    const theirs = await waitFor("all of its versions", async () => {
      const { object } = await server.send("GET", "/apis/order.example.com");
      const versions = (object as { versions?: readonly Json[] } | null)?.versions;
      return versions?.length === names.length ? versions : undefined;
    });
    expect((groupDocument(kinds, "order.example.com") as JsonObject)["versions"]).toEqual(theirs);
  });
});

describe("names that are taken", () => {
  test.each([
    ["a singular", { singular: "first" }, "SingularConflict"],
    ["short names", { shortNames: ["f1", "mine", "f2"] }, "ShortNamesConflict"],
    ["a kind", { kind: "First", listKind: "SecondList" }, "KindConflict"],
    ["a list kind", { listKind: "FirstList" }, "ListKindConflict"],
    ["a kind, its list and a singular", { kind: "First", singular: "firsts" }, "ListKindConflict"],
  ])("%s", async (_, names, reason) => {
    const first = definition({
      names: { plural: "firsts", kind: "First", singular: "first", shortNames: ["f1", "f2"] },
      metadata: { name: `firsts.${GROUP}` },
    });
    const second = definition({ names });
    const others = [await read(`firsts.${GROUP}`).catch(() => established(first))];
    await server.send("POST", PATH, second);
    const real = await settled(nameOf(second), "NamesAccepted", reason);
    expect(statusOf(establish(stored(second), others, NOW))).toEqual(statusOf(real));
  });

  test("are also its own, once it has them", async () => {
    const sent = definition({ names: { singular: "oneself" } });
    const before = await established(sent);
    const spec = before["spec"] as JsonObject;
    const change = {
      ...before,
      spec: { ...spec, names: { ...(spec["names"] as JsonObject), shortNames: ["oneself"] } },
    };
    await server.send("PUT", `${PATH}/${nameOf(sent)}`, change);
    const real = await settled(nameOf(sent), "NamesAccepted", "ShortNamesConflict");
    expect(statusOf(establish(change, [before], NOW))).toEqual(statusOf(real));
  });

  test("are given to who keeps the others that it has", async () => {
    const sent = definition({ names: { shortNames: ["mine1"] } });
    const before = await established(sent);
    const spec = before["spec"] as JsonObject;
    const change = {
      ...before,
      spec: { ...spec, names: { ...(spec["names"] as JsonObject), shortNames: ["f1", "mine1"] } },
    };
    await server.send("PUT", `${PATH}/${nameOf(sent)}`, change);
    const real = await settled(nameOf(sent), "NamesAccepted", "ShortNamesConflict");
    const others = [await read(`firsts.${GROUP}`)];
    const ours = establish(change, others, NOW);
    expect(statusOf(ours)).toEqual(statusOf(real));
  });
});

describe("the end", () => {
  test("of a definition that has the name of a built-in kind leaves that kind alone", async () => {
    const sent = definition({
      names: { plural: "storageclasses", kind: "StorageClass" },
      metadata: {
        name: "storageclasses.storage.k8s.io",
        annotations: { "api-approved.kubernetes.io": "unapproved, for a test" },
      },
      spec: { group: "storage.k8s.io", scope: "Cluster" },
    });
    const classes = "/apis/storage.k8s.io/v1/storageclasses";
    const storageClass = { metadata: { name: "fast" }, provisioner: "example.com/none" };
    await server.send("POST", classes, storageClass);
    await established(sent);
    expect(resourcesOf(establish(stored(sent), [], NOW))).toEqual([]);
    await server.send("DELETE", `${PATH}/${nameOf(sent)}`);
    await waitFor("it to be gone", async () => (await server.send("GET", `${PATH}/${nameOf(sent)}`)).code === 404);
    expect((await server.send("GET", `${classes}/fast`)).code).toBe(200);
  });

  test("waits for objects that somebody holds, takes no new ones, and comes when they are gone", async () => {
    const sent = definition({ names: { plural: "ends", kind: "End" }, metadata: { name: `ends.${GROUP}` } });
    await established(sent);
    const objects = `/apis/${GROUP}/v1/namespaces/default/ends`;
    const end = (name: string, more: JsonObject = {}): JsonObject => ({
      apiVersion: `${GROUP}/v1`,
      kind: "End",
      metadata: { name, ...more },
    });
    await waitFor("ends to be served", async () => (await server.send("GET", objects)).code === 200);
    await server.send("POST", objects, end("held", { finalizers: ["example.com/hold"] }));
    await server.send("POST", objects, end("free"));

    await server.send("DELETE", `${PATH}/${nameOf(sent)}`);
    const real = await settled(nameOf(sent), "Terminating", "InstanceDeletionInProgress");
    const marked = {
      ...establish(stored(sent), [], NOW),
      metadata: { ...(real["metadata"] as JsonObject), finalizers: [] },
    };
    const held = holdDefinition(marked);
    expect(awaitsCleanup(held)).toBe(true);
    expect(statusOf(finalize(held, 1, NOW))).toEqual(statusOf(real));
    expect((held["metadata"] as JsonObject)["finalizers"]).toEqual((real["metadata"] as JsonObject)["finalizers"]);

    const refused = await waitFor("creation to be refused", async () => {
      const answer = await server.send("POST", objects, end("late"));
      return answer.code === 403 ? answer : undefined;
    });
    const [resource] = resourcesOf(finalize(held, 1, NOW));
    const attempt = () =>
      terminatingDefinitions.mutate?.({
        operation: "CREATE",
        resource: resource!,
        subresource: undefined,
        namespace: "default",
        name: "late",
        object: end("late"),
        old: undefined,
        options: {},
        user: { name: "admin", groups: [] },
        dryRun: false,
        warn: () => undefined,
      });
    expect(attempt).toThrow(expect.objectContaining({ code: 403, reason: refused.reason, message: refused.message }));

    await plane.api.patch(`${objects}/held`, { metadata: { finalizers: null } });
    await waitFor(
      "the definition to be gone",
      async () => (await server.send("GET", `${PATH}/${nameOf(sent)}`)).code === 404,
    );
  });

  test("of an object is told as a status", async () => {
    const sent = definition({});
    const real = await established(sent);
    const { plural, kind } = (real["spec"] as { names: { plural: string; kind: string } }).names;
    const objects = `/apis/${GROUP}/v1/namespaces/default/${plural}`;
    const object = { apiVersion: `${GROUP}/v1`, kind, metadata: { name: "a" } };
    await waitFor(`${plural} to be served`, async () => (await server.send("POST", objects, object)).code === 201);
    const { object: told } = await server.send("DELETE", `${objects}/a`);
    expect((told as JsonObject)["kind"]).toBe("Status");
    expect(resourceOf(sent).kind.deleteAnswers).toBe("status");
    expect(createObject(resourceOf(sent), object).code).toBe(201);
  });
});
