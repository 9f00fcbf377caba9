/** The same edits on the embedded cluster, which asks the rules themselves. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EXPANSION_SOURCE_DEFINITION } from "../../../src/source/install/definition.ts";
import { type Server, startOurs } from "../clients/server.ts";
import { defineKind } from "../custom-kinds.ts";
import { CASES } from "./cases.ts";
import { aResource, DATABASE, GROUP, KINDS, template } from "./kinds.ts";
import { edit, furnish, nameOf, pathOf, refusalOf } from "./scene.ts";

const SOURCES = "/apis/outgrow.dev/v1alpha1/expansionsources";

let server: Server;

beforeAll(async () => {
  server = await startOurs();
  await furnish(server);
  await defineKind(server.api, EXPANSION_SOURCE_DEFINITION);
  for (const { source } of KINDS) await server.api.create(SOURCES, sourceObject(source));
});
afterAll(() => server?.stop());

function sourceObject(source: object): object {
  return { apiVersion: "outgrow.dev/v1alpha1", kind: "ExpansionSource", ...source };
}

describe("an edit is refused by the rules, and no other is", () => {
  test.each(CASES.map((each, index) => [each.name, each, nameOf(index)] as const))("%s", async (_, each, name) => {
    const answer = await edit(server, each, name);
    const { kind, refused } = each;
    expect(answer).toEqual(refused === undefined ? undefined : expect.stringContaining(refused));
    if (refused !== undefined) expect(answer).toMatch(`${kind.plural}.${GROUP} "${name}" is forbidden: `);
  });

  test("status is never in question, nor a kind that no source names", async () => {
    const path = pathOf(DATABASE, "kept");
    const spec = { volumeClaimTemplates: [template("10Gi")] };
    await server.api.create(pathOf(DATABASE), aResource(DATABASE, "kept", spec));
    expect(await refusalOf(server.api.patch(`${path}/status`, { status: { ready: 1 } }))).toBeUndefined();
    const lower = { spec: { volumeClaimTemplates: [template("1Gi")] } };
    expect(await refusalOf(server.api.patch(path, lower))).toMatch("storage can only grow");
    await server.api.delete(`${SOURCES}/database`);
    expect(await refusalOf(server.api.patch(path, lower))).toBeUndefined();
    await server.api.create(SOURCES, sourceObject(DATABASE.source));
  });
});

test("a source with a path that is none is refused, with the place", async () => {
  const { spec } = DATABASE.source;
  const bad = { metadata: { name: "bad" }, spec: { ...spec, claimTemplatesPath: ".spec..templates" } };
  expect(await refusalOf(server.api.create(SOURCES, sourceObject(bad)))).toMatch(
    /^ExpansionSource\.outgrow\.dev "bad" is invalid: spec\.claimTemplatesPath: Invalid value: ".*is no path from "\.\.templates" on; /,
  );
});
