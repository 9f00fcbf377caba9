/** What carries out the rules of definitions is loaded once for a whole process, so that it takes one in which nothing has been. */
import { expect, test } from "vitest";
import { createCatalog } from "../../src/cluster/api/catalog/catalog.ts";
import { startDefinitions } from "../../src/cluster/api/crd/control/definitions.ts";
import { DEFINITIONS } from "../../src/cluster/api/crd/definition/definition.ts";
import { rules } from "../../src/cluster/api/crd/lazy-rules.ts";
import { GROUP, newDefinition, version } from "../../src/cluster/api/crd/testing/definition.ts";
import { createObjectStore } from "../../src/cluster/api/objects/object-store.ts";
import { openMemoryStore } from "../../src/cluster/store/index.ts";

test("a definition has its rules carried out by what is not loaded before there is one", async () => {
  await using cleanup = new AsyncDisposableStack();
  const store = openMemoryStore();
  cleanup.defer(() => store.close());
  const objects = createObjectStore(store);
  const catalog = createCatalog();
  const served = (plural: string) => catalog.find(GROUP, "v1", plural);
  const problems: unknown[] = [];

  await objects.create(DEFINITIONS, newDefinition("plains", "Plain"));
  const report = (problem: unknown): void => void problems.push(problem);
  const clock = { now: () => Date.UTC(2026, 0, 1) };
  const running = startDefinitions({ objects, catalog, clock, turn: async () => {}, report });
  cleanup.defer(() => running.stop());
  await running.ready;
  expect(served("plains")).toBeDefined();
  expect(rules.isLoaded).toBe(false);

  const size = { type: "integer", "x-kubernetes-validations": [{ rule: "self > 2", message: "is too small" }] };
  const openAPIV3Schema = { type: "object", properties: { size } };
  const versions = [version("v1", { schema: { openAPIV3Schema } })];
  await objects.create(DEFINITIONS, newDefinition("things", "Thing", { versions }));
  await expect.poll(() => served("things")).toBeDefined();
  expect(rules.isLoaded).toBe(true);
  expect(served("things")?.custom?.validate({ size: 3 }, undefined, undefined)).toEqual([]);
  expect(served("things")?.custom?.validate({ size: 1 }, undefined, undefined)).toMatchObject([
    { path: "size", detail: "is too small" },
  ]);
  await running.stop();
  expect(problems).toEqual([]);
});
