import { describe, expect, test } from "vitest";
import { fieldErrorText } from "../../admission/verdict.ts";
import { DEFAULT_GATES } from "../../core/gates.ts";
import type { PersistentVolumeClaim, StatefulSet } from "../../core/types.ts";
import { formatWish } from "../../core/wish.ts";
import { aSet, CLASSES, claimsFor } from "../../statefulset/decide/fixtures.ts";
import type { ClaimRow, VolumeExpansion, VolumeExpansionSpec } from "../../statefulset/types.ts";
import type { ExpansionSourceSpec } from "../types.ts";
import { type FollowSetFacts, followSet, isTold, type SetFollowing } from "./follow-set.ts";
import { outcomeOf } from "./outcome.ts";
import { targetsOf } from "./targets.ts";

const BY = { source: "moco", kind: "MySQLCluster", name: "shop" };
const RESOURCE = { group: "moco.cybozu.com", version: "v1beta2", kind: "MySQLCluster", plural: "mysqlclusters" };
const LIST: ExpansionSourceSpec = {
  resource: RESOURCE,
  claimTemplatesPath: ".spec.volumeClaimTemplates",
  statefulSetName: "db",
};
const ALONE: ExpansionSourceSpec = {
  resource: RESOURCE,
  claims: [{ template: "data", path: ".spec.storage.size" }],
  statefulSetName: "db",
};

const SET = aSet({ templates: { data: "100Gi" } });

function shop(data: string, more: Record<string, string> = {}, storageClassName = "fast"): object {
  const volumeClaimTemplates = Object.entries({ data, ...more }).map(([name, storage]) => ({
    metadata: { name },
    spec: { storageClassName, resources: { requests: { storage } } },
  }));
  return { volumeClaimTemplates, storage: { size: data } };
}

interface Given {
  readonly source?: ExpansionSourceSpec;
  readonly wanted: object;
  readonly set?: StatefulSet;
  readonly claims?: readonly PersistentVolumeClaim[];
  readonly record?: VolumeExpansion;
}

function follow({ source = LIST, wanted, set = SET, claims = claimsFor(set), record }: Given): SetFollowing {
  const resource = { metadata: { name: "shop", namespace: "prod" }, spec: wanted };
  const [target] = targetsOf(source, resource);
  if (target === undefined) throw new Error("the resource asks for nothing");
  const facts: FollowSetFacts = {
    by: BY,
    target,
    set,
    record,
    claims,
    others: [],
    classes: CLASSES,
    gates: DEFAULT_GATES,
  };
  return followSet(facts);
}

function aRecord(spec: Partial<VolumeExpansionSpec>, status: Partial<VolumeExpansion["status"]> = {}): VolumeExpansion {
  return {
    metadata: { name: "db", namespace: "prod", generation: 2 },
    spec: { statefulSetName: "db", wishedBy: BY, ...spec },
    status: { observedGeneration: 2, ...status },
  };
}

const wishText = ({ wish }: SetFollowing) => wish && formatWish(wish);
const errorsOf = ({ errors }: SetFollowing) => errors.map(fieldErrorText);

describe("what the record is asked for", () => {
  test.each([
    ["as a list of templates", LIST],
    ["as a size that stands alone", ALONE],
  ])("a larger size, written %s", (_, source) => {
    expect(wishText(follow({ source, wanted: shop("200Gi") }))).toBe("data=200Gi");
  });

  test("nothing, where the set and all its claims have the size: no record is made for that", () => {
    expect(wishText(follow({ wanted: shop("100Gi") }))).toBeUndefined();
  });

  test("the size, where the template was brought along and a claim was not (the lost resize of a set that was not ready)", () => {
    const set = aSet({ templates: { data: "200Gi" } });
    const claims = claimsFor(set, { request: "100Gi", capacity: "100Gi" });
    expect(wishText(follow({ wanted: shop("200Gi"), set, claims }))).toBe("data=200Gi");
  });

  test("the same while it grows and when it has grown, so that the record does not change with each step", () => {
    const record = aRecord({ claims: [{ template: "data", storage: "200Gi" }] });
    const set = aSet({ templates: { data: "200Gi" } });
    expect(wishText(follow({ wanted: shop("200Gi"), record }))).toBe("data=200Gi");
    expect(wishText(follow({ wanted: shop("200Gi"), set, record }))).toBe("data=200Gi");
  });

  test("never a size below the set's", () => {
    const record = aRecord({ claims: [{ template: "data", storage: "200Gi" }] });
    expect(wishText(follow({ wanted: shop("50Gi"), record }))).toBe("");
    expect(wishText(follow({ wanted: shop("50Gi") }))).toBeUndefined();
  });
});

describe("what cannot be followed is told by field, and nothing is asked for", () => {
  test("a class that does not allow expansion", () => {
    const following = follow({ wanted: shop("200Gi", {}, "rigid") });
    expect(errorsOf(following)).toEqual([
      'spec.volumeClaimTemplates[0].spec.resources.requests.storage: Forbidden: storage class "rigid" of template "data" does not allow expansion; set allowVolumeExpansion: true on it',
    ]);
    expect(following.wish).toBeUndefined();
  });

  test("a class of the set's template, where the resource has the size alone", () => {
    const set = aSet({ templates: { data: "100Gi" } });
    for (const template of set.spec.volumeClaimTemplates ?? []) template.spec.storageClassName = "rigid";
    expect(errorsOf(follow({ source: ALONE, wanted: shop("200Gi"), set }))).toEqual([
      expect.stringMatching(/^spec\.storage\.size: Forbidden: storage class "rigid"/),
    ]);
  });

  test("a template that the set does not have", () => {
    expect(errorsOf(follow({ wanted: shop("200Gi", { wal: "10Gi" }) }))).toEqual([
      'spec.volumeClaimTemplates[1]: Forbidden: StatefulSet "db" has no claim template "wal"; remove it here',
    ]);
  });

  test("a size that is none", () => {
    expect(errorsOf(follow({ source: ALONE, wanted: shop("lots") }))).toEqual([
      'spec.storage.size: Invalid value: "lots": is not a size; write a number and its unit, for example 10Gi',
    ]);
  });
});

describe("how it stands", () => {
  const outcome = (given: Given) => {
    const { growth, errors, refusals } = follow(given);
    return outcomeOf({ growth, errors, refusals });
  };

  test("a claim that is already larger is left alone, and is as good as one that has the size", () => {
    const set = aSet({ templates: { data: "200Gi" } });
    const claims = claimsFor(set, { request: "500Gi", capacity: "500Gi" });
    expect(outcome({ wanted: shop("200Gi"), set, claims })).toMatchObject({ kind: "resized" });
  });

  test("claims that scaling down left behind count, unless the record leaves them", () => {
    const three = aSet({ templates: { data: "200Gi" }, replicas: 3 });
    const claims = claimsFor(three, { request: "100Gi", capacity: "100Gi" });
    const offline = aSet({ templates: { data: "200Gi" }, replicas: 0 });
    expect(outcome({ wanted: shop("200Gi"), set: offline, claims })).toMatchObject({ kind: "growing" });
    const record = aRecord({ beyondReplicas: "Leave" });
    expect(outcome({ wanted: shop("200Gi"), set: offline, claims, record })).toMatchObject({ kind: "resized" });
  });

  test("what the API server refused is known from the record's row, as long as it is about this size", () => {
    const row = (to: string): ClaimRow => ({
      name: "data-db-0",
      from: "100Gi",
      to,
      capacity: "100Gi",
      state: "Blocked",
      message: `the API server refused ${to}: exceeded quota`,
    });
    const record = aRecord({ claims: [{ template: "data", storage: "200Gi" }] }, { claims: [row("200Gi")] });
    expect(outcome({ wanted: shop("200Gi"), record })).toEqual({
      kind: "failed",
      message: "Resize failed: data-db-0: the API server refused 200Gi: exceeded quota",
    });
    expect(outcome({ wanted: shop("150Gi"), record })).toMatchObject({ kind: "growing" });
  });

  test.each(["Refused", "TemplateDeferred"])(
    "a record that is stalled as a whole (%s) is a failure in its words",
    (reason) => {
      const message = "MySQLCluster shop asks for data 200Gi: quota exceeded";
      const stalled = { type: "Stalled", status: "True", reason, message };
      const claims = [{ template: "data", storage: "200Gi" }];
      const record = aRecord({ claims }, { conditions: [stalled] });
      expect(outcome({ wanted: shop("200Gi"), record })).toEqual({
        kind: "failed",
        message: "Resize failed: quota exceeded",
      });
      const old = aRecord({ claims }, { conditions: [stalled], observedGeneration: 1 });
      expect(outcome({ wanted: shop("200Gi"), record: old })).toMatchObject({ kind: "growing" });
    },
  );
});

test("a record says it already when sizes, resource and who re-creates are the same", () => {
  const claims = [{ template: "data", storage: "200Gi" }];
  const record = aRecord({ claims, recreatedBy: "Operator" });
  expect(isTold(record, { claims, wishedBy: BY, recreatedBy: "Operator" })).toBe(true);
  expect(isTold(record, { claims, wishedBy: BY })).toBe(false);
  expect(isTold(record, { claims: [], wishedBy: BY, recreatedBy: "Operator" })).toBe(false);
  expect(isTold(record, { claims, wishedBy: { ...BY, name: "other" }, recreatedBy: "Operator" })).toBe(false);
  expect(isTold(undefined, { claims, wishedBy: BY })).toBe(false);
});
