/** The same policies, bindings and requests to a real kube-apiserver and to ours: the same answers, to the letter. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { ApiRefusal } from "../api.ts";
import { type Server, startOurs, startTheirs } from "../clients/server.ts";
import { expectKnown, readDifferences } from "../known-differences.ts";
import { waitFor } from "../wait.ts";
import { type Line, type Outcome, openLine } from "./ask.ts";
import { MUTATING } from "./mutating-scenes.ts";
import { created, map, mutating, patch, pathOf, type Scene, validating } from "./scene.ts";
import { VALIDATING } from "./validating-scenes.ts";

const SCENES = [...VALIDATING, ...MUTATING];
const known = readDifferences(import.meta.dirname);
const servers: Server[] = [];
const lines: Line[] = [];

/** Made behind all others: a server that acts on it has seen them. */
const PROBES: readonly Scene[] = [
  { name: "zz-judges", policies: validating("zz-judges", {}), asks: [created("zz-judges", map("m"), "?dryRun=All")] },
  {
    name: "zz-changes",
    policies: mutating("zz-changes", { mutations: [patch("[JSONPatch{op: 'add', path: '/no/way', value: 1}]")] }),
    asks: [created("zz-changes", map("m"), "?dryRun=All")],
  },
];

beforeAll(async () => {
  servers.push(await startTheirs(), await startOurs());
  lines.push(...servers.map(openLine));
  await Promise.all(servers.map(furnish));
  for (const line of lines) {
    for (const { name, asks } of PROBES) {
      const [ask] = asks;
      if (ask !== undefined) await waitFor(`the policy ${name}`, async () => (await line.ask(ask)).code >= 400);
    }
  }
});
afterAll(async () => {
  await Promise.all(lines.map((line) => line.close()));
  await Promise.all(servers.map((server) => server.stop()));
});

async function furnish({ api, name: server }: Server): Promise<void> {
  const all = [...SCENES, ...PROBES];
  for (const { name, before = [] } of all) {
    await api.create("/api/v1/namespaces", { metadata: { name, labels: { scene: name } } });
    for (const object of before) await api.create(pathOf(object, name), object);
  }
  const policies = all.flatMap((scene) => scene.policies);
  const isBinding = ({ kind }: JsonObject): boolean => typeof kind === "string" && kind.endsWith("Binding");
  for (const object of [...policies.filter((each) => !isBinding(each)), ...policies.filter(isBinding)]) {
    const refused = await api.create(pathOf(object, ""), object).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (refused instanceof ApiRefusal) refusals.push(`${server}: ${refused.message}`);
    else if (refused !== undefined) throw refused;
  }
}

const refusals: string[] = [];
test("all of them are taken", () => expect(refusals).toEqual([]));

function shown({ code, refusal, warnings, object }: Outcome): string {
  return [`${code}`, ...warnings, refusal === undefined ? JSON.stringify(object) : JSON.stringify(refusal)].join("\n");
}

describe.each([
  ["judges", VALIDATING],
  ["changes", MUTATING],
] as const)("a policy that %s", (_, scenes) => {
  test.each(scenes)("$name", async ({ name, asks }) => {
    const found: string[] = [];
    for (const ask of asks) {
      const [theirs, ours] = await Promise.all(lines.map((line) => line.ask(ask)));
      if (theirs === undefined || ours === undefined) throw new Error("two servers were asked");
      const differences = isSame(ours, theirs) ? [] : [`theirs: ${shown(theirs)}\nours: ${shown(ours)}`];
      found.push(...differences);
    }
    expectKnown(known, name, found);
  });
});

function isSame(ours: Outcome, theirs: Outcome): boolean {
  try {
    expect(ours).toEqual(theirs);
    return true;
  } catch {
    return false;
  }
}
