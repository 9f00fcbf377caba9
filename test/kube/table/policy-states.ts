/** Admission policies and what binds them. Nothing they say is ever matched: their kind of resource does not exist. */
import type { Actor } from "./scene.ts";

const GROUP = "admissionregistration.k8s.io";
const matchConstraints = {
  resourceRules: [{ apiGroups: ["example.com"], apiVersions: ["v1"], operations: ["UPDATE"], resources: ["things"] }],
};
const mutations = [
  { patchType: "JSONPatch", jsonPatch: { expression: '[JSONPatch{op: "test", path: "/kind", value: "Thing"}]' } },
];
const validations = [{ expression: "true" }, { expression: "1 == 1" }];
const paramKind = { apiVersion: "v1", kind: "ConfigMap" };
const parameterNotFoundAction = "Deny";
const selector = {
  matchLabels: { b: "two", a: "one" },
  matchExpressions: [
    { key: "c", operator: "In", values: ["x", "y"] },
    { key: "d", operator: "Exists" },
  ],
};

function binding(name: string, paramRef?: object): readonly Actor[] {
  const spec = { policyName: "x", ...(paramRef === undefined ? {} : { paramRef }) };
  return [
    { kind: `${GROUP}/MutatingAdmissionPolicyBinding`, name, body: { spec } },
    {
      kind: `${GROUP}/ValidatingAdmissionPolicyBinding`,
      name,
      body: { spec: { ...spec, validationActions: ["Deny"] } },
    },
  ];
}

export const POLICY_STATES: readonly Actor[] = [
  {
    kind: `${GROUP}/MutatingAdmissionPolicy`,
    name: "plain",
    body: { spec: { matchConstraints, mutations, reinvocationPolicy: "Never" } },
  },
  {
    kind: `${GROUP}/ValidatingAdmissionPolicy`,
    name: "asks",
    body: { spec: { matchConstraints, validations, paramKind } },
  },
  ...binding("plain"),
  ...binding("named", { name: "p", parameterNotFoundAction }),
  ...binding("placed", { name: "p", namespace: "default", parameterNotFoundAction }),
  ...binding("chosen", { selector, parameterNotFoundAction }),
  ...binding("any", { selector: {}, parameterNotFoundAction }),
];
