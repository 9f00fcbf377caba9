/** Every expression that Outgrow itself gives to a cluster: the rules of its definitions, and its admission policies. */
import { beforeAll, describe, expect, test } from "vitest";
import { ADMISSION_POLICIES } from "../../../admission/policies/index.ts";
import { EXPANSION_SOURCE_DEFINITION } from "../../../source/install/definition.ts";
import { policiesForSource } from "../../../source/install/policies.ts";
import type { ExpansionSourceSpec } from "../../../source/types.ts";
import { validateDefinition } from "../crd/definition/validate-definition.ts";
import { rules } from "../crd/lazy-rules.ts";
import { rulesOf } from "../crd/rules/index.ts";
import { readSchema } from "../crd/schema/schema.ts";
import type { Json, JsonObject } from "../json.ts";
import { atOnce } from "../steps.ts";
import {
  ADMISSION_REQUEST,
  AUTHORIZER,
  BOOL,
  createEnvironment,
  DYN,
  error,
  fromJson,
  isError,
  JSON_PATCH,
  listOf,
  mutationTypes,
  NAMESPACE_OBJECT,
  STRING,
  struct,
  type Type,
  toJson,
  type Value,
} from "./index.ts";

interface Policy {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly variables?: readonly { readonly name: string; readonly expression: string }[];
    readonly matchConditions?: readonly { readonly expression: string }[];
    readonly validations?: readonly { readonly expression: string; readonly messageExpression?: string }[];
    readonly mutations?: readonly { readonly jsonPatch: { readonly expression: string } }[];
  };
}

const resource = { group: "moco.cybozu.com", version: "v1beta2", kind: "MySQLCluster", plural: "mysqlclusters" };
const SOURCES: readonly ExpansionSourceSpec[] = [
  { resource, claimTemplatesPath: ".spec.volumeClaimTemplates", statefulSetName: "moco-{name}" },
  { resource, claims: [{ template: "data", path: ".spec.size" }], statefulSetSelector: { matchLabels: { a: "b" } } },
  {
    resource,
    claims: [{ template: "{item.name}", path: ".spec.pools[*].size" }],
    statefulSetName: "{name}-{item.name}",
  },
];
const POLICIES = [
  ...(ADMISSION_POLICIES as readonly Policy[]),
  ...SOURCES.flatMap((spec) => policiesForSource({ metadata: { name: "moco" }, spec }) as unknown as readonly Policy[]),
].filter(({ kind }) => kind.endsWith("Policy"));

/** Evaluates the expressions of a policy one after the other, variables when they are asked for. */
function run(
  { spec }: Policy,
  objects: Readonly<Record<string, Json>>,
): { readonly refusals: readonly Json[]; readonly patches: readonly Json[] } {
  const types = new Map<string, Type>();
  const environment = createEnvironment({
    variables: {
      object: DYN,
      oldObject: DYN,
      params: DYN,
      request: ADMISSION_REQUEST,
      namespaceObject: NAMESPACE_OBJECT,
      authorizer: AUTHORIZER,
      variables: struct("kubernetes.variables", (name) => types.get(name)),
    },
    types: mutationTypes,
    hasPatches: true,
  });
  const compile = (text: string, ...expected: Type[]) => {
    const compiled = environment.compile(text, ...expected);
    if (compiled.program === undefined) throw new Error(`${text}: ${compiled.failure.text}`);
    return compiled;
  };
  const programs = new Map(
    (spec.variables ?? []).map(({ name, expression }) => {
      const compiled = compile(expression);
      types.set(name, compiled.checked.type);
      return [name, compiled.program] as const;
    }),
  );
  const variables: Value = {
    kind: "map",
    size: programs.size,
    keys: () => [...programs.keys()],
    find: (name: Value) => programs.get(name as string)?.evaluate(activation).value ?? error("no such variable"),
  };
  const activation = (name: string): Value | undefined =>
    name === "variables" ? variables : name in objects ? fromJson(objects[name] ?? null) : undefined;
  const value = (text: string, ...expected: Type[]): Json => {
    const found = compile(text, ...expected).program.evaluate(activation).value;
    const json = isError(found) ? found : toJson(found);
    if (isError(json)) throw new Error(`${text}: ${json.message}`);
    return json;
  };
  if (!(spec.matchConditions ?? []).every(({ expression }) => value(expression, BOOL)))
    return { refusals: [], patches: [] };
  return {
    refusals: (spec.validations ?? [])
      .filter(({ expression }) => value(expression, BOOL) === false)
      .map(({ messageExpression = "''" }) => value(messageExpression, STRING)),
    patches: (spec.mutations ?? []).flatMap(
      ({ jsonPatch }) => value(jsonPatch.expression, listOf(JSON_PATCH)) as Json[],
    ),
  };
}

const template = (name: string, size: string): JsonObject => ({
  metadata: { name },
  spec: { storageClassName: "fast", resources: { requests: { storage: size } } },
});
const set = (annotations: JsonObject | undefined, ...volumeClaimTemplates: JsonObject[]): JsonObject => ({
  metadata: { name: "db", namespace: "prod", ...(annotations === undefined ? {} : { annotations }) },
  spec: { volumeClaimTemplates, replicas: 1 },
});
const request = {
  userInfo: { username: "somebody", groups: [] },
  operation: "UPDATE",
  name: "db",
  namespace: "prod",
  dryRun: false,
  options: {},
};
const storageClass = { metadata: { name: "fast" }, allowVolumeExpansion: false };

describe("a policy compiles and runs", () => {
  test.each(POLICIES.map((policy, index) => [`${policy.metadata.name} ${index}`, policy] as const))(
    "%s",
    (_, policy) => {
      const before = set(undefined, template("data", "1Gi"));
      const after = set({ "outgrow.dev/claims": "data=2Gi" }, template("data", "1Gi"));
      expect(() =>
        run(policy, { object: after, oldObject: before, request, params: storageClass, namespaceObject: null }),
      ).not.toThrow();
    },
  );

  test("a size that was edited becomes a wish", () => {
    const policy = POLICIES.find(({ metadata }) => metadata.name === "outgrow-take-wish") as Policy;
    const before = set(undefined, template("data", "1Gi"));
    const { patches } = run(policy, { object: set(undefined, template("data", "2Gi")), oldObject: before, request });
    expect(patches).toEqual([
      { op: "replace", path: "/spec/volumeClaimTemplates", value: [template("data", "1Gi")] },
      { op: "add", path: "/metadata/annotations", value: {} },
      { op: "add", path: "/metadata/annotations/outgrow.dev~1claims", value: "data=2Gi" },
    ]);
  });

  test("a class that does not allow it is named", () => {
    const policy = POLICIES.find(({ metadata }) => metadata.name === "outgrow-check-class") as Policy;
    const object = set({ "outgrow.dev/claims": "data=2Gi" }, template("data", "1Gi"));
    const { refusals } = run(policy, {
      object,
      oldObject: set(undefined, template("data", "1Gi")),
      request,
      params: storageClass,
    });
    expect(refusals).toEqual([
      'spec.volumeClaimTemplates[0].spec.resources.requests.storage: Forbidden: storage class "fast" of template "data" does not allow expansion; set allowVolumeExpansion: true on it',
    ]);
  });
});

describe("the definition of sources", () => {
  beforeAll(() => rules.use(() => {}));

  const definition = JSON.parse(JSON.stringify(EXPANSION_SOURCE_DEFINITION)) as JsonObject;
  const [version] = (
    definition["spec"] as unknown as { versions: readonly { schema: { openAPIV3Schema: JsonObject } }[] }
  ).versions;
  const schema = readSchema(version?.schema.openAPIV3Schema ?? {});

  test("has rules that compile and cost little enough", () => {
    const stored = { ...definition, status: { storedVersions: ["v1alpha1"] } };
    expect(validateDefinition(stored, undefined)).toEqual([]);
  });

  test.each([
    ["a source that is fine", SOURCES[0], []],
    ["two ways to say where sizes are", { ...SOURCES[0], claims: [] }, ["exactly one of claimTemplatesPath"]],
    ["a path that is none", { ...SOURCES[0], claimTemplatesPath: ".spec.a-b[x" }, ['is no path from "[x" on']],
    [
      "a name that is everybody's",
      { ...SOURCES[0], statefulSetName: "db" },
      ["every resource would follow the same set"],
    ],
    [
      "a placeholder that nothing fills",
      { ...SOURCES[0], statefulSetName: "{name}-{x}" },
      ["has a placeholder that nothing fills"],
    ],
  ])("refuses or takes %s", (_, spec, expected) => {
    const object = {
      apiVersion: "outgrow.dev/v1alpha1",
      kind: "ExpansionSource",
      metadata: { name: "a" },
      spec,
    } as unknown as JsonObject;
    const errors = atOnce(rulesOf(schema))?.(object, undefined, () => {}) ?? [];
    expect(errors.map(({ detail }) => detail)).toEqual(expected.map((text) => expect.stringContaining(text)));
  });
});
