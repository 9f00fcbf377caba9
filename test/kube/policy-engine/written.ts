/** Policies and bindings as they may and may not be written. */
import type { Json, JsonObject } from "../../../src/cluster/api/json.ts";

export interface Written {
  readonly name: string;
  readonly object: JsonObject;
}

const GROUP = "admissionregistration.k8s.io/v1";
const RULE = { apiGroups: ["apps"], apiVersions: ["v1"], resources: ["statefulsets"], operations: ["CREATE"] };
const VALIDATING = { matchConstraints: { resourceRules: [RULE] }, validations: [{ expression: "true" }] };
const MUTATION = { patchType: "JSONPatch", jsonPatch: { expression: "[JSONPatch{op: 'test', path: '/a', value: 1}]" } };
const MUTATING = { matchConstraints: { resourceRules: [RULE] }, mutations: [MUTATION], reinvocationPolicy: "Never" };

const written =
  (kind: string, good: JsonObject, metadata: JsonObject = { name: "x" }) =>
  ([name, change]: readonly [string, JsonObject]): Written => {
    const spec = Object.fromEntries(Object.entries({ ...good, ...change }).filter(([, value]) => value !== null));
    return { name: `${kind}: ${name}`, object: { apiVersion: GROUP, kind, metadata, spec } };
  };

const match = (more: JsonObject): JsonObject => ({ matchConstraints: { resourceRules: [RULE], ...more } });
const rule = (more: JsonObject): JsonObject => ({ matchConstraints: { resourceRules: [{ ...RULE, ...more }] } });
const params = (apiVersion: string, kind: string): JsonObject => ({ paramKind: { apiVersion, kind } });
const condition = (...conditions: Json[]): JsonObject => ({ matchConditions: conditions });
const variables = (...all: Json[]): JsonObject => ({ variables: all });

/** On top of a good one; null takes a field away. */
const BOTH: readonly (readonly [string, JsonObject])[] = [
  ["a good one", {}],
  ["no constraints", { matchConstraints: null }],
  ["no rules", { matchConstraints: {} }],
  ["a wrong failurePolicy", { failurePolicy: "Maybe" }],
  ["a wrong matchPolicy", match({ matchPolicy: "Maybe" })],
  ["a wrong selector", match({ namespaceSelector: { matchExpressions: [{ key: "a", operator: "Near" }] } })],
  ["a wrong object selector", match({ objectSelector: { matchLabels: { "-": "a" } } })],
  ["names", rule({ resourceNames: ["a", "b"] })],
  ["wrong names", rule({ resourceNames: ["a/b", "..", "a/b"] })],
  ["no operations", rule({ operations: [] })],
  ["a wrong operation", rule({ operations: ["GET"] })],
  ["all stars", rule({ apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"], operations: ["*"] })],
  ["a wrong exclusion", match({ excludeResourceRules: [{ ...RULE, resources: ["*", "a"] }] })],
  ["params", params("v1", "ConfigMap")],
  ["params of a group", params("example.com/v1", "Thing")],
  ["params without a version", params("", "Thing")],
  ["params of too many parts", params("a/b/c", "Thing")],
  ["params of a wrong group", params("A_b/v1", "Thing")],
  ["params of a wrong version", params("a/V1", "Thing")],
  ["params with an empty version", params("a/", "Thing")],
  ["params without a kind", params("v1", "")],
  ["params of a wrong kind", params("v1", "Thing!")],
  ["a condition", condition({ name: "a.b/c", expression: " object.spec.replicas > 1 " })],
  ["a condition without a name", condition({ name: "", expression: "true" })],
  ["a condition with a wrong name", condition({ name: "a b", expression: "true" })],
  ["a condition without an expression", condition({ name: "a", expression: "  " })],
  ["a condition twice", condition({ name: "a", expression: "true" }, { name: "a", expression: "false" })],
  ["a condition of a number", condition({ name: "a", expression: "1 + 1" })],
  ["a condition of anything", condition({ name: "a", expression: "object.spec" })],
  ["a condition with wrong syntax", condition({ name: "a", expression: "object.spec..x" })],
  ["a condition with params that are not there", condition({ name: "a", expression: "params.x == 1" })],
  [
    "a condition with params",
    { ...params("v1", "ConfigMap"), ...condition({ name: "a", expression: "params.x == 1" }) },
  ],
  [
    "a condition with a variable",
    { ...variables({ name: "v", expression: "1" }), ...condition({ name: "a", expression: "variables.v == 1" }) },
  ],
  [
    "too many conditions",
    condition(...Array.from({ length: 65 }, (_, index) => ({ name: `c${index}`, expression: "true" }))),
  ],
  [
    "a condition that asks the authorizer",
    condition({ name: "a", expression: "authorizer.requestResource.check('get').allowed()" }),
  ],
  ["a condition about a field of the request", condition({ name: "a", expression: "request.object == null" })],
  [
    "a condition about the namespace",
    condition({ name: "a", expression: "namespaceObject.metadata.managedFields == []" }),
  ],
  ["variables", variables({ name: "a", expression: "1" }, { name: "b", expression: "variables.a + 1" })],
  [
    "a variable before its time",
    variables({ name: "b", expression: "variables.a + 1" }, { name: "a", expression: "1" }),
  ],
  ["a variable without a name", variables({ name: " ", expression: "1" })],
  ["a variable with a reserved name", variables({ name: "namespace", expression: "1" })],
  ["a variable with a wrong name", variables({ name: "a-b", expression: "1" })],
  ["a variable without an expression", variables({ name: "a", expression: "" })],
  ["a variable with a wrong expression", variables({ name: "a", expression: "1 + 'a'" })],
];

const validation = (more: JsonObject): JsonObject => ({ validations: [{ expression: "true", ...more }] });
const annotation = (...all: Json[]): JsonObject => ({ validations: null, auditAnnotations: all });

const VALIDATIONS: readonly (readonly [string, JsonObject])[] = [
  ["nothing to do", { validations: [] }],
  ["no expression", validation({ expression: " " })],
  ["a number", validation({ expression: "1" })],
  ["an unknown function", validation({ expression: "object.foo()" })],
  ["an unknown variable", validation({ expression: "subject.spec == 1" })],
  ["an undeclared variable", validation({ expression: "variables.x == 1" })],
  [
    "a variable that is not there",
    { ...variables({ name: "v", expression: "1" }), ...validation({ expression: "variables.w == 1" }) },
  ],
  [
    "a variable of the wrong type",
    { ...variables({ name: "v", expression: "'a'" }), ...validation({ expression: "variables.v == 1" }) },
  ],
  ["a wrong field of the request", validation({ expression: "request.nothing == 1" })],
  ["several lines", validation({ expression: "object.a &&\n  object.b +" })],
  ["a patch where none is known", validation({ expression: "JSONPatch{op: 'a'}.op == 'a'" })],
  ["a message", validation({ message: "no" })],
  ["a blank message", validation({ message: "  " })],
  ["a message of two lines", validation({ message: "a\nb" })],
  ["an expression for the message", validation({ messageExpression: "'a' + 'b'" })],
  ["a blank expression for the message", validation({ messageExpression: "  " })],
  ["a message of a number", validation({ messageExpression: "1" })],
  [
    "a message that asks the authorizer",
    validation({ messageExpression: "string(authorizer.path('/').check('get').allowed())" }),
  ],
  ["a reason", validation({ reason: "Forbidden" })],
  ["a wrong reason", validation({ reason: "Unauthorized" })],
  ["an annotation", annotation({ key: "a", valueExpression: "'b'" })],
  ["an annotation that may be null", annotation({ key: "a", valueExpression: "null" })],
  ["an annotation of a number", annotation({ key: "a", valueExpression: " 1 " })],
  ["an annotation without a value", annotation({ key: "a", valueExpression: "" })],
  ["an annotation with a wrong key", annotation({ key: "a b", valueExpression: "'b'" })],
  ["an annotation twice", annotation({ key: "a", valueExpression: "'b'" }, { key: "a", valueExpression: "'c'" })],
  ["an annotation that is long", annotation({ key: "a", valueExpression: `'${"x".repeat(6000)}'` })],
  [
    "too many annotations",
    annotation(...Array.from({ length: 21 }, (_, index) => ({ key: `k${index}`, valueExpression: "'b'" }))),
  ],
];

const patch = (expression: string): JsonObject => ({
  mutations: [{ patchType: "JSONPatch", jsonPatch: { expression } }],
});
const apply = (expression: string): JsonObject => ({
  mutations: [{ patchType: "ApplyConfiguration", applyConfiguration: { expression } }],
});

const MUTATIONS: readonly (readonly [string, JsonObject])[] = [
  ["nothing to do", { mutations: [] }],
  ["no reinvocationPolicy", { reinvocationPolicy: null }],
  ["a wrong reinvocationPolicy", { reinvocationPolicy: "Often" }],
  ["a deletion", rule({ operations: ["CREATE", "DELETE"] })],
  ["no type", { mutations: [{ jsonPatch: { expression: "[]" } }] }],
  ["a wrong type", { mutations: [{ patchType: "Merge" }] }],
  ["a type without what it is of", { mutations: [{ patchType: "JSONPatch" }, { patchType: "ApplyConfiguration" }] }],
  ["both", { mutations: [{ ...MUTATION, applyConfiguration: { expression: "Object{}" } }] }],
  [
    "both, the other way",
    {
      mutations: [
        {
          patchType: "ApplyConfiguration",
          jsonPatch: { expression: "[]" },
          applyConfiguration: { expression: "Object{}" },
        },
      ],
    },
  ],
  ["no expression", patch(" ")],
  ["no configuration", apply("")],
  ["an empty list", patch("[]")],
  ["a patch alone", patch("JSONPatch{op: 'add', path: '/a', value: 1}")],
  ["a patch with a wrong field", patch("[JSONPatch{op: 'add', way: '/a'}]")],
  ["a patch with a wrong type", patch("[JSONPatch{op: 1, path: '/a'}]")],
  [
    "patches of two kinds",
    patch("[JSONPatch{op: 'add', path: '/a', value: {'a': 'b'}}, JSONPatch{op: 'add', path: '/a', value: [1]}]"),
  ],
  ["an escaped key", patch("[JSONPatch{op: 'add', path: '/a/' + jsonpatch.escapeKey('b/c'), value: 1}]")],
  ["a configuration", apply("Object{spec: Object.spec{replicas: 1}}")],
  ["a part of a configuration", apply("Object.spec{replicas: 1}")],
  ["a map for a configuration", apply("{'spec': {'replicas': 1}}")],
  ["an unknown object", apply("Thing{a: 1}")],
  [
    "a variable in a configuration",
    { ...variables({ name: "n", expression: "1" }), ...apply("Object{spec: Object.spec{replicas: variables.n}}") },
  ],
  ["a variable that is not there", apply("Object{spec: Object.spec{replicas: variables.n}}")],
];

const ref = (more: JsonObject): JsonObject => ({ paramRef: { name: "p", parameterNotFoundAction: "Deny", ...more } });
const BINDING = { policyName: "p" };
const resources = (more: JsonObject): JsonObject => ({ matchResources: more });

const BINDINGS: readonly (readonly [string, JsonObject])[] = [
  ["a good one", {}],
  ["no policy", { policyName: null }],
  ["a wrong policy", { policyName: "A b" }],
  ["params by name", ref({})],
  ["params by selector", ref({ name: "", selector: { matchLabels: { a: "b" } } })],
  ["params by both", ref({ selector: {} })],
  ["params by neither", ref({ name: "" })],
  ["params with a wrong name", ref({ name: "a/b" })],
  ["params with a wrong selector", ref({ name: "", selector: { matchExpressions: [{ key: "a", operator: "In" }] } })],
  ["params without an action", { paramRef: { name: "p" } }],
  ["params with a wrong action", ref({ parameterNotFoundAction: "Shrug" })],
  ["no rules", resources({})],
  ["a rule", resources({ resourceRules: [RULE] })],
  ["a rule for deletions", resources({ resourceRules: [{ ...RULE, operations: ["DELETE"] }] })],
  ["a wrong rule", resources({ resourceRules: [{ ...RULE, operations: ["GET"], resources: [] }] })],
];

const ACTIONS: readonly (readonly [string, JsonObject])[] = [
  ["no actions", { validationActions: [] }],
  ["missing actions", { validationActions: null }],
  ["all that go together", { validationActions: ["Deny", "Audit"] }],
  ["two that do not", { validationActions: ["Deny", "Warn"] }],
  ["one twice", { validationActions: ["Audit", "Audit"] }],
  ["an unknown one", { validationActions: ["Shrug"] }],
];

const BOUND = { ...BINDING, validationActions: ["Deny"] };

export const WRITTEN: readonly Written[] = [
  ...[...BOTH, ...VALIDATIONS].map(written("ValidatingAdmissionPolicy", VALIDATING)),
  ...[...BOTH, ...MUTATIONS].map(written("MutatingAdmissionPolicy", MUTATING)),
  ...[...BINDINGS, ...ACTIONS].map(written("ValidatingAdmissionPolicyBinding", BOUND)),
  ...BINDINGS.map(written("MutatingAdmissionPolicyBinding", BINDING)),
  ...[["a name that is no label", {}] as const].map(written("ValidatingAdmissionPolicy", VALIDATING, { name: "A_" })),
  ...[["a reserved name", {}] as const].map(
    written("ValidatingAdmissionPolicy", VALIDATING, { name: "a.static.k8s.io" }),
  ),
  ...[["an annotation under a long name", annotation({ key: "a", valueExpression: "'b'" })] as const].map(
    written("ValidatingAdmissionPolicy", VALIDATING, { name: "a.b" }),
  ),
];

const stored = (name: string, change: JsonObject): JsonObject =>
  written("ValidatingAdmissionPolicy", VALIDATING, { name })(["", change]).object;
const storedMutating = (name: string, change: JsonObject): JsonObject =>
  written("MutatingAdmissionPolicy", MUTATING, { name })(["", change]).object;

/** There before: what bindings are bound to. */
export const STORED: readonly JsonObject[] = [stored, storedMutating].flatMap((make) => [
  make("of-maps", params("v1", "ConfigMap")),
  make("of-secrets", params("v1", "Secret")),
  make("of-nothing", {}),
  make("of-unknown", params("nowhere.io/v1", "Thing")),
]);

/** Each policy and binding here has params, which not everybody may read. */
export const WITH_PARAMS: readonly Written[] = [
  ...["ValidatingAdmissionPolicy", "MutatingAdmissionPolicy"].flatMap((kind) =>
    [
      ["params that he may read", params("v1", "ConfigMap")] as const,
      ["params that he may not read", params("v1", "Secret")] as const,
      ["params of a kind that there is not", params("nowhere.io/v1", "Thing")] as const,
      ["no params", {}] as const,
    ].map(written(kind, kind.startsWith("Mutating") ? MUTATING : VALIDATING)),
  ),
  ...["ValidatingAdmissionPolicyBinding", "MutatingAdmissionPolicyBinding"].flatMap((kind) =>
    [
      ["a map by name", { policyName: "of-maps", ...ref({}) }] as const,
      ["maps by selector", { policyName: "of-maps", ...ref({ name: "", selector: {} }) }] as const,
      ["a secret by name", { policyName: "of-secrets", ...ref({ namespace: "default" }) }] as const,
      ["secrets by selector", { policyName: "of-secrets", ...ref({ name: "", selector: {} }) }] as const,
      ["params of a policy without any", { policyName: "of-nothing", ...ref({}) }] as const,
      ["params of a policy that is not there", { policyName: "nobody", ...ref({}) }] as const,
      ["params of an unknown kind", { policyName: "of-unknown", ...ref({}) }] as const,
    ].map(written(kind, kind.startsWith("Mutating") ? BINDING : BOUND)),
  ),
];
