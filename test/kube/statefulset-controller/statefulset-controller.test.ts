/**
 * The same StatefulSets under kube-controller-manager's controller and under ours: same pods, claims, owner references,
 * revisions by name and data, statuses and events, at each point where there is nothing left to do.
 */
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startStatefulSetController } from "../../../src/cluster/controllers/statefulset/index.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { createNamespace } from "../fixtures.ts";
import { connectAsAdmin } from "../resizer/connect.ts";
import { waitFor } from "../wait.ts";
import { CLAIM_SCENARIOS } from "./claim-scenarios.ts";
import { startKubelet } from "./kubelet.ts";
import type { Scenario } from "./moves.ts";
import { POD_SCENARIOS } from "./pod-scenarios.ts";
import { eventsOf, isConsistent, type Snapshot, takeSnapshot } from "./snapshot.ts";

const SCENARIOS = [...POD_SCENARIOS, ...CLAIM_SCENARIOS];
const COLLECTOR = "garbage-collector-controller";

const theirs = new Map<string, readonly Snapshot[]>();
const namespaceOf = (scenario: Scenario): string => `scenario-${SCENARIOS.indexOf(scenario)}`;

/** Plays a scenario; each step ends when its own condition holds. */
async function play(plane: ControlPlane, scenario: Scenario): Promise<readonly Snapshot[]> {
  const namespace = namespaceOf(scenario);
  await createNamespace(plane, namespace);
  const snapshots: Snapshot[] = [];
  for (const { what, act, until } of scenario.steps) {
    await act({ plane, namespace });
    let last: Snapshot | undefined;
    snapshots.push(
      await waitFor(`${scenario.name}: ${what}`, async () => {
        last = await takeSnapshot(plane.api, namespace);
        return until(last) && isConsistent(last) && last;
      }).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${JSON.stringify(last?.set)} ${Object.keys(last?.pods ?? {}).join()}`);
      }),
    );
  }
  let told: readonly string[] = [];
  await waitFor("the events", async () => {
    told = await eventsOf(plane.api, namespace);
    return isDeepStrictEqual(told, [...scenario.tells].sort());
  }).catch((error: unknown) => {
    throw new Error(`${scenario.name}: ${String(error)}\n${told.join("\n")}`);
  });
  return snapshots;
}

describe("against kube-controller-manager", () => {
  let plane: ControlPlane;
  let end: () => Promise<void>;

  beforeAll(async () => {
    const reference = await startControlPlane({ controllers: ["statefulset-controller", COLLECTOR], audit: false });
    try {
      const client = await connectAsAdmin(reference);
      const kubelet = startKubelet(client);
      const played = await Promise.all(SCENARIOS.map((scenario) => play(reference, scenario)));
      for (const [index, scenario] of SCENARIOS.entries()) theirs.set(scenario.name, played[index] ?? []);
      await kubelet.stop();
      await client.close();
    } finally {
      await reference.stop();
    }
    plane = await startControlPlane({ controllers: [COLLECTOR], audit: false });
    const client = await connectAsAdmin(plane);
    const kubelet = startKubelet(client);
    const controller = startStatefulSetController({ client });
    await controller.synced;
    end = async () => {
      await controller.stop();
      await kubelet.stop();
      await client.close();
      expect(kubelet.problems).toEqual([]);
    };
  });
  afterAll(async () => {
    await end?.();
    await plane?.stop();
  });

  test.concurrent.for(SCENARIOS)("$name", async (scenario, { expect }) => {
    const expected = theirs.get(scenario.name) ?? [];
    const snapshots = await play(plane, scenario);
    for (const [index, { what }] of scenario.steps.entries()) {
      expect(snapshots[index], what).toEqual(expected[index]);
    }
  });
});
