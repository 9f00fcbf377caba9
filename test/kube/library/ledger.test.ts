/** The walk of docs/teach-your-operator.md, with its own files. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import {
  CLAIMS,
  type Condition,
  defineResource,
  type KubeClient,
  type KubeObject,
  type Resource,
} from "../../../src/library/index.ts";
import { openScene } from "../life/scene.ts";
import { waitFor } from "../wait.ts";

type WithStatus = KubeObject & { status?: { conditions?: Condition[] } };

const FOLDER = join(import.meta.dirname, "..", "..", "..", "docs", "examples", "ledger");
const LEDGERS = defineResource<WithStatus>("example.com/v1", "Ledger", "ledgers");
const SOURCES = defineResource<WithStatus>("outgrow.dev/v1alpha1", "ExpansionSource", "expansionsources", "Cluster");
const BOOKS = { namespace: "default", name: "books" };
const PATIENCE = { timeoutMs: 60_000, everyMs: 50 };

async function apply(client: KubeClient, file: string): Promise<void> {
  for (const document of parseAllDocuments(readFileSync(join(FOLDER, file), "utf8"))) {
    const object = document.toJS() as KubeObject;
    const { apiVersion = "", kind = "", metadata } = object;
    const scope = metadata.namespace === undefined ? "Cluster" : "Namespaced";
    await client.create(defineResource(apiVersion, kind, `${kind.toLowerCase()}s`, scope), object);
  }
}

const isTrue = async (
  client: KubeClient,
  resource: Resource<WithStatus>,
  name: string,
  type: string,
  generation = 1,
) => {
  const ref = resource.namespaced ? { namespace: "default", name } : { name };
  const { status } = await client.get(resource, ref);
  return status?.conditions?.some(
    (each) => each.type === type && each.status === "True" && (each.observedGeneration ?? 1) >= generation,
  );
};

test("a Ledger's volumes follow its size when its source was applied, and it says so", async () => {
  await using scene = await openScene();
  const { client } = scene;
  await apply(client, "ledger.yaml");
  await waitFor("Ledgers to be served", () => client.serves(LEDGERS), PATIENCE);
  await apply(client, "books.yaml");
  await apply(client, "archive.yaml");
  await apply(client, "source.yaml");
  await waitFor("the source to be ready", () => isTrue(client, SOURCES, "ledger", "Ready"), PATIENCE);
  await waitFor("books to have its size", () => isTrue(client, LEDGERS, "books", "VolumeResized"), PATIENCE);
  const capacities = async () => {
    const { items } = await client.list(CLAIMS, { namespace: "default", labelSelector: "ledger=books" });
    return items.map(({ status }) => status?.capacity?.["storage"]);
  };
  await waitFor("its claims to be bound", async () => String(await capacities()) === "1Gi,1Gi", PATIENCE);
  await client.patch(LEDGERS, BOOKS, { type: "merge", body: { spec: { storage: { size: "2Gi" } } } });
  await waitFor("books to have grown", () => isTrue(client, LEDGERS, "books", "VolumeResized", 2), PATIENCE);
  expect(await capacities()).toEqual(["2Gi", "2Gi"]);
  const smaller = client.patch(LEDGERS, BOOKS, { type: "merge", body: { spec: { storage: { size: "1Gi" } } } });
  await expect(smaller).rejects.toThrow('storage can only grow: 1Gi is less than the 2Gi of StatefulSet "books-db"');
});
