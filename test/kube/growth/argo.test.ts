/**
 * Argo CD's own engine, with an application that is synced automatically and heals itself, and our policies in the API server: a size
 * that is raised in Git grows, however often Argo CD compares and syncs meanwhile.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ADMISSION_POLICIES } from "../../../src/admission/policies/index.ts";
import { acts, install } from "../policies/installed.ts";
import { CLASSES } from "../policies/set.ts";
import { waitFor } from "../wait.ts";
import { type Application, type Argo, type Round, startArgo } from "./argo.ts";
import { gone, isGrown } from "./intact.ts";
import { isReady, SET } from "./look.ts";
import { aSet, type SetSketch } from "./objects.ts";
import type { Scene } from "./scene.ts";
import { type OpenStage, openStage } from "./stage.ts";

vi.setConfig({ testTimeout: 600_000 });

let stage: OpenStage;
let argo: Argo;
beforeAll(async () => {
  stage = await openStage();
  const { api } = stage.plane;
  for (const storageClass of CLASSES) await api.create("/apis/storage.k8s.io/v1/storageclasses", storageClass);
  await install({ api }, ADMISSION_POLICIES);
  await acts({ api });
  await stage.controller();
  argo = startArgo(stage.plane.admin.kubeconfig);
});
afterAll(async () => {
  await argo?.[Symbol.asyncDispose]();
  await stage?.[Symbol.asyncDispose]();
});

/** What Git has at some commit. */
const commit = ({ namespace }: Scene, serverSide: boolean, sketch: SetSketch = {}): Application => {
  const set = aSet(SET, sketch);
  return { namespace, serverSide, manifests: [{ ...set, metadata: { ...set.metadata, namespace } }] };
};

/** What Argo CD meets who comes while the set is away for a moment, or written by somebody else; it tries again. */
const IN_BETWEEN = /already exists|not found|has been modified/;

/** Heals again and again until this holds, as the controller of Argo CD does whenever something changes; all rounds. */
async function healsUntil(
  application: Application,
  is: (round: Round) => Promise<boolean> | boolean,
): Promise<Round[]> {
  const rounds: Round[] = [];
  const heal = async (): Promise<boolean> => {
    const round = await argo.heal(application);
    rounds.push(round);
    const text = JSON.stringify(round);
    if ((round.error !== "" || round.failed) && !IN_BETWEEN.test(text)) throw new Error(text);
    return is(round);
  };
  await waitFor(`${application.namespace}: Argo CD to be content`, heal, { timeoutMs: 180_000 });
  return rounds;
}

describe.each([
  ["client-side", false],
  ["server-side", true],
])("an application that is applied %s", (name, serverSide) => {
  test("is out of sync while it grows, is healed all the time without harm, and is in sync in the end", async () => {
    const scene = await stage.scene(`argo-${name}`);
    const small = commit(scene, serverSide);
    await healsUntil(small, ({ outOfSync }) => !outOfSync);
    const before = await scene.until("its pods to be ready", isReady);

    const large = commit(scene, serverSide, { sizes: { data: "2Gi" } });
    expect((await argo.compare(large)).outOfSync).toBe(true);
    const rounds = await healsUntil(
      large,
      async ({ outOfSync }) => !outOfSync && isGrown(await scene.look(), { data: "2Gi" }),
    );
    expect(rounds[0]?.results.join()).toContain(`StatefulSet/${SET}: `);
    const after = await scene.look();
    expect(gone("pod", before.pods, after.pods)).toEqual([]);
    expect(gone("claim", before.claims, after.claims)).toEqual([]);
    expect(gone("revision", before.revisions, after.revisions)).toEqual([]);

    const { outOfSync, results } = await argo.heal(large);
    expect({ outOfSync, results }).toEqual({ outOfSync: false, results: [] });
    expect((await scene.look()).set?.metadata.resourceVersion).toBe(after.set?.metadata.resourceVersion);
  });

  test("grows together with a new image and more replicas", async () => {
    const scene = await stage.scene(`argo-more-${name}`);
    await healsUntil(commit(scene, serverSide), ({ outOfSync }) => !outOfSync);
    const before = await scene.until("its pods to be ready", isReady);
    const larger = commit(scene, serverSide, { sizes: { data: "2Gi" }, replicas: 3 });
    const text = JSON.stringify(larger).replaceAll("database:1", "database:2");
    const rounds = await healsUntil(
      JSON.parse(text) as Application,
      async ({ outOfSync }) => !outOfSync && isGrown(await scene.look(), { data: "2Gi" }),
    );
    expect(rounds.length).toBeGreaterThan(1);
    const { pods, claims } = await scene.until("three pods", isReady);
    expect(pods).toHaveLength(3);
    expect(JSON.stringify(pods.map(({ spec }) => spec.containers))).not.toContain("database:1");
    expect(claims.map(({ metadata }) => metadata.uid)).toEqual(
      expect.arrayContaining(before.claims.map(({ metadata }) => metadata.uid)),
    );
  });

  test("whose Git has the old size is told so, and nothing shrinks, where somebody grew the set past Git", async () => {
    const scene = await stage.scene(`argo-past-${name}`);
    const small = commit(scene, serverSide);
    await healsUntil(small, ({ outOfSync }) => !outOfSync);
    await scene.until("its pods to be ready", isReady);
    await scene.annotate("data=2Gi");
    const grown = await scene.untilGrown({ data: "2Gi" });
    await waitFor("Argo CD to see the template that has grown", async () => (await argo.compare(small)).outOfSync);
    const { failed, results } = await argo.heal(small);
    expect(failed).toBe(true);
    expect(results.join()).toContain('template "data" has 2Gi, and volumes do not shrink to 1Gi; put 2Gi back');
    expect((await scene.look()).set?.metadata.resourceVersion).toBe(grown.set?.metadata.resourceVersion);
    await healsUntil(commit(scene, serverSide, { sizes: { data: "2Gi" } }), (round) => !round.outOfSync);
  });

  test("meets the refusal of a class that does not allow expansion, in its sync", async () => {
    const scene = await stage.scene(`argo-rigid-${name}`);
    await healsUntil(commit(scene, serverSide, { className: "rigid", replicas: 0 }), ({ outOfSync }) => !outOfSync);
    const refused = await argo.heal(
      commit(scene, serverSide, { className: "rigid", replicas: 0, sizes: { data: "2Gi" } }),
    );
    expect(refused.failed).toBe(true);
    expect(refused.results.join()).toContain('storage class "rigid"');
  });
});
