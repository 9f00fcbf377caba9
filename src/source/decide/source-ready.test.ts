import { describe, expect, test } from "vitest";
import { invalid } from "../../admission/verdict.ts";
import { rulesForSource } from "../install/role.ts";
import type { ExpansionSource } from "../types.ts";
import { type SourceFacts, withReady } from "./source-ready.ts";

const NOW = Date.parse("2026-11-16T08:00:00Z");
const LATER = NOW + 60_000;

const source: ExpansionSource = {
  metadata: { name: "moco", generation: 3, creationTimestamp: "2026-02-01T00:00:00Z" },
  spec: {
    resource: { group: "moco.cybozu.com", version: "v1beta2", kind: "MySQLCluster", plural: "mysqlclusters" },
    claimTemplatesPath: ".spec.volumeClaimTemplates",
    statefulSetName: "moco-{name}",
    condition: "VolumeResized",
  },
};
const fine: SourceFacts = {
  errors: [],
  served: true,
  missingRules: [],
  conflicts: [],
  notReported: undefined,
  resources: 2,
};
const shop = { kind: "MySQLCluster", metadata: { name: "shop", namespace: "prod" } };
const conflict = {
  follower: "StatefulSet prod/moco-shop",
  winner: { source: { metadata: { name: "first" } }, resource: shop, follower: "" },
  loser: { source, resource: shop, follower: "" },
};

function ready(facts: Partial<SourceFacts>, of = source): string {
  const condition = withReady(of, { ...fine, ...facts }, NOW).status?.conditions?.[0];
  return `${condition?.status} ${condition?.reason}: ${condition?.message}`;
}

describe("a source says of itself", () => {
  test.each<[string, Partial<SourceFacts>, string]>([
    ["that it is followed", {}, "True Followed: sizes of MySQLCluster are followed"],
    ["that nobody has looked yet", { served: undefined }, "Unknown Starting: looking for MySQLCluster"],
    [
      "what is wrong with it",
      { errors: [invalid("spec.statefulSetName", "x", "have {name} in it")] },
      'False Invalid: spec.statefulSetName: Invalid value: "x": have {name} in it; nothing is followed until then',
    ],
    [
      "that the kind is not there",
      { served: false },
      "False KindNotServed: the API server has no namespaced MySQLCluster in moco.cybozu.com/v1beta2; install its operator, or correct spec.resource; it is found by itself then",
    ],
    [
      "the exact rule that is missing",
      { missingRules: rulesForSource(source.spec).slice(1) },
      'False Forbidden: the controller may not patch mysqlclusters/status of moco.cybozu.com; kubectl get xs moco -o yaml | outgrow sources enable -f - gives it a role with rules: [{apiGroups: ["moco.cybozu.com"], resources: ["mysqlclusters/status"], verbs: ["patch"]}]',
    ],
    [
      "whom its sets follow",
      { conflicts: [conflict, conflict] },
      'False ClaimedTwice: StatefulSet prod/moco-shop follows source "first" (MySQLCluster prod/shop) already, and not this source (MySQLCluster prod/shop); there are others; delete one of the sources, or let them name different sets',
    ],
    [
      "that it cannot report",
      { notReported: "MySQLCluster has no status subresource" },
      "False NotReported: sizes are followed, but not reported: MySQLCluster has no status subresource",
    ],
  ])("%s", (_, facts, expected) => {
    expect(ready(facts)).toBe(expected);
  });

  test("the first thing to do, where there are several", () => {
    const missingRules = rulesForSource(source.spec);
    expect(ready({ served: false, missingRules, conflicts: [conflict] })).toContain("KindNotServed");
    expect(ready({ missingRules, conflicts: [conflict] })).toContain("Forbidden");
  });
});

describe("the status is written", () => {
  const first = withReady(source, fine, NOW);

  test("with the generation and the number of resources", () => {
    expect(first.status).toEqual({
      observedGeneration: 3,
      resources: 2,
      conditions: [
        {
          type: "Ready",
          status: "True",
          reason: "Followed",
          message: "sizes of MySQLCluster are followed",
          lastTransitionTime: "2026-11-16T08:00:00Z",
        },
      ],
    });
  });

  test("not again when nothing differs", () => {
    expect(withReady(first, fine, LATER)).toBe(first);
  });

  test("with the old transition time while the status stays, a new one when it changes", () => {
    const since = (facts: Partial<SourceFacts>) =>
      withReady(first, { ...fine, ...facts }, LATER).status?.conditions?.[0]?.lastTransitionTime;
    expect(since({ resources: 3 })).toBe("2026-11-16T08:00:00Z");
    expect(since({ served: false })).toBe("2026-11-16T08:01:00Z");
  });

  describe("by controllers of different namespaces, each for its own", () => {
    const [a, b] = [
      { ...fine, byNamespace: new Map([["shop", 2]]) },
      {
        ...fine,
        byNamespace: new Map([
          ["bank", 3],
          ["mine", 0],
        ]),
      },
    ];
    const both = withReady(withReady(source, a, NOW), b, NOW);

    test("and the number is the sum, whoever wrote last", () => {
      expect(both.status).toMatchObject({
        resources: 5,
        namespaces: [{ namespace: "bank" }, { namespace: "mine" }, {}],
      });
      expect(both.status?.conditions?.[0]?.message).toBe("sizes of MySQLCluster are followed in bank, mine, shop");
      expect(withReady(withReady(source, b, NOW), a, NOW)).toEqual(both);
    });

    test("and nobody writes again for what another has written", () => {
      expect(withReady(both, a, LATER)).toBe(both);
      expect(withReady(both, b, LATER)).toBe(both);
    });

    test("and what one of them lacks is told, with where, until it has it", () => {
      const lacks = withReady(both, { ...a, missingRules: rulesForSource(source.spec) }, LATER);
      expect(lacks.status?.conditions?.[0]).toMatchObject({ status: "False", reason: "Forbidden" });
      expect(lacks.status?.conditions?.[0]?.message).toMatch(/^in shop: the controller may not get, list, watch/);
      expect(withReady(lacks, b, LATER)).toBe(lacks);
      expect(withReady(lacks, a, LATER).status?.conditions?.[0]?.status).toBe("True");
    });

    test("and what is wrong everywhere is told without", () => {
      const gone = { served: false };
      const none = withReady(withReady(both, { ...a, ...gone }, LATER), { ...b, ...gone }, LATER);
      expect(none.status?.conditions?.[0]?.message).toMatch(/^the API server has no namespaced MySQLCluster/);
    });

    test("and one of all namespaces takes over from them", () => {
      const all = withReady(both, { ...fine, resources: 7 }, LATER);
      expect(all.status?.namespaces).toBeUndefined();
      expect(all.status).toMatchObject({
        resources: 7,
        conditions: [{ message: "sizes of MySQLCluster are followed" }],
      });
    });
  });

  test("beside conditions of others", () => {
    const other = { type: "Other", status: "True" };
    const written = withReady({ ...source, status: { conditions: [other] } }, fine, NOW);
    expect(written.status?.conditions?.map(({ type }) => type)).toEqual(["Other", "Ready"]);
  });
});
