import { describe, expect, test } from "vitest";
import { WISH_ANNOTATION } from "../../core/names.ts";
import type { StatefulSet } from "../../core/types.ts";
import { JOURNAL_FINALIZER } from "../../statefulset/decide/recreate-step.ts";
import { SUSPENDED_POLICY } from "../../statefulset/decide/retention-policy.ts";
import { RECREATE_FINALIZER } from "../../statefulset/decide/saved-set.ts";
import type { VolumeExpansion, VolumeExpansionStatus } from "../../statefulset/types.ts";
import { inFlight } from "./in-flight.ts";

function set(metadata: Partial<StatefulSet["metadata"]> = {}): StatefulSet {
  const template = { metadata: { name: "data" }, spec: { resources: { requests: { storage: "100Gi" } } } };
  return {
    metadata: { name: "db", namespace: "prod", ...metadata },
    spec: { selector: {}, template: {}, volumeClaimTemplates: [template] },
  };
}

function record(status: VolumeExpansionStatus, finalizers?: string[]): VolumeExpansion {
  const metadata = { name: "db", namespace: "prod", ...(finalizers === undefined ? {} : { finalizers }) };
  return { metadata, spec: { statefulSetName: "db" }, status };
}

const condition = (type: string, status: string, message = "") => ({ type, status, message });
const DONE: VolumeExpansionStatus = { phase: "Done", conditions: [condition("Ready", "True")] };
const found = (sets: StatefulSet[], records: VolumeExpansion[] = []) =>
  inFlight(sets, records).map(({ weight, namespace, object, what }) => `${weight} ${namespace} ${object}: ${what}`);

describe("nothing is in flight", () => {
  test.each<[string, StatefulSet[], VolumeExpansion[]]>([
    ["in an empty cluster", [], []],
    ["for a set that nobody asked anything of", [set()], []],
    ["once a wish is fulfilled", [set({ annotations: { [WISH_ANNOTATION]: "data=100Gi" } })], [record(DONE)]],
    ["for a wish below what the template has", [set({ annotations: { [WISH_ANNOTATION]: "data=50Gi" } })], []],
    ["for finalizers of others", [set({ finalizers: ["example.com/x"] })], []],
  ])("%s", (_, sets, records) => {
    expect(inFlight(sets, records)).toEqual([]);
  });
});

describe("in flight is", () => {
  test("a set that exists nowhere but in its record: that would be lost", () => {
    const saved = record({ ...DONE, savedStatefulSet: set() }, [JOURNAL_FINALIZER]);
    expect(inFlight([], [saved])).toEqual([
      {
        weight: "lost",
        namespace: "prod",
        object: "vx/db",
        what: "sts/db is being re-created, and may exist nowhere but here",
        without: "the set is gone for good with this record; it stands in status.savedStatefulSet",
      },
    ]);
  });

  test("a retention policy that is suspended, and a set that cannot be deleted", () => {
    const marked = set({
      annotations: { [SUSPENDED_POLICY]: "whenDeleted=Delete,whenScaled=Retain" },
      finalizers: [RECREATE_FINALIZER],
    });
    expect(found([marked])).toEqual([
      "marked prod sts/db: its retention policy is suspended: whenDeleted=Delete,whenScaled=Retain",
      "marked prod sts/db: it has the finalizer outgrow.dev/recreate",
    ]);
  });

  test("a record that cannot be deleted", () => {
    expect(found([], [record(DONE, [JOURNAL_FINALIZER])])).toEqual([
      "marked prod vx/db: it has the finalizer outgrow.dev/journal",
    ]);
  });

  test("a wish that the template has not reached, and one that nobody can read", () => {
    expect(found([set({ annotations: { [WISH_ANNOTATION]: "data=200Gi" } })])).toEqual([
      "unfinished prod sts/db: wants data=200Gi (now 100Gi)",
    ]);
    expect(found([set({ annotations: { [WISH_ANNOTATION]: "data" } })])).toEqual([
      expect.stringMatching(/^unfinished prod sts\/db: wants what cannot be read: .*"data" is not a template/),
    ]);
  });

  test.each<[string, VolumeExpansionStatus, string]>([
    ["growing", { conditions: [condition("Ready", "False", "1 of 3 claims")] }, "growing: 1 of 3 claims"],
    [
      "stalled",
      { conditions: [condition("Ready", "False", "no space"), condition("Stalled", "True", "no space")] },
      "stalled: no space",
    ],
    ["not looked at yet", {}, "growing: not looked at yet"],
  ])("a growth that is %s", (_, status, what) => {
    expect(found([], [record(status)])).toEqual([`unfinished prod vx/db: ${what}`]);
  });
});

test("the gravest comes first, then namespaces and names in order", () => {
  const wishes = { [WISH_ANNOTATION]: "data=200Gi" };
  const sets = [
    set({ namespace: "b", annotations: wishes }),
    set({ namespace: "a", name: "z", annotations: wishes }),
    set({ namespace: "a", name: "y", annotations: wishes }),
    set({ namespace: "c", finalizers: [RECREATE_FINALIZER] }),
  ];
  const order = inFlight(sets, [record({ ...DONE, savedStatefulSet: set() })]);
  expect(order.map(({ namespace, object }) => `${namespace} ${object}`)).toEqual([
    "prod vx/db",
    "c sts/db",
    "a sts/y",
    "a sts/z",
    "b sts/db",
  ]);
});
