/** Sources themselves: what they follow and what they say, as kinds, rights and other sources come and go. */
import { expect } from "vitest";
import type { MySQLCluster } from "../../../src/cluster/sample/mysql/index.ts";
import { Quantity } from "../../../src/core/quantity.ts";
import type { KubeObject, PersistentVolumeClaim } from "../../../src/core/types.ts";
import { CLAIMS, defineResource, type Resource } from "../../../src/kube/index.ts";
import { EXPANSION_SOURCES, type ExpansionSourceSpec } from "../../../src/source/index.ts";
import type { Definition } from "../custom-kinds.ts";
import { requestOf } from "../growth/intact.ts";
import { waitFor } from "../wait.ts";
import type { SourceStory } from "./moco-stories.ts";
import { conditionOf } from "./scene.ts";
import type { SourceStage } from "./stage.ts";

const PATIENCE = { timeoutMs: 120_000, everyMs: 200 };

export const SOURCE_STORIES: readonly SourceStory[] = [
  {
    name: "a kind that is not there is named, found when it comes, and missed when it goes",
    async play(_, stage) {
      const { kind, spec, definition } = aKind("Come", "comes");
      await stage.addSource("come-and-go", spec);
      await stage.untilSourceSays(
        "come-and-go",
        "KindNotServed: the API server has no namespaced Come in come.example.com/v1",
      );
      await stage.define(definition);
      const found = await stage.untilSourceSays("come-and-go", "Followed: sizes of Come are followed");
      expect(found.status?.resources).toBe(0);
      await stage.client.create(kind, {
        metadata: { namespace: "default", name: "one" },
        spec: { size: "1Gi" },
      });
      await waitFor(
        "it to be counted",
        async () => (await sourceOf(stage, "come-and-go")).status?.resources === 1,
        PATIENCE,
      );
      await stage.stage.plane.api.delete(
        `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${definition.metadata.name}`,
      );
      await stage.untilSourceSays("come-and-go", "KindNotServed: ");
    },
  },
  {
    name: "without the right to its kind, a source says which rule is missing; with it, it is followed",
    async play(_, stage) {
      const { spec, definition } = aKind("Closed", "closeds");
      await stage.define(definition);
      await stage.addSource("no-rights", spec, "no role");
      await stage.untilSourceSays(
        "no-rights",
        'rules: [{apiGroups: ["closed.example.com"], resources: ["closeds"], verbs: ["get", "list", "watch"]}, ' +
          '{apiGroups: ["closed.example.com"], resources: ["closeds/status"], verbs: ["patch"]}]',
      );
      await stage.grant("no-rights", spec);
      await stage.untilSourceSays("no-rights", "Followed: ");
    },
  },
  {
    name: "two sources that claim the same set: the second is refused with the name of the first, and follows when that is gone",
    async play(scene, stage) {
      const { kind, spec, definition } = aKind("Rival", "rivals");
      await stage.define(definition);
      await scene.create();
      await stage.addSource("rival", spec);
      const { namespace } = scene.sets;
      await stage.client.create(kind, { metadata: { namespace, name: "shop" }, spec: { size: "3Gi" } });
      await stage.untilSourceSays("rival", `ClaimedTwice: StatefulSet ${namespace}/moco-shop follows source "moco"`);
      const { record, claims } = await scene.sets.look();
      expect(record?.spec.wishedBy?.source).not.toBe("rival");
      expect(claims.map((claim) => requestOf(claim).toString())).toEqual(["1Gi", "1Gi"]);
      await stage.client.delete(kind, { namespace, name: "shop" });
      await stage.untilSourceSays("rival", "Followed: ");
    },
  },
  {
    name: "an operator without StatefulSets: claims that are selected by label grow, and one that is larger is left alone",
    async play(scene, stage) {
      const { kind, spec, definition } = aKind("Pool", "pools");
      await stage.define(definition);
      await stage.addSource("pools", {
        resource: spec.resource,
        condition: "VolumeResized",
        claims: [{ template: "data", path: ".spec.size" }],
        claimSelector: { matchLabels: { pool: "{name}" } },
      });
      const { namespace } = scene.sets;
      const names = ["one", "two-data", "three"];
      for (const name of names)
        await stage.client.create(CLAIMS, aClaim(namespace, name, name === "three" ? "5Gi" : "1Gi"));
      const requests = async () =>
        Promise.all(
          names.map(async (name) => requestOf(await stage.client.get(CLAIMS, { namespace, name })).toString()),
        );
      await Promise.all(names.map((name) => bound(stage, namespace, name)));
      await stage.client.create(kind, { metadata: { namespace, name: "shop" }, spec: { size: "2Gi" } });
      await waitFor("the claims to be asked", async () => String(await requests()) === "2Gi,2Gi,5Gi", PATIENCE);
      // No pod uses them, so that no node makes their file systems larger; and that is told.
      const pool = await untilReason(stage, kind, namespace, "Progressing");
      expect(conditionOf(pool)?.message).toBe("growing data 2Gi");
    },
  },
  {
    name: "an operator that grows its volumes itself is watched and reported on, and nothing is asked of anybody",
    async play(scene, stage) {
      const { kind, spec, definition } = aKind("Itself", "itselves");
      await stage.define(definition);
      await stage.addSource("itself", {
        resource: spec.resource,
        condition: "VolumeResized",
        grownBy: "Operator",
        claims: [{ template: "data", path: ".spec.size" }],
        claimSelector: { matchLabels: { pool: "{name}" } },
      });
      const { namespace } = scene.sets;
      await stage.client.create(CLAIMS, aClaim(namespace, "own", "1Gi"));
      await bound(stage, namespace, "own");
      await stage.client.create(kind, { metadata: { namespace, name: "shop" }, spec: { size: "2Gi" } });
      await untilReason(stage, kind, namespace, "Progressing");
      const claim = await stage.client.get(CLAIMS, { namespace, name: "own" });
      expect(requestOf(claim).equals(Quantity.parse("1Gi"))).toBe(true);
    },
  },
  {
    name: "a kind that does not take the condition: it is said once on the source, and sizes are followed all the same",
    async play(scene, stage) {
      const { kind, spec, definition } = aKind("Mute", "mutes", "no status");
      await stage.define(definition);
      await stage.addSource("mute", {
        resource: spec.resource,
        condition: "VolumeResized",
        claims: [{ template: "data", path: ".spec.size" }],
        claimSelector: { matchLabels: { pool: "{name}" } },
      });
      const { namespace } = scene.sets;
      await stage.client.create(CLAIMS, aClaim(namespace, "silent", "1Gi"));
      await bound(stage, namespace, "silent");
      await stage.client.create(kind, { metadata: { namespace, name: "shop" }, spec: { size: "2Gi" } });
      await stage.untilSourceSays("mute", "NotReported: sizes are followed, but not reported: ");
      const asked = async () => requestOf(await stage.client.get(CLAIMS, { namespace, name: "silent" })).toString();
      await waitFor("the claim to be asked", async () => (await asked()) === "2Gi", PATIENCE);
    },
  },
  {
    name: "a source with a mistake in it says where, and is followed when that is mended",
    async play(_, stage) {
      const { spec, definition } = aKind("Typo", "typos");
      await stage.define(definition);
      // Where the API server evaluates the rules of the definition, it refuses this itself.
      const wrong = { ...spec, statefulSetName: "set-{nme}" };
      const refused = await stage.addSource("typo", wrong).then(
        () => undefined,
        (error: unknown) => String(error),
      );
      if (refused === undefined) {
        await stage.untilSourceSays("typo", "Invalid: spec.statefulSetName: Invalid value");
        const body = { spec: { statefulSetName: "set-{name}" } };
        await stage.client.patch(EXPANSION_SOURCES, { name: "typo" }, { type: "merge", body });
      } else {
        expect(refused).toContain("statefulSetName");
        await stage.client.create(EXPANSION_SOURCES, {
          metadata: { name: "typo" },
          spec: { ...wrong, statefulSetName: "set-{name}" },
        });
      }
      await stage.untilSourceSays("typo", "Followed: ");
    },
  },
];

interface Sized extends KubeObject, Pick<MySQLCluster, "status"> {
  spec: { size: string };
}

/** Waits until the condition of `shop` has this reason. */
function untilReason(
  { client }: SourceStage,
  kind: Resource<Sized>,
  namespace: string,
  reason: string,
): Promise<Sized> {
  const probe = async () => {
    const found = await client.get(kind, { namespace, name: "shop" });
    return conditionOf(found)?.reason === reason && found;
  };
  return waitFor(`the condition to have reason ${reason}`, probe, PATIENCE);
}

/** A kind of its own, with one size in it, and a source for it whose sets nobody has. */
function aKind(kindName: string, plural: string, status?: "no status") {
  const group = `${kindName.toLowerCase()}.example.com`;
  const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const names = { kind: kindName, plural, singular: kindName.toLowerCase(), listKind: `${kindName}List` };
  const version = {
    name: "v1",
    served: true,
    storage: true,
    ...(status === undefined ? { subresources: { status: {} } } : {}),
    schema: { openAPIV3Schema: { type: "object", properties: { spec: schema, status: schema } } },
  };
  const definition: Definition & KubeObject = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: "Namespaced", names, versions: [version] },
  };
  const spec: ExpansionSourceSpec = {
    resource: { group, version: "v1", kind: kindName, plural },
    condition: "VolumeResized",
    claims: [{ template: "mysql-data", path: ".spec.size" }],
    statefulSetName: "moco-{name}",
  };
  return { kind: defineResource<Sized>(`${group}/v1`, kindName, plural), spec, definition };
}

function aClaim(namespace: string, name: string, storage: string): PersistentVolumeClaim {
  const spec = { accessModes: ["ReadWriteOnce"], storageClassName: "memory", resources: { requests: { storage } } };
  return { metadata: { namespace, name, labels: { pool: "shop" } }, spec };
}

async function bound({ client }: SourceStage, namespace: string, name: string): Promise<void> {
  const probe = async () => (await client.get(CLAIMS, { namespace, name })).status?.phase === "Bound";
  await waitFor(`claim ${name} to be bound`, probe, PATIENCE);
}

function sourceOf({ client }: SourceStage, name: string) {
  return client.get(EXPANSION_SOURCES, { name });
}
