/** Definitions, sent to a real server and through the rules here: taken or refused, with the same words. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { waitFor } from "../wait.ts";
import { CASES, EDITS } from "./definitions.ts";
import { createDefinition, updateDefinition } from "./ours.ts";
import { openServer, type Server } from "./server.ts";
import { WORLD } from "./world.ts";

const PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

const { definitions: listed } = JSON.parse(readFileSync(new URL("differences.json", import.meta.url), "utf8")) as {
  readonly definitions: readonly { readonly name: string; readonly reason: string }[];
};

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

describe("a new definition with", () => {
  test.each(CASES)("$name", async ({ name, definition }) => {
    const theirs = await server.send("POST", `${PATH}?dryRun=All`, definition);
    const ours = createDefinition(definition);
    if (listed.some((each) => each.name === name)) expect(ours, "this is no difference any more").not.toEqual(theirs);
    else expect(ours).toEqual(theirs);
  });
});

describe("a definition as the world has them", () => {
  test.each(WORLD)("$name", async ({ definition }) => {
    const theirs = await server.send("POST", `${PATH}?dryRun=All`, definition);
    expect(theirs.causes).toEqual([]);
    expect(createDefinition(definition)).toEqual(theirs);
  });
});

describe("a definition that is established, changed to", () => {
  test.each(EDITS)("$name", async ({ before, change }) => {
    const name = (before["metadata"] as { name: string }).name;
    await server.send("POST", PATH, before);
    let stored: JsonObject = {};
    await waitFor(`${name} to be established`, async () => {
      stored = await plane.api.get(`${PATH}/${name}`);
      return JSON.stringify(stored).includes("InitialNamesAccepted");
    });
    const spec = { ...(stored["spec"] as JsonObject), ...change };
    const names = {
      ...(stored["spec"] as { names: JsonObject }).names,
      ...(change["names"] as JsonObject | undefined),
    };
    const sent = { ...stored, spec: { ...spec, names: { ...names, plural: name.split(".")[0] ?? "" } } };
    const theirs = await server.send("PUT", `${PATH}/${name}?dryRun=All`, sent);
    expect(updateDefinition(stored, sent)).toEqual(theirs);
  });
});

test("every listed difference has a reason", () => {
  expect(listed.filter(({ reason }) => reason === "")).toEqual([]);
});
