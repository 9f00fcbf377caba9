/** Names that the server finds: one that is taken is no reason to refuse, and who is refused is told why. */
import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import type { KubeObject } from "../../../core/types.ts";
import { defineResource, type KubeClient } from "../../../kube/index.ts";
import { failure } from "../../../kube/testing/failure.ts";
import { clientOf, createApiInMemory } from "../testing/api-in-memory.ts";

const CONFIG_MAPS = defineResource("v1", "ConfigMap", "configmaps");
const LETTERS_OF_A_NAME = 5;

/** A client of a new server that finds these names, by the number of the one letter that they consist of, and then the last again and again. */
async function whoFinds(...names: readonly number[]): Promise<{ client: KubeClient; tried: () => number }> {
  let letters = 0;
  const api = createApiInMemory({
    chance: {
      uid: randomUUID,
      below: () => names[Math.min(Math.floor(letters++ / LETTERS_OF_A_NAME), names.length - 1)] ?? 0,
    },
  });
  onTestFinished(() => api.stop());
  await api.begin(6443);
  const client = clientOf(api);
  onTestFinished(() => client.close());
  letters = 0;
  return { client, tried: () => letters / LETTERS_OF_A_NAME };
}

/** An empty name is none. */
const aMap = ({ name = "", ...more }: { name?: string; generateName?: string }): KubeObject => ({
  metadata: { namespace: "default", name, ...more },
});

test("a name that is taken is tried again with other letters", async () => {
  const { client, tried } = await whoFinds(0, 0, 0, 1);
  const first = await client.create(CONFIG_MAPS, aMap({ generateName: "g-" }));
  const second = await client.create(CONFIG_MAPS, aMap({ generateName: "g-" }));
  expect([first.metadata.name, second.metadata.name]).toEqual(["g-bbbbb", "g-ccccc"]);
  expect(tried()).toBe(4);
});

test("also when nothing would be stored", async () => {
  const { client } = await whoFinds(0, 0, 1);
  await client.create(CONFIG_MAPS, aMap({ generateName: "g-" }));
  const tried = await client.create(CONFIG_MAPS, aMap({ generateName: "g-" }), { dryRun: true });
  expect(tried.metadata.name).toBe("g-ccccc");
});

test("and two who find the same at once both get one", async () => {
  const { client } = await whoFinds(0, 0, 1);
  const made = await Promise.all(["left", "right"].map(() => client.create(CONFIG_MAPS, aMap({ generateName: "g-" }))));
  expect(made.map(({ metadata }) => metadata.name).toSorted()).toEqual(["g-bbbbb", "g-ccccc"]);
});

test("after eight names it is refused", async () => {
  const { client, tried } = await whoFinds(0);
  await client.create(CONFIG_MAPS, aMap({ name: "g-bbbbb" }));
  const refused = await failure(client.create(CONFIG_MAPS, aMap({ generateName: "g-" })));
  expect(refused).toMatchObject({
    status: 409,
    reason: "AlreadyExists",
    message: expect.stringContaining(
      'configmaps "g-bbbbb" already exists, the server was not able to generate a unique name for the object',
    ) as string,
  });
  expect(tried()).toBe(8);
});

test("a name that somebody else has chosen is tried once", async () => {
  const { client, tried } = await whoFinds(0);
  await client.create(CONFIG_MAPS, aMap({ name: "mine", generateName: "g-" }));
  const refused = await failure(client.create(CONFIG_MAPS, aMap({ name: "mine", generateName: "g-" })));
  expect(refused).toMatchObject({ status: 409, reason: "AlreadyExists" });
  expect(tried()).toBe(0);
});
