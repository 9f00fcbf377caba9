/** The same house under kube-controller-manager and under our controllers: the same is left, gone and said in the end. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  startDisruptionController,
  startEndpointController,
  startGarbageCollector,
  startNamespaceController,
  startQuotaController,
  startServiceAccountController,
} from "../../../src/cluster/controllers/housekeeping/index.ts";
import type { KubeClient } from "../../../src/kube/index.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { connectAsAdmin } from "../resizer/connect.ts";
import { GARBAGE_SCENARIOS } from "./garbage-scenarios.ts";
import { HOUSE_SCENARIOS, setUpNode } from "./house-scenarios.ts";
import { awaitCollector, type Scenario, setStage } from "./stage.ts";

const SCENARIOS = [...GARBAGE_SCENARIOS, ...HOUSE_SCENARIOS];
const THEIRS = [
  "garbage-collector-controller",
  "namespace-controller",
  "resourcequota-controller",
  "serviceaccount-controller",
  "disruption-controller",
  "endpoints-controller",
  "endpointslice-controller",
];

const expected = new Map<string, unknown>();

async function play(client: KubeClient, scenario: Scenario): Promise<unknown> {
  return scenario.play(await setStage(client, `scenario-${SCENARIOS.indexOf(scenario)}`));
}

describe("against kube-controller-manager", () => {
  let plane: ControlPlane;
  let client: KubeClient;
  const controllers: { stop(): Promise<void> }[] = [];

  beforeAll(async () => {
    const reference = await startControlPlane({ controllers: THEIRS, audit: false });
    try {
      const theirClient = await connectAsAdmin(reference);
      await setUpNode({ client: theirClient });
      await awaitCollector(theirClient);
      await Promise.all(
        SCENARIOS.map(async (scenario) => {
          expected.set(scenario.name, await play(theirClient, scenario));
        }),
      );
      await theirClient.close();
    } finally {
      await reference.stop();
    }
    plane = await startControlPlane({ controllers: [] });
    client = await connectAsAdmin(plane);
    await setUpNode({ client });
    const started = [
      startGarbageCollector({ client }),
      startNamespaceController({ client }),
      startQuotaController({ client }),
      startServiceAccountController({ client }),
      startDisruptionController({ client }),
      startEndpointController({ client }),
    ];
    controllers.push(...started);
    await Promise.all(started.map(({ synced }) => synced));
  }, 400_000);
  afterAll(async () => {
    await Promise.all(controllers.map((each) => each.stop()));
    await client?.close();
    await plane?.stop();
  });

  test.concurrent.for(SCENARIOS)("$name", async (scenario, { expect }) => {
    expect(await play(client, scenario)).toEqual(expected.get(scenario.name));
  });

  test("a house in order is left alone", async () => {
    const before = await plane.auditMark();
    // Whoever looks at everything again has nothing to write.
    await Promise.all(controllers.splice(0).map((each) => each.stop()));
    const again = [
      startGarbageCollector({ client }),
      startNamespaceController({ client }),
      startQuotaController({ client, youth: 50 }),
      startServiceAccountController({ client }),
      startDisruptionController({ client }),
      startEndpointController({ client }),
    ];
    controllers.push(...again);
    await Promise.all(again.map(({ synced }) => synced));
    const stage = await setStage(client, "afterwards");
    await GARBAGE_SCENARIOS[0]?.play(stage);
    // The API server has a lease of its own to renew.
    const counts = await plane.auditCounts({ since: before, user: plane.admin.name });
    const written = Object.keys(counts).filter((key) => /^(?:update|patch) /.test(key));
    expect(written).toEqual([]);
  });
});
