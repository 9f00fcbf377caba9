import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Rule, ruleAllows } from "./rbac.ts";
import { describeRules, uncovered } from "./rule-cover.ts";

const pods: Rule = { verbs: ["get", "list"], apiGroups: [""], resources: ["pods"] };

test.each<[string, Rule[], Rule[], number]>([
  ["the same rule", [pods], [pods], 0],
  ["a verb more", [pods], [{ ...pods, verbs: ["get", "delete"] }], 1],
  ["some names of all", [pods], [{ ...pods, resourceNames: ["a"] }], 0],
  ["all names, where some are held", [{ ...pods, resourceNames: ["a"] }], [pods], 2],
  ["a subresource of all", [{ ...pods, resources: ["*/status"] }], [{ ...pods, resources: ["pods/status"] }], 0],
  ["everything, where each single thing is held", [{ ...pods, apiGroups: ["*"] }], [{ ...pods, apiGroups: ["*"] }], 0],
  [
    "a path under one that is held",
    [{ verbs: ["get"], nonResourceURLs: ["/logs/*"] }],
    [{ verbs: ["get"], nonResourceURLs: ["/logs/a"] }],
    0,
  ],
  [
    "a path beside it",
    [{ verbs: ["get"], nonResourceURLs: ["/logs"] }],
    [{ verbs: ["get"], nonResourceURLs: ["/logs/a"] }],
    1,
  ],
  ["parts held by several rules", [pods, { ...pods, verbs: ["delete"] }], [{ ...pods, verbs: ["get", "delete"] }], 0],
])("%s", (_, held, wanted, lacking) => {
  expect(uncovered(held, wanted)).toHaveLength(lacking);
});

test("what is lacking is told by resource, verbs together, sorted", () => {
  const wanted: Rule[] = [
    { verbs: ["get", "delete"], apiGroups: ["", "apps"], resources: ["pods"] },
    { verbs: ["get"], apiGroups: [""], resources: ["configmaps"], resourceNames: ["b", "a"] },
    { verbs: ["get"], nonResourceURLs: ["/metrics"] },
  ];
  expect(describeRules(uncovered([], wanted))).toBe(
    [
      '{APIGroups:[""], Resources:["configmaps"], ResourceNames:["a"], Verbs:["get"]}',
      '{APIGroups:[""], Resources:["configmaps"], ResourceNames:["b"], Verbs:["get"]}',
      '{APIGroups:[""], Resources:["pods"], Verbs:["get" "delete"]}',
      '{APIGroups:["apps"], Resources:["pods"], Verbs:["get" "delete"]}',
      '{NonResourceURLs:["/metrics"], Verbs:["get"]}',
    ].join("\n"),
  );
});

test("whoever holds all of some rules may do all that they allow", () => {
  const some = <T>(...values: T[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });
  const rule: fc.Arbitrary<Rule> = fc.record({
    verbs: some("get", "delete", "*"),
    apiGroups: some("", "apps", "*"),
    resources: some("pods", "pods/status", "*/status", "*"),
    resourceNames: fc.oneof(fc.constant([]), some("a", "b")),
  });
  const attempt = fc.record({
    verb: fc.constantFrom("get", "delete"),
    namespace: fc.constant(undefined),
    group: fc.constantFrom("", "apps"),
    resource: fc.constantFrom("pods", "pods/status", "nodes"),
    name: fc.constantFrom(undefined, "a", "b"),
  });
  let covered = 0;
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 3 }), rule, attempt, (held, wanted, tried) => {
      if (uncovered(held, [wanted]).length > 0 || !ruleAllows(wanted, tried)) return;
      covered++;
      expect(held.some((each) => ruleAllows(each, tried))).toBe(true);
    }),
    { seed: 5, numRuns: 3000 },
  );
  expect(covered).toBeGreaterThan(50);
});
