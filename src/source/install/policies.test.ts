import { expect, test } from "vitest";
import type { ExpansionSourceSpec } from "../types.ts";
import { policiesForSource, SOURCE_LABEL } from "./policies.ts";

interface Policy {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: Readonly<Record<string, unknown>>;
}

const resource = { group: "moco.cybozu.com", version: "v1beta2", kind: "MySQLCluster", plural: "mysqlclusters" };
const MOCO: ExpansionSourceSpec = {
  resource,
  claimTemplatesPath: ".spec.volumeClaimTemplates",
  statefulSetName: "moco-{name}",
};

function policiesFor(spec: ExpansionSourceSpec): readonly Policy[] {
  return policiesForSource({ metadata: { name: "moco" }, spec }) as readonly Policy[];
}

test.each<[string, ExpansionSourceSpec, string[]]>([
  [
    "templates are judged by themselves, by their class, and by the set",
    MOCO,
    ["outgrow-source-moco", "outgrow-source-moco-class", "outgrow-source-moco-set"],
  ],
  [
    "a size that stands alone says nothing about its class",
    { resource, claims: [{ template: "data", path: ".spec.size" }], statefulSetSelector: { matchLabels: { a: "b" } } },
    ["outgrow-source-moco", "outgrow-source-moco-set"],
  ],
  [
    "claims without a set are measured by no set",
    { resource, claims: [{ template: "data", path: ".spec.size" }], claimSelector: { matchLabels: { a: "{name}" } } },
    ["outgrow-source-moco"],
  ],
  ["an operator that grows its volumes itself judges for itself", { ...MOCO, grownBy: "Operator" }, []],
])("%s", (_, spec, names) => {
  const objects = policiesFor(spec);
  const policies = objects.filter(({ kind }) => kind === "ValidatingAdmissionPolicy");
  const bindings = objects.filter(({ kind }) => kind === "ValidatingAdmissionPolicyBinding");
  expect(policies.map(({ metadata }) => metadata.name)).toEqual(names);
  expect(bindings.map((binding) => binding.spec["policyName"])).toEqual(names);
});

test("they look at updates of the kind alone, are in nobody's way when they fail, and are found by their source", () => {
  for (const { kind, metadata, spec } of policiesFor(MOCO)) {
    expect(metadata.labels[SOURCE_LABEL]).toBe("moco");
    if (kind !== "ValidatingAdmissionPolicy") continue;
    expect(spec).toMatchObject({
      failurePolicy: "Ignore",
      matchConstraints: {
        resourceRules: [{ apiGroups: ["moco.cybozu.com"], operations: ["UPDATE"], resources: ["mysqlclusters"] }],
      },
      matchConditions: [{ expression: "object.?spec.?volumeClaimTemplates != oldObject.?spec.?volumeClaimTemplates" }],
    });
  }
});

test("fields whose names are no words of CEL are found between brackets", () => {
  const path = '.spec["pg.data"].namespace.size';
  const [policy] = policiesFor({ resource, claims: [{ template: "data", path }], statefulSetName: "{name}" });
  expect(policy?.spec["matchConditions"]).toEqual([
    {
      name: "sizes-are-touched",
      expression: "object.?spec[?'pg.data'][?'namespace'].?size != oldObject.?spec[?'pg.data'][?'namespace'].?size",
    },
  ]);
});
