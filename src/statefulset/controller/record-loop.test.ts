import { expect, test } from "vitest";
import { DEFAULT_GATES } from "../../core/gates.ts";
import type { StatefulSet } from "../../core/types.ts";
import { createClient } from "../../kube/client/client.ts";
import { noMetrics, type Outcome } from "../../kube/index.ts";
import { createApiCore } from "../../kube/testing/api-core.ts";
import type { Fault } from "../../kube/testing/faults.ts";
import { createManualTimers } from "../../kube/testing/manual-timers.ts";
import { createSeeded } from "../../kube/testing/seeded.ts";
import { createVirtualTransport } from "../../kube/testing/virtual-transport.ts";
import { createGrowthEvents } from "../apply/events.ts";
import { aSet, CLASSES, claimsFor, podsFor } from "../decide/fixtures.ts";
import { VOLUME_EXPANSIONS } from "../resource.ts";
import type { VolumeExpansion } from "../types.ts";
import { createMemory } from "./memory.ts";
import { createGrowthMetrics } from "./metrics.ts";
import { observe } from "./observe.ts";
import { createRecordLoop } from "./record-loop.ts";
import type { View } from "./view.ts";

const KEY = "prod/db";

/** The record of a set that is asked for a size it cannot have, and the loop that tells of it. */
function setUp() {
  const timers = createManualTimers();
  const faults: Fault[] = [];
  const server = createApiCore({ timers, fault: () => faults.shift() });
  const client = createClient(createVirtualTransport(server, timers, createSeeded(661)));
  const records = server.store(VOLUME_EXPANSIONS.plural);
  const original = aSet({ wish: "data=1Gi,nonsense" });
  const world: { set: StatefulSet | undefined } = { set: original };
  const record = (): VolumeExpansion => records.get(KEY) as VolumeExpansion;
  const view: Pick<
    View,
    "set" | "record" | "claimsFor" | "rivalsOf" | "podsOf" | "classes" | "quotas" | "limitRanges"
  > = {
    set: () => world.set,
    record,
    claimsFor,
    rivalsOf: () => [],
    podsOf: () => podsFor(original),
    classes: CLASSES,
    quotas: () => [],
    limitRanges: () => [],
  };
  const memory = createMemory(() => timers.now());
  const told: string[] = [];
  const report = createRecordLoop({
    client,
    giveUp: new AbortController().signal,
    view: { observeRecord: () => {} },
    memory,
    observe: (key) => observe(key, { view: view as View, memory, gates: DEFAULT_GATES, now: () => timers.now() }),
    events: createGrowthEvents({
      event: ({ kind, uid }, type, reason) => void told.push(`${kind} ${uid}: ${type} ${reason}`),
    }),
    metrics: createGrowthMetrics(noMetrics),
    onLook: undefined,
    timers,
  });
  records.put({
    metadata: { namespace: "prod", name: "db" },
    spec: { statefulSetName: "db" },
    status: { savedStatefulSet: original },
  } as VolumeExpansion);
  return {
    world,
    faults,
    told,
    look: (): Promise<Outcome> => timers.run(report(KEY)),
    pass: () => timers.advance(1_000),
    record,
  };
}

test("what is new is told on the record and on the set, and nothing twice", async () => {
  const { look, told, pass } = setUp();
  await look();
  expect(told).toEqual(["VolumeExpansion uid-1: Warning Refused", "StatefulSet uid-db: Warning Refused"]);
  await pass();
  await look();
  expect(told).toHaveLength(2);
});

test("a set that is being re-created hears of it when it is back", async () => {
  const { world, look, told, pass } = setUp();
  world.set = undefined;
  await look();
  expect(told).toEqual(["VolumeExpansion uid-1: Warning Refused"]);
  world.set = aSet({ wish: "data=1Gi,nonsense", uid: "uid-anew" });
  await pass();
  await look();
  await look();
  expect(told.slice(1)).toEqual(["StatefulSet uid-anew: Warning Refused"]);
});

test("what was written is told, though the answer was lost", async () => {
  const { faults, look, told, pass, record } = setUp();
  faults.push({ kind: "lost-answer" });
  await expect(look()).rejects.toThrow();
  expect(record().status?.phase).toBe("Stopped");
  expect(told).toEqual([]);
  await pass();
  await look();
  expect(told).toHaveLength(2);
});
