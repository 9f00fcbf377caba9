import { describe, expect, test } from "vitest";
import type { PersistentVolumeClaim, StatefulSet } from "../../core/types.ts";
import { aClaim, aSet, CLASSES, claimsFor } from "../../statefulset/decide/fixtures.ts";
import type { ClaimRow, VolumeExpansion, VolumeExpansionSpec, VolumeExpansionStatus } from "../../statefulset/types.ts";
import { isOfInterest, judge } from "./judge.ts";
import type { Picture } from "./picture.ts";
import { renderStatus } from "./render.ts";
import type { Growth } from "./report.ts";

function look(picture: Partial<Picture>): readonly Growth[] {
  return judge({ claims: [], sets: [], records: undefined, classes: CLASSES, ...picture });
}

function only(picture: Partial<Picture>): Growth {
  const [growth, ...others] = look(picture);
  expect(others).toEqual([]);
  return growth as Growth;
}

const DATA = { data: "100Gi" };
const REFUSED = { state: "ControllerResizeInfeasible", conditions: { ControllerResizeError: "no room" } };

function record(
  set: StatefulSet,
  status: Partial<VolumeExpansionStatus> & { rows: Readonly<Record<string, Partial<ClaimRow>>>; stalled?: string },
  spec: Partial<VolumeExpansionSpec> = {},
): VolumeExpansion {
  const { rows, stalled, ...more } = status;
  const blank = { from: "100Gi", to: "200Gi", capacity: "100Gi", state: "Growing", message: "" } as const;
  return {
    metadata: { name: set.metadata.name, namespace: "prod" },
    spec: { statefulSetName: set.metadata.name, ...spec },
    status: {
      phase: "Growing",
      claims: Object.entries(rows).map(([name, row]) => ({ name, ...blank, ...row })),
      conditions: [
        { type: "Ready", status: "False", message: stalled ?? "1 of 3 claims have their size" },
        { type: "Stalled", status: stalled === undefined ? "False" : "True", message: stalled ?? "" },
      ],
      ...more,
    },
  };
}

describe("one claim", () => {
  const cases: [behaviour: string, claim: PersistentVolumeClaim, expected: object][] = [
    ["at rest", aClaim("x"), { outcome: "done", claims: [{ state: "Done", why: "", progress: 1 }] }],
    [
      "asked for more",
      aClaim("x", { request: "200Gi", capacity: "100Gi" }),
      { outcome: "growing", claims: [{ from: "100Gi", to: "200Gi", capacity: "100Gi", state: "Growing" }] },
    ],
    [
      "waiting for its node",
      aClaim("x", { request: "200Gi", capacity: "100Gi", state: "NodeResizePending" }),
      { outcome: "growing", claims: [{ state: "Waiting", progress: 0.6 }] },
    ],
    [
      "refused by the storage",
      aClaim("x", { request: "200Gi", capacity: "100Gi", ...REFUSED }),
      {
        outcome: "stuck",
        claims: [
          {
            state: "Failed",
            why: "the storage refused 200Gi: no room; ask for less, but more than 100Gi",
            progress: 0.3,
          },
        ],
      },
    ],
    [
      "refused while a pod uses it: somebody must stop the pod",
      aClaim("x", {
        request: "200Gi",
        capacity: "100Gi",
        conditions: { ControllerResizeError: "rpc error: code = FailedPrecondition desc = in use" },
      }),
      { outcome: "stuck", claims: [{ state: "Waiting" }] },
    ],
    ["not bound: that is nothing that growing could mend", aClaim("x", { phase: "Pending" }), { outcome: "done" }],
    ["lost", aClaim("x", { phase: "Lost" }), { outcome: "stuck", claims: [{ state: "Blocked" }] }],
  ];
  test.each(cases)("%s", (_, claim, expected) => {
    const growth = only({ claims: [claim] });
    expect(growth).toMatchObject({ kind: "PersistentVolumeClaim", namespace: "prod", name: "x", ...expected });
    expect(isOfInterest(growth)).toBe(growth.outcome !== "done");
  });
});

describe("a set", () => {
  test("at rest has its claims, from the highest ordinal down, and is nothing that one must hear of", () => {
    const set = aSet({ templates: DATA });
    const growth = only({ sets: [set], claims: claimsFor(set) });
    expect(growth).toMatchObject({ kind: "StatefulSet", name: "db", outcome: "done", message: "" });
    expect(growth.claims.map(({ name }) => name)).toEqual(["data-db-2", "data-db-1", "data-db-0"]);
    expect(isOfInterest(growth)).toBe(false);
  });

  test("that wants more than its claims were asked for: they are pending", () => {
    const set = aSet({ templates: DATA, wish: "data=200Gi" });
    const growth = only({ sets: [set], claims: claimsFor(set) });
    expect(growth.outcome).toBe("growing");
    expect(growth.claims[0]).toEqual({
      name: "data-db-2",
      from: "100Gi",
      to: "200Gi",
      capacity: "100Gi",
      state: "Pending",
      outcome: "growing",
      why: "is yet to be asked for 200Gi",
      progress: 0,
    });
  });

  test("without a record and without Outgrow in the cluster is done when its claims are", () => {
    const set = aSet({ templates: DATA, wish: "data=200Gi" });
    const claims = claimsFor(set, { request: "200Gi" });
    expect(only({ sets: [set], claims }).outcome).toBe("done");
    expect(only({ sets: [set], claims, records: [] }).outcome).toBe("growing");
  });

  test("one claim that failed does not end it while another grows; when nothing grows it is stuck", () => {
    const set = aSet({ templates: DATA, wish: "data=200Gi", replicas: 2 });
    const failed = aClaim("data-db-0", { request: "200Gi", capacity: "100Gi", ...REFUSED });
    const busy = aClaim("data-db-1", { request: "200Gi", capacity: "100Gi" });
    expect(only({ sets: [set], claims: [failed, busy] }).outcome).toBe("growing");
    expect(only({ sets: [set], claims: [failed, aClaim("data-db-1", { request: "200Gi" })] }).outcome).toBe("stuck");
  });

  test("a wish that cannot be read makes it stuck, and says why", () => {
    const set = aSet({ templates: DATA, wish: "much" });
    expect(only({ sets: [set], claims: claimsFor(set) })).toMatchObject({
      outcome: "stuck",
      message: expect.stringContaining('"much" is not a template and its size') as string,
    });
  });

  test("so does one for a template that it does not have", () => {
    const set = aSet({ templates: DATA, wish: "log=2Gi" });
    expect(only({ sets: [set], claims: claimsFor(set) })).toMatchObject({
      outcome: "stuck",
      message: expect.stringContaining('has no claim template "log"; it has data') as string,
    });
  });

  test("a claim that somebody else asked for more grows by itself, and may fail by itself", () => {
    const set = aSet({ templates: DATA, replicas: 1 });
    const busy = aClaim("data-db-0", { request: "200Gi", capacity: "100Gi" });
    expect(only({ sets: [set], claims: [busy] })).toMatchObject({
      outcome: "growing",
      claims: [{ from: "100Gi", to: "200Gi", state: "Growing" }],
    });
    const failed = aClaim("data-db-0", { request: "200Gi", capacity: "100Gi", ...REFUSED });
    expect(only({ sets: [set], claims: [failed] }).outcome).toBe("stuck");
  });

  test("that restarts pods goes on where one that does not waits for somebody to stop them", () => {
    const set = aSet({ templates: DATA, wish: "data=200Gi", replicas: 1 });
    const inUse = { ControllerResizeError: "rpc error: code = FailedPrecondition desc = in use" };
    const claims = [aClaim("data-db-0", { request: "200Gi", capacity: "100Gi", conditions: inUse })];
    const rows = { "data-db-0": {} };
    expect(only({ sets: [set], claims, records: [record(set, { rows })] }).outcome).toBe("stuck");
    const records = [record(set, { rows }, { restartPods: "WhenNeeded" })];
    expect(only({ sets: [set], claims, records }).outcome).toBe("growing");
  });

  test("without any claims is there all the same", () => {
    expect(only({ sets: [aSet({ templates: DATA, replicas: 0 })] })).toMatchObject({ outcome: "done", claims: [] });
  });

  test("its claims are not told a second time as nobody's, also where two sets could own one", () => {
    const [a, b] = [
      aSet({ name: "a", templates: { "data-b": "1Gi" } }),
      aSet({ name: "b-a", templates: { data: "1Gi" } }),
    ];
    const growths = look({ sets: [a, b], claims: [aClaim("data-b-a-0", { labels: {} })] });
    expect(growths.map(({ kind, name }) => `${kind} ${name}`)).toEqual(["StatefulSet a", "StatefulSet b-a"]);
  });
});

describe("a set with a record", () => {
  const set = aSet({ templates: DATA, wish: "data=200Gi" });
  const rows = { "data-db-0": {}, "data-db-1": {}, "data-db-2": {} };

  test("says where each claim began, and what the controller says", () => {
    const claims = claimsFor(set, { request: "200Gi" });
    const growth = only({ sets: [set], claims, records: [record(set, { rows })] });
    expect(growth).toMatchObject({ outcome: "growing", phase: "Growing", message: "1 of 3 claims have their size" });
    expect(growth.claims[0]).toMatchObject({ from: "100Gi", capacity: "200Gi", state: "Done" });
  });

  test("is done when the record says so, and then there is nothing more to say", () => {
    const claims = claimsFor(set, { request: "200Gi" });
    expect(only({ sets: [set], claims, records: [record(set, { rows, phase: "Done" })] })).toMatchObject({
      outcome: "done",
      message: "",
    });
  });

  test("that is about another size is not asked: the controller has not looked yet", () => {
    const old = record(set, { rows: { ...rows, "data-db-1": { to: "150Gi" } }, phase: "Done" });
    const growth = only({ sets: [set], claims: claimsFor(set), records: [old] });
    expect(growth).toMatchObject({ outcome: "growing", message: "" });
    expect(growth).not.toHaveProperty("phase");
  });

  test("that does not know yet how it is to be done is not asked either", () => {
    const stopped = record(set, { rows, phase: "Stopped", stalled: "data-db-2 failed", observedGeneration: 1 });
    const look = (generation: number) =>
      only({
        sets: [set],
        claims: claimsFor(set),
        records: [{ ...stopped, metadata: { ...stopped.metadata, generation } }],
      }).outcome;
    expect([look(1), look(2)]).toEqual(["stuck", "growing"]);
  });

  test("that was refused is stuck, and its claims say why nobody asks them", () => {
    const refused = record(set, { rows, phase: "Stopped", stalled: "exceeded quota: storage; raise it" });
    const growth = only({ sets: [set], claims: claimsFor(set), records: [refused] });
    expect(growth).toMatchObject({ outcome: "stuck", phase: "Stopped" });
    expect(growth.claims[0]).toMatchObject({ state: "Pending", why: "exceeded quota: storage; raise it" });
  });

  test("one by one: the others say what they wait for", () => {
    const claims = claimsFor(set);
    const growth = only({ sets: [set], claims, records: [record(set, { rows }, { rollout: { mode: "OneByOne" } })] });
    expect(growth.claims.map(({ why }) => why)).toEqual([
      "is yet to be asked for 200Gi",
      "one ordinal at a time, from the highest down",
      "one ordinal at a time, from the highest down",
    ]);
  });

  test("whose template waits for somebody is stuck; one that waits for a rollout is not", () => {
    const claims = claimsFor(set, { request: "200Gi" });
    const deferred = { rows, phase: "UpdatingTemplate" } as const;
    expect(only({ sets: [set], claims, records: [record(set, deferred)] }).outcome).toBe("growing");
    const stalled = record(set, { ...deferred, stalled: "MySQLCluster my controls the set" });
    expect(only({ sets: [set], claims, records: [stalled] }).outcome).toBe("stuck");
  });

  test("that is being re-created is taken from its record", () => {
    const saved = record(set, { rows, phase: "UpdatingTemplate", savedStatefulSet: set });
    expect(only({ claims: claimsFor(set, { request: "200Gi" }), records: [saved] })).toMatchObject({
      kind: "StatefulSet",
      name: "db",
      outcome: "growing",
    });
  });
});

describe("as a table", () => {
  const set = aSet({ templates: DATA, wish: "data=200Gi", replicas: 1 });
  const items = look({
    sets: [set],
    claims: [...claimsFor(set), aClaim("x", { request: "200Gi", capacity: "100Gi", ...REFUSED, labels: {} })],
    records: [record(set, { rows: { "data-db-0": {} }, phase: "Stopped", stalled: "exceeded quota: storage" })],
  });

  test("one line per claim; what holds for a whole set stands below", () => {
    expect(renderStatus({ items, notRead: [] }, { width: undefined, withNamespace: false })).toBe(
      `CLAIM      FROM   TO     CAPACITY  STATE    WHY
data-db-0  100Gi  200Gi  100Gi     Pending  exceeded quota: storage
x          100Gi  200Gi  100Gi     Failed   the storage refused 200Gi: no room; ask for less, but more than 100Gi
sts/db Stopped: exceeded quota: storage
`,
    );
  });

  test("on a screen no line is wider than it; of several namespaces each line tells which", () => {
    const text = renderStatus({ items, notRead: ["storageclasses"] }, { width: 80, withNamespace: true });
    expect(text).toBe(
      `NAMESPACE  CLAIM      FROM   TO     CAPACITY  STATE    WHY
prod       data-db-0  100Gi  200Gi  100Gi     Pending  exceeded quota: storage
prod       x          100Gi  200Gi  100Gi     Failed   the storage refused
                                                       200Gi: no room; ask for
                                                       less, but more than 100Gi
sts/db Stopped: exceeded quota: storage
not read: storageclasses; you may not
`,
    );
    expect(text.split("\n").every((line) => line.length <= 80)).toBe(true);
  });

  test("nothing of interest is no table", () => {
    expect(renderStatus({ items: [], notRead: [] }, { width: 80, withNamespace: false })).toBe("");
  });
});
