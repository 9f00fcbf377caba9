import { afterAll, afterEach, describe, expect, test } from "vitest";
import { openMemoryStore, openSqliteStore, type RevisionedStore } from "../../../store/index.ts";
import { temporaryFolder } from "../../../store/testing/temporary-folder.ts";
import type { JsonObject } from "../../json.ts";
import { BUILT_IN } from "../../kinds/built-in.ts";
import type { Kind } from "../../kinds/kind.ts";
import { answerOf, claim, createTestCluster, object, PROD, quota, type TestCluster } from "../testing/cluster.ts";

const rowOf = (kind: string) => BUILT_IN.find((each) => each.kind === kind) as Kind;
const QUOTA = rowOf("ResourceQuota");
const CLAIM = rowOf("PersistentVolumeClaim");

let cluster: TestCluster;
const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
afterEach(() => cluster.close());

const used = (name: string) => {
  const { status } = cluster.objects.get(QUOTA, "prod", name) as { status?: JsonObject };
  return status?.["used"];
};

/** Admission, and then the write that it is asked for: as a handler does. */
async function createClaim(name: string, storage: string): Promise<string> {
  try {
    await cluster.objects.create(CLAIM, await cluster.admit(claim(name, storage)));
    return "created";
  } catch (error) {
    return answerOf(error);
  }
}

const inParallel = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => createClaim(`data-${index}`, "1Gi")));

let files = 0;
const stores: readonly { readonly name: string; readonly open: () => RevisionedStore }[] = [
  { name: "in memory", open: () => openMemoryStore() },
  { name: "on disk", open: () => openSqliteStore(folder.join(`${files++}.db`)) },
];

describe.each(stores)("many at once, $name", ({ open }) => {
  test("of 200 creations against a quota for 50 exactly 50 succeed", async () => {
    cluster = createTestCluster(open());
    const hard = { persistentvolumeclaims: "50", "requests.storage": "1Ti" };
    await cluster.given(PROD, quota("q", hard));
    const answers = await inParallel(200);
    expect(answers.filter((answer) => answer === "created")).toHaveLength(50);
    expect(new Set(answers.slice(50))).toEqual(
      new Set(
        answers
          .map((_, index) => `data-${index}`)
          .slice(50)
          .map(
            (name) =>
              `403 Forbidden: persistentvolumeclaims "${name}" is forbidden: exceeded quota: q, requested: persistentvolumeclaims=1, used: persistentvolumeclaims=50, limited: persistentvolumeclaims=50`,
          ),
      ),
    );
    expect(used("q")).toEqual({ persistentvolumeclaims: "50", "requests.storage": "50Gi" });
  });

  test("a quota that somebody else writes meanwhile is never exceeded", async () => {
    cluster = createTestCluster(open());
    await cluster.given(PROD, quota("q", { persistentvolumeclaims: "20" }));
    const relabel = async () => {
      for (let round = 0; round < 20; round++) {
        const stored = cluster.objects.get(QUOTA, "prod", "q");
        const labelled = {
          ...stored,
          metadata: { ...(stored["metadata"] as JsonObject), labels: { round: `${round}` } },
        };
        await cluster.objects.replace(QUOTA, stored, labelled).catch(answerOf);
      }
    };
    const [answers] = await Promise.all([inParallel(60), relabel()]);
    expect(answers.filter((answer) => answer === "created")).toHaveLength(20);
    expect(used("q")).toEqual({ persistentvolumeclaims: "20" });
  });
});

describe("charges", () => {
  test("of many requests are written together", async () => {
    cluster = createTestCluster();
    await cluster.given(PROD, quota("q", { persistentvolumeclaims: "100" }));
    const { store } = cluster.objects;
    const before = store.revision;
    await Promise.all(Array.from({ length: 50 }, (_, index) => cluster.admit(claim(`data-${index}`, "1Gi"))));
    expect(store.revision).toBeLessThanOrEqual(before + 2);
    expect(used("q")).toEqual({ persistentvolumeclaims: "50" });
  });

  test("of a dry run are checked and not written", async () => {
    cluster = createTestCluster();
    await cluster.given(PROD, quota("q", { persistentvolumeclaims: "1" }));
    const { revision } = cluster.objects.store;
    expect(await cluster.answer(claim("a", "1Gi"), { dryRun: true })).toBe("admitted");
    expect(await cluster.answer(claim("b", "1Gi"), { dryRun: true })).toBe("admitted");
    expect(cluster.objects.store.revision).toBe(revision);
    await cluster.admit(claim("a", "1Gi"));
    expect(await cluster.answer(claim("b", "1Gi"), { dryRun: true })).toMatch(/exceeded quota: q/);
  });

  test("go on every quota that counts the object, or are refused by the first without room", async () => {
    cluster = createTestCluster();
    await cluster.given(PROD, quota("a", { persistentvolumeclaims: "5" }), quota("b", { "requests.storage": "3Gi" }));
    await cluster.admit(claim("x", "2Gi"));
    expect(await cluster.answer(claim("y", "2Gi"))).toMatch(/exceeded quota: b/);
    expect([used("a"), used("b")]).toEqual([{ persistentvolumeclaims: "1" }, { "requests.storage": "2Gi" }]);
  });

  test("of different namespaces do not wait for each other", async () => {
    cluster = createTestCluster();
    const other: JsonObject = { ...PROD, metadata: { name: "other" } };
    await cluster.given(PROD, other, quota("q", { persistentvolumeclaims: "0" }));
    const free = claim("x", "1Gi", { metadata: { namespace: "other" } });
    expect(await Promise.all([cluster.answer(claim("x", "1Gi")), cluster.answer(free)])).toEqual([
      expect.stringContaining("exceeded quota"),
      "admitted",
    ]);
  });

  test("a quota whose usage nobody has computed refuses what it limits, and nothing else", async () => {
    cluster = createTestCluster();
    const hard = { persistentvolumeclaims: "5" };
    await cluster.given(PROD, object("v1", "ResourceQuota", "q", { spec: { hard }, status: { hard } }));
    expect(await cluster.answer(claim("x", "1Gi"))).toBe(
      '403 Forbidden: persistentvolumeclaims "x" is forbidden: status unknown for quota: q, resources: persistentvolumeclaims',
    );
    expect(await cluster.answer(object("v1", "ConfigMap", "x"))).toBe("admitted");
  });
});
