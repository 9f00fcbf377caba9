/**
 * The same claims and volumes under kube-controller-manager's binder and protection and under ours, on a real
 * kube-apiserver and on the embedded one: same phases, references, annotations, finalizers and events at the end of
 * each step.
 */
import { afterAll, beforeAll, describe, test } from "vitest";
import { startVolumes } from "../../../src/cluster/controllers/volumes/index.ts";
import { startBench } from "../../../src/cluster/controllers/volumes/testing/bench.ts";
import { type KubeClient, NAMESPACES } from "../../../src/kube/index.ts";
import { startControlPlane } from "../control-plane.ts";
import { connectAsAdmin } from "../resizer/connect.ts";
import { waitFor } from "../wait.ts";
import { BINDING_SCENARIOS } from "./binding-scenarios.ts";
import { FATE_SCENARIOS } from "./fate-scenarios.ts";
import type { Scenario, Step } from "./moves.ts";
import { createScene, type Scene, type Snapshot, takeSnapshot } from "./scene.ts";

const SCENARIOS = [...BINDING_SCENARIOS, ...FATE_SCENARIOS];
const THEIRS = [
  "persistentvolume-binder-controller",
  "persistentvolumeclaim-protection-controller",
  "persistentvolume-protection-controller",
];

const theirs = new Map<string, readonly Snapshot[]>();

async function play(client: KubeClient, scenario: Scenario): Promise<readonly Snapshot[]> {
  const namespace = `scene${SCENARIOS.indexOf(scenario)}`;
  await client.create(NAMESPACES, { metadata: { name: namespace } });
  const scene = createScene(client, namespace);
  const snapshots: Snapshot[] = [];
  for (const [index, step] of scenario.steps.entries()) {
    await step.act(scene);
    snapshots.push(await settled(scene, step, `${scenario.name}, step ${index + 1}`));
  }
  return snapshots;
}

async function settled(scene: Scene, step: Step, what: string): Promise<Snapshot> {
  let last: Snapshot | undefined;
  try {
    return await waitFor(what, async () => {
      last = await takeSnapshot(scene);
      return isOver(last, step) && last;
    });
  } catch (error) {
    throw new Error(`${String(error)}\n${JSON.stringify(last, null, 1)}`, { cause: error });
  }
}

function isOver({ claims, volumes, told }: Snapshot, { phases, reasons = [] }: Step): boolean {
  const isThere = Object.entries(phases).every(([name, phase]) => {
    const object = claims[name] ?? volumes[name];
    return (object?.status?.phase ?? "gone") === phase;
  });
  const isTold = (what: string): boolean => {
    const [name = "", reason = ""] = what.split(" ");
    return told.some((text) => text.startsWith(`${name} `) && text.includes(` ${reason}: `));
  };
  return isThere && reasons.every(isTold);
}

beforeAll(async () => {
  const reference = await startControlPlane({ controllers: THEIRS, audit: false });
  try {
    const client = await connectAsAdmin(reference);
    const played = await Promise.all(SCENARIOS.map((scenario) => play(client, scenario)));
    for (const [index, scenario] of SCENARIOS.entries()) theirs.set(scenario.name, played[index] ?? []);
    await client.close();
  } finally {
    await reference.stop();
  }
});

describe.each(["kube-apiserver", "the embedded API server"])("on %s", (server) => {
  const cleanup = new AsyncDisposableStack();
  let client: KubeClient;

  beforeAll(async () => {
    if (server === "kube-apiserver") {
      const plane = cleanup.adopt(await startControlPlane({ controllers: [], audit: false }), (each) => each.stop());
      client = cleanup.adopt(await connectAsAdmin(plane), (each) => each.close());
    } else {
      client = cleanup.use(await startBench()).client;
    }
    const volumes = cleanup.adopt(startVolumes({ client, drivers: [] }), (each) => each.stop());
    await volumes.synced;
  });
  afterAll(() => cleanup.disposeAsync());

  test.concurrent.for(SCENARIOS)("$name", async (scenario, { expect }) => {
    const snapshots = await play(client, scenario);
    expect(snapshots).toEqual(theirs.get(scenario.name));
  });
});
