import { describe, expect, test } from "vitest";
import { createCatalog } from "../catalog/catalog.ts";
import type { Kind } from "../kinds/kind.ts";
import { builtInPrinter } from "../table/built-in-printers.ts";
import { hooksOf } from "./hook.ts";
import { isExempt, matchesRule, matchRequest } from "./match.ts";
import { openHookBench, requestFor } from "./testing/hook-bench.ts";

const catalog = createCatalog();
const kind = (group: string, plural: string): Kind => catalog.find(group, "v1", plural)!.kind;
const PODS = kind("", "pods");
const SETS = kind("apps", "statefulsets");
const CLASSES = kind("storage.k8s.io", "storageclasses");
const NAMESPACES = kind("", "namespaces");

const ANY = { apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], operations: ["*"] };

describe("a rule", () => {
  const cases: readonly [string, object, Kind, string | undefined, boolean][] = [
    ["names a resource", { resources: ["pods"] }, PODS, undefined, true],
    ["names another resource", { resources: ["services"] }, PODS, undefined, false],
    ["of a resource leaves its subresources out", { resources: ["pods"] }, PODS, "status", false],
    ["of every resource leaves subresources out", { resources: ["*"] }, PODS, "status", false],
    ["names one subresource", { resources: ["pods/status"] }, PODS, "status", true],
    ["of a subresource leaves the resource out", { resources: ["pods/status"] }, PODS, undefined, false],
    ["names all subresources, and so the resource too", { resources: ["pods/*"] }, PODS, undefined, true],
    ["names a subresource of every resource", { resources: ["*/scale"] }, SETS, "scale", true],
    ["names everything", { resources: ["*/*"] }, SETS, "scale", true],
    ["names a group", { apiGroups: ["apps"] }, SETS, undefined, true],
    ["names the core group", { apiGroups: [""] }, SETS, undefined, false],
    ["names a version", { apiVersions: ["v1beta1"] }, SETS, undefined, false],
    ["is for kinds of the cluster", { scope: "Cluster" }, CLASSES, undefined, true],
    ["is for kinds of the cluster, and not of a namespace", { scope: "Cluster" }, PODS, undefined, false],
    ["counts a namespace among the cluster", { scope: "Namespaced" }, NAMESPACES, undefined, false],
    ["is for both", { scope: "*" }, NAMESPACES, undefined, true],
    ["is for another operation", { operations: ["DELETE"] }, PODS, undefined, false],
    ["is for one of several operations", { operations: ["DELETE", "CREATE"] }, PODS, undefined, true],
    ["without resources is for none", { resources: undefined }, PODS, undefined, false],
  ];
  test.each(cases)("that %s", (_, rule, asked, subresource, expected) => {
    const request = { operation: "CREATE", resource: { kind: asked, printer: builtInPrinter(asked) } } as const;
    expect(matchesRule({ ...ANY, ...rule }, asked, { ...request, subresource, namespace: "d", name: "n" })).toBe(
      expected,
    );
  });
});

test("no webhook is asked about what registers webhooks and policies", () => {
  const names = catalog
    .resources()
    .filter(isExempt)
    .map(({ kind: { plural } }) => plural);
  expect(names).toEqual([
    "mutatingadmissionpolicies",
    "mutatingadmissionpolicybindings",
    "mutatingwebhookconfigurations",
    "validatingadmissionpolicies",
    "validatingadmissionpolicybindings",
    "validatingwebhookconfigurations",
  ]);
});

describe("a webhook", () => {
  const set = {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name: "db", namespace: "prod", labels: { a: "b" } },
  };
  const hook = (more: object) => {
    const [first] = hooksOf({
      metadata: { name: "c" },
      webhooks: [{ name: "h.x.y", clientConfig: { url: "https://h" }, rules: [ANY], ...more }],
    });
    return first!;
  };

  test.each([
    ["everywhere", {}, "prod", true],
    ["in namespaces with a label", { namespaceSelector: { matchLabels: { tier: "gold" } } }, "prod", true],
    ["not in namespaces without it", { namespaceSelector: { matchLabels: { tier: "gold" } } }, "test", false],
    ["for objects with a label", { objectSelector: { matchLabels: { a: "b" } } }, "prod", true],
    ["not for objects without it", { objectSelector: { matchLabels: { a: "c" } } }, "prod", false],
  ])("is called %s", async (_, more, namespace, expected) => {
    const bench = openHookBench();
    for (const [name, tier] of [
      ["prod", "gold"],
      ["test", "none"],
    ] as const)
      await bench.put({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels: { tier } } });
    const request = requestFor(bench.catalog, "CREATE", set, { namespace });
    expect(matchRequest(hook(more), request, bench) !== undefined).toBe(expected);
    await bench.close();
  });

  test("with an objectSelector is called when either the old or the new object has the label", async () => {
    const bench = openHookBench();
    const selecting = hook({ objectSelector: { matchLabels: { a: "b" } } });
    const bare = { ...set, metadata: { name: "db", namespace: "prod" } };
    const between = (old: typeof bare, object: typeof bare) =>
      matchRequest(selecting, requestFor(bench.catalog, "UPDATE", object, { old }), bench) !== undefined;
    expect([between(set, bare), between(bare, set), between(bare, bare)]).toEqual([true, true, false]);
    await bench.close();
  });

  test("with a namespaceSelector refuses what is in no namespace that there is", async () => {
    const bench = openHookBench();
    const request = requestFor(bench.catalog, "CREATE", set);
    const selecting = hook({ namespaceSelector: { matchLabels: { tier: "gold" } } });
    expect(() => matchRequest(selecting, request, bench)).toThrow('namespaces "prod" not found');
    await bench.close();
  });

  describe("for another version of the resource", () => {
    const version = (name: string): Kind => ({ ...SETS, group: "x.io", kind: "Db", plural: "dbs", version: name });
    const versions = createCatalog();
    versions.define(["v1", "v2"].map((name) => ({ kind: version(name), printer: builtInPrinter(SETS) })));
    const db = { ...set, apiVersion: "x.io/v1", kind: "Db" };
    const rules = [{ ...ANY, apiVersions: ["v2"] }];

    test("is asked in that version when its matchPolicy is Equivalent", async () => {
      const bench = openHookBench();
      const request = requestFor(versions, "CREATE", db);
      expect(matchRequest(hook({ rules }), request, { ...bench, catalog: versions })?.version).toBe("v2");
      await bench.close();
    });

    test("is not asked when its matchPolicy is Exact", async () => {
      const bench = openHookBench();
      const request = requestFor(versions, "CREATE", db);
      expect(
        matchRequest(hook({ rules, matchPolicy: "Exact" }), request, { ...bench, catalog: versions }),
      ).toBeUndefined();
      await bench.close();
    });
  });
});
