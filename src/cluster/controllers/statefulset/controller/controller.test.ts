import { afterEach, describe, expect, test } from "vitest";
import { aClass } from "../../../../admission/fixtures.ts";
import { DEFAULT_GATES } from "../../../../core/gates.ts";
import type { PersistentVolumeClaim, Pod, StatefulSet } from "../../../../core/types.ts";
import type { ApiRequest } from "../../../../kube/testing/api-core.ts";
import { connect } from "../../../../kube/testing/connect.ts";
import type { Fault } from "../../../../kube/testing/faults.ts";
import { until } from "../../../../kube/testing/until.ts";
import { GROWTH_CONDITION } from "../decide/growth.ts";
import { aSet, aTemplate } from "../testing/objects.ts";
import { type SmallCluster, startSmallCluster } from "../testing/small-cluster.ts";
import { type StatefulSetControllerOptions, startStatefulSetController } from "./controller.ts";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function startCluster(fault?: (request: ApiRequest) => Fault | undefined): Promise<SmallCluster> {
  const cluster = await startSmallCluster(fault);
  ends.push(() => cluster.close());
  return cluster;
}

/** A controller at work; ends with the test, or when told. */
function work({ url }: SmallCluster, options: Partial<StatefulSetControllerOptions> = {}): () => Promise<void> {
  const client = connect(url);
  const controller = startStatefulSetController({ client, workers: 1, ...options });
  const end = async (): Promise<void> => {
    await controller.stop();
    await client.close();
  };
  ends.push(end);
  return end;
}

const named = (name: string, spec: Partial<StatefulSet["spec"]> = {}): StatefulSet => {
  const selector = { matchLabels: { app: name } };
  const template = { ...aTemplate("one"), metadata: { labels: { app: name } } };
  return aSet({ replicas: 1, selector, template, ...spec }, { metadata: { ...aSet().metadata, name } });
};

/** What is written about `db` by the time that a set which came later has been seen to: with one worker, all that was due. */
async function settledWrites(cluster: SmallCluster, later: string): Promise<readonly ApiRequest[]> {
  cluster.put("statefulsets", named(later, { replicas: 0 }));
  await cluster.settled(later);
  return cluster.writes.filter(({ path, body }) => `${path} ${JSON.stringify(body)}`.includes("db"));
}

describe("a set comes to life", () => {
  test.each(["OrderedReady", "Parallel"])("%s: every object is made once", async (podManagementPolicy) => {
    const cluster = await startCluster();
    cluster.put("statefulsets", aSet({ podManagementPolicy }));
    work(cluster);
    await cluster.settled();
    const made = cluster.writes
      .filter(({ method }) => method === "POST")
      .map(({ body }) => (body as Pod).metadata.name)
      .sort();
    const revision = cluster.set()?.status?.updateRevision ?? "";
    expect(made).toEqual(["data-db-0", "data-db-1", "data-db-2", "db-0", "db-1", "db-2", revision].sort());
  });

  test("a settled set costs nothing: it is looked at again, and nothing is written", async () => {
    const cluster = await startCluster();
    cluster.put("statefulsets", aSet());
    work(cluster);
    await cluster.settled();
    const before = (await settledWrites(cluster, "first")).length;
    for (const pod of cluster.pods) {
      cluster.put("pods", { ...pod, metadata: { ...pod.metadata, annotations: { touched: "yes" } } });
    }
    expect(await settledWrites(cluster, "second")).toHaveLength(before);
  });

  test("no patch is empty", async () => {
    const cluster = await startCluster();
    cluster.put("statefulsets", aSet());
    work(cluster);
    await cluster.settled();
    cluster.edit({ template: aTemplate("two") });
    await cluster.settled();
    for (const { body } of cluster.writes.filter(({ method }) => method === "PATCH")) {
      const { metadata: _, ...changes } = body as { metadata: object; status?: object };
      expect(Object.keys(changes.status ?? {})).not.toEqual([]);
    }
  });
});

describe("a set whose pods are refused", () => {
  test("tries the first one only, and tells people why", async () => {
    const cluster = await startCluster(({ method, path }) =>
      method === "POST" && path.endsWith("/pods") ? { kind: "status", status: 403, reason: "Forbidden" } : undefined,
    );
    cluster.put("statefulsets", aSet({ replicas: 20, podManagementPolicy: "Parallel" }));
    work(cluster);
    await until("the event", () => cluster.told.includes("Create Pod db-0 in StatefulSet db failed error: injected"));
    const tried = cluster.writes.filter(({ path }) => path.endsWith("/pods")).map(({ body }) => (body as Pod).metadata);
    expect(new Set(tried.map(({ name }) => name))).toEqual(new Set(["db-0"]));
    // What it has seen is in its status all the same.
    await until("the status", () => cluster.set()?.status?.observedGeneration === 1);
  });
});

/** What there is in the end, whoever did it. */
function outcome(cluster: SmallCluster): unknown {
  return {
    pods: cluster.pods.map(({ metadata }) => metadata.name),
    claims: cluster.claims.map(({ metadata }) => [
      metadata.name,
      (metadata.ownerReferences ?? []).map(({ kind }) => kind),
    ]),
    revisions: cluster.revisions.map(({ metadata, revision }) => [metadata.name, revision]),
    status: cluster.set()?.status,
  };
}

describe("a controller that dies after any of its writes", () => {
  const POLICY = { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Retain" } };

  /** Most of a play is waiting, so several go on at the same time. */
  const AT_ONCE = 12;

  /** Creates, then updates and scales; the first controller's world ends with its write number `last`. */
  async function playUntil(last: number, podManagementPolicy: string): Promise<{ died: boolean; end: unknown }> {
    let writes = 0;
    let dying = true;
    const cluster = await startSmallCluster(() => {
      writes++;
      if (!dying || writes < last) return undefined;
      return { kind: writes === last ? "lost-answer" : "drop" };
    });
    const stop = work(cluster);
    cluster.put("statefulsets", aSet({ podManagementPolicy, ...POLICY }));
    const isDead = (): boolean => writes >= last;
    await until("the set or the end", () => cluster.isSettled() || isDead());
    if (!isDead()) {
      cluster.edit({ replicas: 2, template: aTemplate("two") });
      await until("the set or the end", () => cluster.isSettled() || isDead());
    }
    const died = isDead();
    await stop();
    dying = false;
    const stopHeir = work(cluster);
    await cluster.settled();
    if (cluster.set()?.metadata.generation === 1) cluster.edit({ replicas: 2, template: aTemplate("two") });
    await cluster.settled();
    const end = outcome(cluster);
    await stopHeir();
    await cluster.close();
    return { died, end };
  }

  test.each(["OrderedReady", "Parallel"])(
    "%s: another one ends where it would have",
    async (podManagementPolicy) => {
      const { end: expected } = await playUntil(Number.POSITIVE_INFINITY, podManagementPolicy);
      let deaths = 0;
      for (let first = 1, alive = false; !alive; first += AT_ONCE) {
        const lasts = Array.from({ length: AT_ONCE }, (_, index) => first + index);
        const plays = await Promise.all(lasts.map((last) => playUntil(last, podManagementPolicy)));
        for (const [index, { end }] of plays.entries()) expect(end, `after write ${lasts[index]}`).toEqual(expected);
        deaths += plays.filter(({ died }) => died).length;
        alive = plays.some(({ died }) => !died);
      }
      expect(deaths).toBeGreaterThan(10);
    },
    60_000,
  );
});

describe("claims that are smaller than their template", () => {
  const claim = (name: string, storageClassName = "fast"): PersistentVolumeClaim => ({
    metadata: { name, namespace: "prod", labels: { app: "db" } },
    spec: { storageClassName, volumeName: name, resources: { requests: { storage: "500Mi" } } },
    status: { phase: "Bound", capacity: { storage: "500Mi" } },
  });
  const sizes = (cluster: SmallCluster): (string | undefined)[] =>
    cluster.claims.map(({ spec }) => spec.resources?.requests?.["storage"]);
  const condition = (cluster: SmallCluster) =>
    cluster.set()?.status?.conditions?.find(({ type }) => type === GROWTH_CONDITION);
  async function startWithSmallClaims(
    fault?: (request: ApiRequest) => Fault | undefined,
    storageClassName?: string,
  ): Promise<SmallCluster> {
    const cluster = await startCluster(fault);
    cluster.put("storageclasses", aClass("fast"));
    cluster.put("storageclasses", aClass("rigid", { allowVolumeExpansion: false }));
    for (const ordinal of [0, 1, 2]) {
      cluster.put("persistentvolumeclaims", claim(`data-db-${ordinal}`, storageClassName));
    }
    cluster.put("statefulsets", aSet());
    return cluster;
  }

  test("are raised, and people are told", async () => {
    const cluster = await startWithSmallClaims();
    work(cluster);
    await until("the claims to be raised", () => sizes(cluster).every((size) => size === "1Gi"));
    await until("the events", () => cluster.told.includes("Update Claim data-db-0 Pod db-0 in StatefulSet db success"));
  });

  test("stay with the gate off, and are raised when it comes on again", async () => {
    const cluster = await startWithSmallClaims();
    const stop = work(cluster, { gates: { ...DEFAULT_GATES, StatefulSetVolumeExpansion: false } });
    await cluster.settled();
    await settledWrites(cluster, "barrier");
    expect(sizes(cluster)).toEqual(["500Mi", "500Mi", "500Mi"]);
    await stop();
    work(cluster);
    await until("the claims to be raised", () => sizes(cluster).every((size) => size === "1Gi"));
  });

  test("that cannot be raised are reported on the set, until they are", async () => {
    let refusing = true;
    const cluster = await startWithSmallClaims(({ method, path }) =>
      refusing && method === "PATCH" && path.endsWith("/data-db-1")
        ? { kind: "status", status: 403, reason: "Forbidden" }
        : undefined,
    );
    work(cluster);
    await until("the condition", () => condition(cluster)?.status === "True");
    expect(condition(cluster)).toMatchObject({ reason: "FailedUpdate", message: "data-db-1: injected" });
    await until("the event", () =>
      cluster.told.includes("Update Claim data-db-1 for Pod db-1 in StatefulSet db failed error: injected"),
    );
    // One that fails holds up no other, and no pod either.
    await cluster.settled();
    expect(sizes(cluster)).toEqual(["1Gi", "500Mi", "1Gi"]);
    refusing = false;
    await until("the claims to be raised", () => sizes(cluster).every((size) => size === "1Gi"));
    await until("the condition to go", () => condition(cluster) === undefined);
  });

  test("of a class that does not allow it are not tried, but reported; and raised once it does", async () => {
    const cluster = await startWithSmallClaims(undefined, "rigid");
    work(cluster);
    await cluster.settled();
    await until("the condition", () => condition(cluster)?.message?.includes("rigid") === true);
    expect(
      cluster.writes.some(({ method, path }) => method === "PATCH" && path.includes("persistentvolumeclaims")),
    ).toBe(false);
    cluster.put("storageclasses", aClass("rigid"));
    await until("the claims to be raised", () => sizes(cluster).every((size) => size === "1Gi"));
    await until("the condition to go", () => condition(cluster) === undefined);
  });
});
