import { expect, test } from "vitest";
import { ADMISSION_POLICIES } from "./index.ts";
import { cel } from "./policy.ts";

interface Policy {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly policyName?: string;
    readonly failurePolicy?: string;
    readonly variables?: readonly { readonly name: string; readonly expression: string }[];
    readonly matchConditions?: readonly { readonly name: string }[];
    readonly validations?: readonly { readonly messageExpression?: string; readonly reason?: string }[];
  };
}

const objects = ADMISSION_POLICIES as readonly Policy[];
const policies = objects.filter(({ kind }) => kind.endsWith("Policy"));

test("every policy is bound", () => {
  const bound = objects.filter(({ kind }) => kind.endsWith("PolicyBinding")).map(({ spec }) => spec.policyName);
  expect(policies.map(({ metadata }) => metadata.name)).toEqual(bound);
});

test.each(policies.map((policy) => [policy.metadata.name, policy] as const))(
  "%s is in nobody's way: it is ignored when it fails, and lets the controller pass",
  (_, { spec }) => {
    expect(spec.failurePolicy).toBe("Ignore");
    expect(spec.matchConditions?.map(({ name }) => name)).toContain("not-the-controller");
  },
);

test.each(policies.map((policy) => [policy.metadata.name, policy] as const))(
  "%s defines a variable before it is used, and uses every one",
  (_, { spec }) => {
    const rest = JSON.stringify({ ...spec, variables: [] });
    for (const [index, { name, expression }] of (spec.variables ?? []).entries()) {
      const known = new Set(spec.variables?.slice(0, index).map((variable) => variable.name));
      const used = [...expression.matchAll(/variables\.(\w+)/g)].map((match) => match[1]);
      expect(used.filter((each) => each === undefined || !known.has(each))).toEqual([]);
      const later = JSON.stringify(spec.variables?.slice(index + 1)) + rest;
      expect(later, `variables.${name} is used`).toContain(`variables.${name}`);
    }
  },
);

test("every refusal says why", () => {
  const validations = policies.flatMap(({ spec }) => spec.validations ?? []);
  expect(validations.length).toBeGreaterThan(5);
  for (const validation of validations) {
    expect(validation).toMatchObject({ messageExpression: expect.any(String), reason: "Forbidden" });
  }
});

test("expressions keep their inner indentation and lose the outer", () => {
  expect(cel`
    a
      && ${"b"}`).toBe("a\n  && b");
});
