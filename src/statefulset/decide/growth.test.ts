import { describe, expect, test } from "vitest";
import { DEFAULT_GATES } from "../../core/gates.ts";
import type { StatefulSet } from "../../core/types.ts";
import type { VolumeExpansion, VolumeExpansionStatus } from "../types.ts";
import { claimsOf } from "./claim-ownership.ts";
import {
  aClaim,
  aSet,
  CLASSES,
  type ClaimTraits,
  claimsFor,
  NOW,
  ownerReference,
  podsFor,
  type SetTraits,
} from "./fixtures.ts";
import { decideGrowth, type Growth, type GrowthFacts, isWorthTelling } from "./growth.ts";
import { templateWay } from "./template-way.ts";

const WISH: SetTraits = { templates: { data: "100Gi" }, wish: "data=200Gi" };

function facts(set: StatefulSet, more: Partial<GrowthFacts> = {}): GrowthFacts {
  return {
    set,
    record: undefined,
    claims: claimsFor(set),
    others: [],
    pods: podsFor(set),
    classes: CLASSES,
    quotas: [],
    limitRanges: [],
    gates: DEFAULT_GATES,
    refused: new Map(),
    now: NOW,
    ...more,
  };
}

const wayOf = (given: GrowthFacts) => (desired: Growth["desired"]) =>
  templateWay({
    ...given,
    desired,
    claims: claimsOf(given.set, given.claims).owned,
    takesEdits: false,
    dryRun: undefined,
    evenIfOwned: given.record?.spec.evenIfOwned === true,
  });

function decide(traits: SetTraits, more: Partial<GrowthFacts> = {}): Growth {
  const given = facts(aSet(traits), more);
  return decideGrowth(given, wayOf(given));
}

function aRecord(status: VolumeExpansionStatus, spec: Partial<VolumeExpansion["spec"]> = {}): VolumeExpansion {
  return { metadata: { name: "db", namespace: "prod" }, spec: { statefulSetName: "db", ...spec }, status };
}

const started = ({ rollout }: Growth): string[] => rollout.start.map(({ name }) => name);
const QUOTA = {
  metadata: { name: "storage", namespace: "prod" },
  spec: { hard: { "requests.storage": "400Gi" } },
  status: { hard: { "requests.storage": "400Gi" }, used: { "requests.storage": "300Gi" } },
};
/** What a record says of a growth that has begun. */
const BEGUN: VolumeExpansionStatus = {
  phase: "Growing",
  claims: [{ name: "data-db-0", from: "100Gi", to: "200Gi", capacity: "100Gi", state: "Growing", message: "" }],
};

test("a wish within the rules: all claims are asked, from the highest ordinal", () => {
  const growth = decide(WISH);
  expect(growth.refusals).toEqual([]);
  expect(started(growth)).toEqual(["data-db-2", "data-db-1", "data-db-0"]);
});

describe("nothing is started, and the refusal says why, when", () => {
  test.each<[string, SetTraits, Partial<GrowthFacts>, RegExp]>([
    ["the wish cannot be read", { wish: "data=lots" }, {}, /^StatefulSet prod\/db: annotation outgrow.dev\/claims: /],
    [
      "the wish names no template of the set",
      { wish: "logs=1Gi" },
      {},
      /has no claim template "logs"; it has data, wal/,
    ],
    [
      "there is no quota for all of them together",
      WISH,
      { quotas: [QUOTA] },
      /exceeded quota.*; raise quota "storage"/,
    ],
    [
      "a controller owns the set",
      {
        ...WISH,
        metadata: {
          ownerReferences: [
            ownerReference({ apiVersion: "x/v1", kind: "Cluster", metadata: { name: "pg", uid: "u" } }),
          ],
        },
      },
      {},
      /^Cluster pg owns the set.*ExpansionSource/,
    ],
    ["the gate is off", WISH, { gates: { ...DEFAULT_GATES, StatefulSetVolumeExpansion: false } }, /gate .* is off/],
    ["it is a size below what everybody has", { ...WISH, wish: "data=50Gi" }, {}, /volumes never shrink/],
    [
      "the record names another set",
      WISH,
      { record: { metadata: { name: "db" }, spec: { statefulSetName: "other" } } },
      /a record has the name of its set/,
    ],
  ])("%s", (_, traits, more, reason) => {
    const growth = decide(traits, more);
    expect(growth.refusals).toHaveLength(1);
    expect(growth.refusals[0]).toMatch(reason);
  });

  test("the class does not allow it, for one template of two", () => {
    const set = aSet({ wish: "data=200Gi,wal=20Gi" });
    const claims = claimsFor(set).map((claim) =>
      claim.metadata.name.startsWith("wal") ? { ...claim, spec: { ...claim.spec, storageClassName: "rigid" } } : claim,
    );
    expect(decide({ wish: "data=200Gi,wal=20Gi" }, { claims }).refusals).toEqual([
      'storage class "rigid" does not allow expansion; set allowVolumeExpansion: true on it',
    ]);
  });
});

describe("what has begun is not taken back", () => {
  test("by a quota that is used up meanwhile", () => {
    const growth = decide(WISH, { quotas: [QUOTA], record: aRecord(BEGUN) });
    expect(growth.refusals).toEqual([]);
    expect(started(growth)).toHaveLength(3);
  });

  test("but another size is a new beginning, and so is one that was refused", () => {
    expect(decide({ ...WISH, wish: "data=300Gi" }, { quotas: [QUOTA], record: aRecord(BEGUN) }).refusals).toHaveLength(
      1,
    );
    const conditions = [{ type: "Ready", status: "False", reason: "Refused" }];
    const record = aRecord({ ...BEGUN, phase: "Stopped", conditions });
    expect(decide(WISH, { quotas: [QUOTA], record }).refusals).toHaveLength(1);
  });

  test("while the set is being re-created", () => {
    const record = aRecord({ ...BEGUN, phase: "Checking", savedStatefulSet: aSet(WISH) });
    expect(decide(WISH, { quotas: [QUOTA], record }).refusals).toEqual([]);
  });

  test("a claim that has gone back to a smaller size is in order, although the template is larger", () => {
    const traits = { templates: { data: "200Gi" }, wish: "data=150Gi" };
    const sizes: ClaimTraits[] = [
      { request: "150Gi", capacity: "100Gi", state: "ControllerResizeInProgress" },
      { request: "200Gi" },
      { request: "200Gi" },
    ];
    const claims = sizes.map((each, ordinal) => aClaim(`data-db-${ordinal}`, each));
    expect(decide(traits, { claims }).refusals).toEqual([]);
  });
});

test("a claim that the API server refused says so, and the others go on", () => {
  const growth = decide(WISH, { refused: new Map([["data-db-1", "exceeded quota"]]) });
  expect(started(growth)).toEqual(["data-db-2", "data-db-0"]);
  expect(growth.plans.find(({ name }) => name === "data-db-1")).toMatchObject({
    kind: "blocked",
    because: "refused",
    reason: "the API server refused 200Gi: exceeded quota",
  });
});

test("a claim that is stuck does not keep the others from starting", () => {
  const claims = claimsFor(aSet(WISH)).map((claim) =>
    claim.metadata.name === "data-db-1" ? aClaim("data-db-1", { phase: "Lost" }) : claim,
  );
  const growth = decide(WISH, { claims });
  expect(growth.refusals).toEqual([]);
  expect(started(growth)).toEqual(["data-db-2", "data-db-0"]);
});

describe("a record is worth having", () => {
  const OFF = { ...DEFAULT_GATES, StatefulSetVolumeExpansion: false };
  const SMALL: Partial<GrowthFacts> = { claims: [aClaim("data-db-0", { request: "50Gi" })] };
  const AT_REST: SetTraits = { templates: { data: "100Gi" }, replicas: 1 };
  test.each<[string, SetTraits, Partial<GrowthFacts>, boolean]>([
    ["for a wish", WISH, {}, true],
    ["for a wish that cannot be read", { wish: "x" }, {}, true],
    ["for a claim below its template", AT_REST, SMALL, true],
    [
      "for a claim that somebody else has asked already",
      AT_REST,
      { claims: [aClaim("data-db-0", { capacity: "50Gi" })] },
      true,
    ],
    ["not for a set at rest", AT_REST, {}, false],
    ["not for a claim that is larger", AT_REST, { claims: [aClaim("data-db-0", { request: "300Gi" })] }, false],
    ["not for a claim that is not bound yet", AT_REST, { claims: [aClaim("data-db-0", { phase: "Pending" })] }, false],
    ["with the gate off, for a wish", WISH, { gates: OFF }, true],
    ["not with the gate off, for a claim below its template", AT_REST, { ...SMALL, gates: OFF }, false],
  ])("%s", (_, traits, more, isWorth) => {
    const given = facts(aSet(traits), more);
    const growth = decideGrowth(given, wayOf(given));
    const way = wayOf(given)(growth.desired.length === 0 ? [] : growth.desired);
    expect(isWorthTelling(growth, growth.desired.length === 0 ? { kind: "up-to-date" } : way, given.gates)).toBe(
      isWorth,
    );
  });
});
