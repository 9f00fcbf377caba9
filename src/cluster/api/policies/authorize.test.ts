/** The words are held against a real server's in test/kube/policy-engine. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import { requestFor } from "../webhooks/testing/hook-bench.ts";
import { openPolicyBench, type PolicyBench } from "./testing/policy-bench.ts";
import { bindingOf, policyOf } from "./testing/policy-objects.ts";

let bench: PolicyBench;
beforeEach(() => {
  bench = openPolicyBench();
});
afterEach(() => bench.close());

const alice = { name: "alice", groups: ["team"] };
const paramKind = { apiVersion: "v1", kind: "Secret" };
const policy = policyOf("Validating", "p", { paramKind, validations: [{ expression: "true" }] });
const binding = bindingOf("Validating", "p", {
  paramRef: { name: "s", namespace: "prod", parameterNotFoundAction: "Deny" },
});

function write(object: JsonObject, more: object = {}): void {
  void bench.policies.params.validate?.(requestFor(bench.catalog, "CREATE", object, { user: alice, ...more }));
}

async function mayRead(resourceNames: string[] = []): Promise<void> {
  const rbac = { apiVersion: "rbac.authorization.k8s.io/v1" };
  const rules = [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"], resourceNames }];
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "reader" };
  await bench.put(
    { ...rbac, kind: "ClusterRole", metadata: { name: "reader" }, rules },
    {
      ...rbac,
      kind: "ClusterRoleBinding",
      metadata: { name: "alice" },
      roleRef,
      subjects: [{ kind: "User", name: "alice" }],
    },
  );
}

test("who writes a policy with params must be able to read all of that kind", async () => {
  expect(() => write(policy)).toThrow(
    'ValidatingAdmissionPolicy.admissionregistration.k8s.io "p" is invalid: spec.paramKind: Forbidden: user &{alice  [team] map[]} must have "get" permission on all objects of the referenced paramKind (kind=Secret, apiVersion=v1)',
  );
  await mayRead();
  write(policy);
});

test("who writes a binding must be able to read the params that it names", async () => {
  await bench.put(policy);
  const why =
    'spec.paramRef: Forbidden: user &{alice  [team] map[]} does not have "get" permission on the object referenced by paramRef';
  expect(() => write(binding)).toThrow(why);
  await mayRead(["other"]);
  expect(() => write(binding)).toThrow(why);
  await mayRead(["s"]);
  write(binding);
});

test("a binding to a policy that is not there could mean anything", () => {
  expect(() => write(binding)).toThrow(
    'unable to get policy p to determine minimum required permissions and user &{alice  [team] map[]} does not have "get" permission for all groups, versions and resources',
  );
});

test("administrators, what has no params, and what had the same before are not asked about", () => {
  write(policy, { user: { name: "root", groups: ["system:masters"] } });
  write(policyOf("Validating", "p", {}));
  write(policy, { old: policy });
});
