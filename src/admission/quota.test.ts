import { describe, expect, test } from "vitest";
import { readClaim } from "../core/claim.ts";
import { Quantity } from "../core/quantity.ts";
import type { PersistentVolumeClaim, ResourceQuota } from "../core/types.ts";
import { aClaim, aQuota, type ClaimTraits } from "./fixtures.ts";
import { chargeQuotas, claimCharges, isClaimResource, recomputeQuota } from "./quota.ts";

const ON = { RecoverExpansionFailure: true };
const OFF = { RecoverExpansionFailure: false };
const FAST = "fast.storageclass.storage.k8s.io";

/** The reason for a refusal, or the usage after it was booked. */
function outcome(
  old: ClaimTraits | undefined,
  next: ClaimTraits,
  quotas: ResourceQuota[],
  subresource?: "status",
): string | Record<string, string>[] {
  const write = { next: aClaim(next), ...(old && { old: aClaim(old) }), ...(subresource && { subresource }) };
  const answer = chargeQuotas(write, quotas, ON);
  return answer.kind === "refused" ? answer.reason : answer.quotas.map((quota) => quota.status?.used ?? {});
}

describe("what a claim is charged", () => {
  test("one claim and its storage, in total and for its class", () => {
    const charges = claimCharges(readClaim(aClaim({ request: "20Gi", allocated: "100Gi" })), ON);
    expect(Object.fromEntries([...charges].map(([name, amount]) => [name, amount.toString()]))).toEqual({
      persistentvolumeclaims: "1",
      "count/persistentvolumeclaims": "1",
      [`${FAST}/persistentvolumeclaims`]: "1",
      "requests.storage": "100Gi",
      [`${FAST}/requests.storage`]: "100Gi",
    });
  });

  test("without a class nothing for classes; without a request no storage, even if some is allocated", () => {
    const claim = readClaim(aClaim({ request: null, allocated: "100Gi", spec: { storageClassName: "" } }));
    expect([...claimCharges(claim, ON).keys()]).toEqual(["persistentvolumeclaims", "count/persistentvolumeclaims"]);
  });

  test.each([
    ["requests.storage", true],
    ["persistentvolumeclaims", true],
    ["count/persistentvolumeclaims", true],
    ["gold.storageclass.storage.k8s.io/requests.storage", true],
    ["gold.storageclass.storage.k8s.io/persistentvolumeclaims", true],
    ["storage", false],
    ["ephemeral-storage", false],
    ["gold.storage.k8s.io/requests.storage", false],
    ["pods", false],
  ])("the name %s: %s", (name, expected) => {
    expect(isClaimResource(name)).toBe(expected);
  });
});

describe("what an edit adds", () => {
  const quota = (used = "10Gi") => aQuota("q", { "requests.storage": "50Gi" }, { "requests.storage": used });

  test.each<[string, ClaimTraits, ClaimTraits, string]>([
    ["growing adds the difference", {}, { request: "40Gi" }, "40Gi"],
    ["lowering frees nothing at once", { request: "40Gi" }, { request: "20Gi" }, "10Gi"],
    [
      "growing back below what is allocated adds nothing",
      { request: "20Gi", allocated: "40Gi" },
      { request: "40Gi", allocated: "40Gi" },
      "10Gi",
    ],
    ["the same size in another notation adds nothing", { request: "1Gi" }, { request: "1024Mi" }, "10Gi"],
    ["fractions are counted as whole bytes", { request: "1" }, { request: "1001m" }, "10737418241"],
  ])("%s", (_, old, next, used) => {
    expect(outcome(old, next, [quota()])).toEqual([{ "requests.storage": used }]);
  });

  test("up to the limit itself is allowed, one byte more is not", () => {
    expect(outcome({}, { request: "50Gi" }, [quota()])).toEqual([{ "requests.storage": "50Gi" }]);
    expect(outcome({}, { request: "53687091201" }, [quota()])).toContain("exceeded quota: q");
  });

  test("a quota that nothing is added to is the same object", () => {
    const untouched = quota();
    const answer = chargeQuotas({ old: aClaim(), next: aClaim() }, [untouched], ON);
    expect(answer.kind === "allowed" && answer.quotas[0]).toBe(untouched);
  });

  test("a new claim is charged in full", () => {
    expect(outcome(undefined, { request: "40Gi" }, [quota()])).toEqual([{ "requests.storage": "50Gi" }]);
  });
});

describe("a refusal, in Kubernetes' words", () => {
  test("one resource", () => {
    const quota = aQuota("q", { "requests.storage": "50Gi" }, { "requests.storage": "10Gi" });
    expect(outcome({}, { request: "100Gi" }, [quota])).toBe(
      "exceeded quota: q, requested: requests.storage=90Gi, used: requests.storage=10Gi, limited: requests.storage=50Gi",
    );
  });

  test("several resources, sorted; those with room are not named", () => {
    const hard = { "requests.storage": "50Gi", [`${FAST}/requests.storage`]: "40Gi", persistentvolumeclaims: "9" };
    const used = { "requests.storage": "10Gi", [`${FAST}/requests.storage`]: "10Gi", persistentvolumeclaims: "1" };
    expect(outcome({}, { request: "100Gi" }, [aQuota("q", hard, used)])).toBe(
      `exceeded quota: q, requested: ${FAST}/requests.storage=90Gi,requests.storage=90Gi, ` +
        `used: ${FAST}/requests.storage=10Gi,requests.storage=10Gi, limited: ${FAST}/requests.storage=40Gi,requests.storage=50Gi`,
    );
  });

  test("the number of claims, at creation", () => {
    const quota = aQuota("few", { persistentvolumeclaims: "1" }, { persistentvolumeclaims: "1" });
    expect(outcome(undefined, {}, [quota])).toBe(
      "exceeded quota: few, requested: persistentvolumeclaims=1, used: persistentvolumeclaims=1, limited: persistentvolumeclaims=1",
    );
  });

  test("of several quotas the first that refuses speaks, and nothing is booked on any", () => {
    const roomy = aQuota("roomy", { "requests.storage": "1Ti" }, { "requests.storage": "10Gi" });
    const tight = aQuota("tight", { "requests.storage": "20Gi" }, { "requests.storage": "10Gi" });
    const tighter = aQuota("tighter", { "requests.storage": "15Gi" }, { "requests.storage": "10Gi" });
    expect(outcome({}, { request: "30Gi" }, [roomy, tight, tighter])).toContain("exceeded quota: tight,");
    expect(roomy.status?.used).toEqual({ "requests.storage": "10Gi" });
  });

  test("usage that was never computed", () => {
    const fresh = aQuota("fresh", { "requests.storage": "50Gi", persistentvolumeclaims: "5" }, {});
    expect(outcome({}, { request: "20Gi" }, [fresh])).toBe(
      "status unknown for quota: fresh, resources: persistentvolumeclaims,requests.storage",
    );
  });

  test("another class has room of its own", () => {
    const slow = "slow.storageclass.storage.k8s.io/requests.storage";
    expect(outcome({}, { request: "100Gi" }, [aQuota("q", { [slow]: "1Gi" }, { [slow]: "0" })])).toEqual([
      { [slow]: "0" },
    ]);
  });

  test("an amount that cannot be read names the quota and the field", () => {
    const broken = aQuota("q", { "requests.storage": "lots" }, { "requests.storage": "10Gi" });
    expect(() => outcome({}, { request: "20Gi" }, [broken])).toThrow(
      'prod/q: status.hard.requests.storage: "lots" is not a quantity',
    );
  });
});

describe("a write to the status", () => {
  const quota = aQuota("q", { "requests.storage": "50Gi" }, { "requests.storage": "10Gi" });

  test("raises usage and is never refused", () => {
    expect(outcome({}, { allocated: "100Gi" }, [quota], "status")).toEqual([{ "requests.storage": "100Gi" }]);
  });

  test("does not make usage look known that was never computed", () => {
    const fresh = aQuota("fresh", { "requests.storage": "1" }, {});
    expect(outcome({}, { allocated: "100Gi" }, [fresh], "status")).toEqual([{}]);
  });

  test("adds nothing when what is allocated was asked for and counted before", () => {
    const asked = aQuota("q", { "requests.storage": "100Gi" }, { "requests.storage": "100Gi" });
    expect(outcome({ request: "100Gi" }, { request: "100Gi", allocated: "100Gi" }, [asked], "status")).toEqual([
      { "requests.storage": "100Gi" },
    ]);
  });
});

describe("which claims a quota counts", () => {
  const used = { "requests.storage": "10Gi" };
  const scoped = (spec: ResourceQuota["spec"]): ResourceQuota => ({
    ...aQuota("q", { "requests.storage": "20Gi" }, used),
    spec: { hard: { "requests.storage": "20Gi" }, ...spec },
  });
  const attributes = (operator: string, ...values: string[]) =>
    scoped({ scopeSelector: { matchExpressions: [{ scopeName: "VolumeAttributesClass", operator, values }] } });
  const gold = { volumeAttributesClassName: "gold" };

  test.each<[string, ResourceQuota, ClaimTraits, boolean]>([
    ["no scope: all", scoped({}), {}, true],
    ["a scope for pods: none", scoped({ scopes: ["BestEffort"] }), {}, false],
    ["Exists, none named", scoped({ scopes: ["VolumeAttributesClass"] }), {}, false],
    ["Exists, one asked for", scoped({ scopes: ["VolumeAttributesClass"] }), { spec: gold }, true],
    ["In, another", attributes("In", "silver"), { spec: gold }, false],
    ["In, asked for", attributes("In", "gold"), { spec: gold }, true],
    ["In, in force", attributes("In", "gold"), { status: { currentVolumeAttributesClassName: "gold" } }, true],
    [
      "In, on its way",
      attributes("In", "gold"),
      { status: { modifyVolumeStatus: { targetVolumeAttributesClassName: "gold" } } },
      true,
    ],
    ["NotIn, none named", attributes("NotIn", "gold"), {}, true],
    ["NotIn, that one", attributes("NotIn", "gold"), { spec: gold }, false],
    ["DoesNotExist, none named", attributes("DoesNotExist"), {}, true],
    ["DoesNotExist, one asked for", attributes("DoesNotExist"), { spec: gold }, false],
  ])("%s", (_, quota, traits, counts) => {
    expect(typeof outcome(traits, { ...traits, request: "90Gi" }, [quota])).toBe(counts ? "string" : "object");
  });

  test("a claim that comes under a quota by this edit is charged in full", () => {
    expect(outcome({ request: "5Gi" }, { request: "5Gi", spec: { ...gold } }, [attributes("In", "gold")])).toEqual([
      { "requests.storage": "15Gi" },
    ]);
  });
});

describe("usage computed anew", () => {
  const hard = { "requests.storage": "1Ti", persistentvolumeclaims: "9", pods: "3" };
  const quota = aQuota("q", hard, { "requests.storage": "999Gi", persistentvolumeclaims: "8", pods: "2" });
  const claims = (...traits: ClaimTraits[]): PersistentVolumeClaim[] => traits.map(aClaim);

  test("is the sum over the claims; what is not about claims stays", () => {
    const { status } = recomputeQuota(quota, claims({ request: "20Gi", allocated: "100Gi" }, { request: "5Gi" }), ON);
    expect(status).toEqual({ hard, used: { "requests.storage": "105Gi", persistentvolumeclaims: "2", pods: "2" } });
  });

  test("is zero without claims, and follows a changed limit", () => {
    const fresh: ResourceQuota = { metadata: { name: "q" }, spec: { hard: { "requests.storage": "5Gi" } } };
    expect(recomputeQuota(fresh, [], ON).status).toEqual({
      hard: { "requests.storage": "5Gi" },
      used: { "requests.storage": "0" },
    });
  });

  test("gate off: usage stays stale until it is computed anew, then counts requests only; on again: what was allocated", () => {
    const recovering = claims({ request: "20Gi", allocated: "100Gi" });
    const storage = (of: ResourceQuota) => of.status?.used?.["requests.storage"];
    const withGate = recomputeQuota(quota, recovering, ON);
    expect(storage(withGate)).toBe("100Gi");
    const [claim] = recovering as [PersistentVolumeClaim];
    const answer = chargeQuotas({ old: claim, next: claim }, [withGate], OFF);
    expect(answer.kind === "allowed" && answer.quotas.map(storage)).toEqual(["100Gi"]);
    expect(storage(recomputeQuota(withGate, recovering, OFF))).toBe("20Gi");
    expect(storage(recomputeQuota(withGate, recovering, ON))).toBe("100Gi");
  });

  test("case 5: 10Gi to 100Gi to 200Gi and back to 20Gi leaves 100Gi counted", () => {
    const steps: ClaimTraits[] = [
      { request: "100Gi", allocated: "10Gi" },
      { request: "100Gi", allocated: "100Gi" },
      { request: "200Gi", allocated: "100Gi" },
      { request: "20Gi", allocated: "100Gi" },
    ];
    const used = steps.map((step) => recomputeQuota(quota, claims(step), ON).status?.used?.["requests.storage"]);
    expect(used).toEqual(["100Gi", "100Gi", "200Gi", "100Gi"]);
  });

  test("sums stay exact at any size", () => {
    const many = Array.from({ length: 1000 }, () => aClaim({ request: "9007199254740993" }));
    const { status } = recomputeQuota(quota, many, ON);
    expect(Quantity.parse(status?.used?.["requests.storage"] ?? "").toBytes()).toBe(9007199254740993000n);
  });
});
