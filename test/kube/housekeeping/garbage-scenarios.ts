/** Owners and what belongs to them. */
import type { KubeObject } from "../../../src/core/types.ts";
import { defineResource, EVENTS, type KubeClient } from "../../../src/kube/index.ts";
import { waitFor } from "../wait.ts";
import { MAPS, ownedBy, type Scenario, type Stage, settle } from "./stage.ts";

const DEFINITIONS = defineResource(
  "apiextensions.k8s.io/v1",
  "CustomResourceDefinition",
  "customresourcedefinitions",
  "Cluster",
);
const HOLD = "example.com/hold";

const remove = (
  { client, namespace }: Stage,
  name: string,
  propagationPolicy: "Orphan" | "Background" | "Foreground",
): Promise<unknown> => client.delete(MAPS, { namespace, name }, { propagationPolicy });
const release = ({ client, namespace }: Stage, name: string): Promise<unknown> =>
  client.patch(MAPS, { namespace, name }, { type: "merge", body: { metadata: { finalizers: null } } });

async function references(stage: Stage, name: string): Promise<unknown> {
  const found = await stage.find(MAPS, name);
  return found?.metadata.ownerReferences?.map((reference) => reference.name) ?? [];
}

async function define(client: KubeClient, group: string): Promise<void> {
  await client.create(DEFINITIONS, {
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind: "Thing", plural: "things", singular: "thing", listKind: "ThingList" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    },
  } as KubeObject);
}

export const GARBAGE_SCENARIOS: readonly Scenario[] = [
  {
    name: "in the background, what belonged to an owner goes after it",
    async play(stage) {
      const owner = await stage.map("owner");
      const child = await stage.map("child", { ownerReferences: [ownedBy(MAPS, owner)] });
      await stage.map("grandchild", { ownerReferences: [ownedBy(MAPS, child)] });
      await stage.map("bystander");
      await remove(stage, "owner", "Background");
      await stage.gone(MAPS, "grandchild");
      return stage.maps();
    },
  },
  {
    name: "what has another owner stays",
    async play(stage) {
      const [first, second] = [await stage.map("first"), await stage.map("second")];
      await stage.map("child", { ownerReferences: [ownedBy(MAPS, first), ownedBy(MAPS, second)] });
      await remove(stage, "first", "Background");
      await waitFor("one reference", async () => ((await references(stage, "child")) as unknown[]).length === 1);
      return references(stage, "child");
    },
  },
  {
    name: "in the foreground, an owner waits for those that block it",
    async play(stage) {
      const owner = await stage.map("owner");
      const blocking = ownedBy(MAPS, owner, { blockOwnerDeletion: true });
      await stage.map("child", { ownerReferences: [blocking], finalizers: [HOLD] });
      await stage.map("other", { ownerReferences: [ownedBy(MAPS, owner)], finalizers: [HOLD] });
      await remove(stage, "owner", "Foreground");
      const isGoing = async (name: string): Promise<boolean> =>
        (await stage.find(MAPS, name))?.metadata.deletionTimestamp !== undefined;
      await waitFor("both go", async () => (await isGoing("child")) && (await isGoing("other")));
      const between = await stage.maps();
      await release(stage, "child");
      await stage.gone(MAPS, "owner");
      return [between, await stage.maps()];
    },
  },
  {
    name: "in the foreground, all the way down, children before their owners",
    async play(stage) {
      const owner = await stage.map("owner");
      const blocking = { blockOwnerDeletion: true };
      const child = await stage.map("child", { ownerReferences: [ownedBy(MAPS, owner, blocking)] });
      const last = { ownerReferences: [ownedBy(MAPS, child, blocking)], finalizers: [HOLD] };
      await stage.map("grandchild", last);
      await remove(stage, "owner", "Foreground");
      const grandchildGoes = async () =>
        (await stage.find(MAPS, "grandchild"))?.metadata.deletionTimestamp !== undefined;
      await waitFor("the grandchild goes", grandchildGoes);
      const between = await stage.maps();
      await release(stage, "grandchild");
      await stage.gone(MAPS, "owner");
      return [between, await stage.maps()];
    },
  },
  {
    name: "orphaned, what belonged to the owner stays",
    async play(stage) {
      const owner = await stage.map("owner");
      await stage.map("child", { ownerReferences: [ownedBy(MAPS, owner)] });
      await remove(stage, "owner", "Orphan");
      await stage.gone(MAPS, "owner");
      await settle(stage);
      return [await stage.maps(), await references(stage, "child")];
    },
  },
  {
    name: "an owner that never was is none",
    async play(stage) {
      const nobody = { metadata: { name: "nobody", uid: "11111111-2222-3333-4444-555555555555" } };
      await stage.map("child", { ownerReferences: [ownedBy(MAPS, nobody)] });
      await stage.gone(MAPS, "child");
      return stage.maps();
    },
  },
  {
    name: "an owner in another namespace is none, and that is said",
    async play(stage) {
      const { client, namespace } = stage;
      const name = `${namespace}-owner`;
      const owner = await client.create(MAPS, { metadata: { name, namespace: "default" } });
      const second = await stage.map("second");
      await stage.map("alone", { ownerReferences: [ownedBy(MAPS, owner)] });
      await stage.map("child", { ownerReferences: [ownedBy(MAPS, owner), ownedBy(MAPS, second)] });
      const told = await waitFor("two events", async () => {
        const { items } = await client.list(EVENTS, { namespace });
        const about = items.filter(({ reason }) => reason === "OwnerRefInvalidNamespace");
        return about.length === 2 && about;
      });
      await stage.gone(MAPS, "alone");
      await waitFor("one reference", async () => ((await references(stage, "child")) as unknown[]).length === 1);
      const texts = told.map(({ type, message, involvedObject, source }) => {
        const text = message?.replace(owner.metadata.uid ?? "", "UID");
        return [type, text, involvedObject.kind, involvedObject.name, source?.component].join(" ");
      });
      return [await stage.maps(), await references(stage, "child"), texts.sort()];
    },
  },
  {
    name: "custom kinds own and are owned",
    async play(stage) {
      const { client, namespace } = stage;
      const group = `${namespace}.example.com`;
      const things = defineResource(`${group}/v1`, "Thing", "things");
      await define(client, group);
      const owner = await waitFor("the kind", () =>
        client.create(things, { metadata: { name: "owner", namespace } }).catch(() => undefined),
      );
      const child = await stage.map("child", { ownerReferences: [ownedBy(things, owner)] });
      const ownerReferences = [ownedBy(MAPS, child)];
      await client.create(things, { metadata: { name: "grandchild", namespace, ownerReferences } });
      await client.delete(things, { namespace, name: "owner" }, { propagationPolicy: "Background" });
      // kube-controller-manager asks which kinds there are every thirty seconds.
      const isGone = async (): Promise<boolean> => (await client.list(things, { namespace })).items.length === 0;
      await waitFor("all are gone", isGone, { timeoutMs: 90_000 });
      return stage.maps();
    },
  },
];
