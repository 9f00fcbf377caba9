/** What MutatingAdmissionPolicies make of requests. */
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import {
  apply,
  changed,
  created,
  DEPLOYMENT_RULE,
  deployment,
  map,
  merged,
  mutating,
  onDeployments,
  patch,
  replaced,
  rule,
  type Scene,
  validating,
} from "./scene.ts";

const labelled = map("m", { a: "b" }, { labels: { x: "1", y: "2" } });
const onMap = (name: string, expression: string, object: JsonObject = labelled, spec: JsonObject = {}): Scene =>
  changed(name, { mutations: [patch(expression)], ...spec }, { asks: [created(name, object)] });
const onSet = (name: string, mutation: JsonObject, object: JsonObject = deployment("d")): Scene =>
  changed(name, { mutations: [mutation], matchConstraints: onDeployments }, { asks: [created(name, object)] });
const add = (path: string, value: string): string => `JSONPatch{op: "add", path: "${path}", value: ${value}}`;

const PATCHES: readonly Scene[] = [
  onMap("patch-add", `[${add("/metadata/labels/z", "object.metadata.name")}]`),
  onMap("patch-nothing", `false ? [${add("/data/n", "'1'")}] : []`),
  onMap("patch-remove", `[JSONPatch{op: "remove", path: "/metadata/labels/y"}]`),
  onMap("patch-replace", `[JSONPatch{op: "replace", path: "/metadata/labels/y", value: "3"}]`),
  onMap("patch-move", `[JSONPatch{op: "move", from: "/metadata/labels/y", path: "/metadata/labels/z"}]`),
  onMap("patch-copy", `[JSONPatch{op: "copy", from: "/metadata/labels/y", path: "/metadata/labels/z"}]`),
  onMap(
    "patch-test-holds",
    `[JSONPatch{op: "test", path: "/metadata/labels/y", value: "2"}, ${add("/data/t", "'1'")}]`,
  ),
  onMap(
    "patch-test-fails",
    `[JSONPatch{op: "test", path: "/metadata/labels/y", value: "9"}, ${add("/data/t", "'1'")}]`,
  ),
  onMap("patch-no-place", `[${add("/metadata/labels/z", "'1'")}]`, map("m")),
  onMap("patch-no-place-ignored", `[${add("/metadata/labels/z", "'1'")}]`, map("m"), { failurePolicy: "Ignore" }),
  onMap("patch-remove-no-place", `[JSONPatch{op: "remove", path: "/spec/replicas"}]`),
  onMap("patch-replace-no-place", `[JSONPatch{op: "replace", path: "/spec/replicas", value: 1}]`),
  onMap("patch-remove-no-key", `[JSONPatch{op: "remove", path: "/metadata/labels/q"}]`),
  onMap("patch-unknown-operation", `[JSONPatch{op: "shake", path: "/metadata/labels/q"}]`),
  onMap(
    "patch-escaped",
    `[JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("example.com/a"), value: "1"}]`,
  ),
  onMap("patch-of-nothing", "[JSONPatch{}]"),
  onMap("patch-no-op", `[JSONPatch{path: "/data/x", value: "1"}]`),
  onMap("patch-no-path", `[JSONPatch{op: "remove"}]`),
  onMap("patch-add-no-value", `[JSONPatch{op: "add", path: "/data/x"}]`),
  onMap("patch-add-null", `[JSONPatch{op: "add", path: "/data/x", value: null}]`),
  onMap("patch-empty-from", `[JSONPatch{op: "copy", from: "", path: "/data/x"}]`),
  onMap("patch-op-number", `[JSONPatch{op: dyn(1), path: "/data/x"}]`),
  onMap("patch-path-list", `[JSONPatch{op: "add", path: dyn(["a"]), value: "1"}]`),
  onMap("patch-from-flag", `[JSONPatch{op: "copy", from: dyn(true), path: "/data/x"}]`),
  onMap("patch-value-duration", `[${add("/data/d", "duration('90m')")}]`),
  onMap("patch-value-timestamp", `[${add("/data/d", "timestamp('2020-01-01T00:00:00.5Z')")}]`),
  onMap("patch-value-bytes", `[${add("/data/d", "b'abc'")}]`),
  onMap("patch-value-type", `[${add("/data/d", "type(1)")}]`),
  onMap("patch-value-quantity", `[${add("/data/d", "quantity('1')")}]`),
  onMap("patch-value-optional", `[${add("/data/d", "optional.of('x')")}]`),
  onMap("patch-value-none", `[${add("/data/d", "optional.none()")}]`),
  onMap("patch-value-keys", `[${add("/data", "{1: 'a', 2: 'b'}")}]`),
  onMap("patch-value-patch", `[${add("/data/d", "JSONPatch{op: 'add'}")}]`),
  onMap("patch-read-back", `[${add("/data/d", "JSONPatch{op: 'add'}.op")}]`),
  onMap("patch-optional-field", `[JSONPatch{op: "add", path: "/data/d", ?value: object.data.?a}]`),
  onMap("patch-no-optional", `[JSONPatch{op: "add", path: "/data/d", ?value: object.data.?q}]`),
  onMap("patch-by-condition", `has(object.data.a) ? [${add("/data/found", "'yes'")}] : []`),
  onMap("patch-unknown-field", `[${add("/spec", "{'a': 'b'}")}]`),
  onMap("patch-wrong-type", `[${add("/data/n", "1")}]`),
  onMap("patch-error", `[${add("/data/n", "object.data.no")}]`),
  onMap("patch-error-ignored", `[${add("/data/n", "object.data.no")}]`, labelled, { failurePolicy: "Ignore" }),
  onMap("patch-namespace", `[JSONPatch{op: "replace", path: "/metadata/namespace", value: "default"}]`),
  changed("patch-twice", {
    mutations: [patch(`[${add("/data/one", "'1'")}]`), patch(`[${add("/data/two", "object.data.one")}]`)],
  }),
  changed("patch-fails-between", {
    mutations: [
      patch(`[${add("/data/one", "'1'")}]`),
      patch(`[${add("/no/way", "1")}]`),
      patch(`[${add("/data/two", "object.data.one")}]`),
    ],
    failurePolicy: "Ignore",
  }),
  onSet(
    "patch-object",
    patch(
      `[${add("/spec/template/spec/containers/-", "Object.spec.template.spec.containers{name: 'side', image: 's'}")}]`,
    ),
  ),
  onSet(
    "patch-object-misnamed",
    patch(`[${add("/spec/template/spec", "Object.spec.template{spec: Object.wrong{a: 1}}")}]`),
  ),
  onSet("patch-number", patch(`[JSONPatch{op: "replace", path: "/spec/replicas", value: object.spec.replicas + 2}]`)),
  onSet(
    "patch-defaults",
    patch(`[JSONPatch{op: "remove", path: "/spec/strategy"}, JSONPatch{op: "remove", path: "/spec/replicas"}]`),
  ),
  onMap("patch-invalid", `[${add("/metadata/labels/z", "'not valid!'")}]`),
];

const CONFIGURATIONS: readonly Scene[] = [
  changed("apply-map", {
    mutations: [apply("Object{metadata: Object.metadata{labels: {'z': object.data.a}}, data: {'n': 'v'}}")],
  }),
  onSet("apply-replicas", apply("Object{spec: Object.spec{replicas: object.spec.replicas + 1}}")),
  onSet(
    "apply-container",
    apply(
      "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: object.spec.template.spec.containers.map(c, Object.spec.template.spec.containers{name: c.name, env: [Object.spec.template.spec.containers.env{name: 'A', value: 'B'}]})}}}}",
    ),
  ),
  onSet(
    "apply-sidecar",
    apply(
      "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{initContainers: [Object.spec.template.spec.initContainers{name: 'side', image: 's', restartPolicy: 'Always'}]}}}}",
    ),
  ),
  onSet(
    "apply-atomic",
    apply(
      "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{tolerations: [Object.spec.template.spec.tolerations{key: 'a', operator: 'Exists'}]}}}}",
    ),
  ),
  onSet(
    "apply-atomic-selector",
    apply("Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {'a': 'b'}}}}"),
  ),
  onSet(
    "apply-maps-in-list",
    apply(
      "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{initContainers: [{'name': 'side', 'image': 's'}]}}}}",
    ),
  ),
  onSet("apply-written-map", apply("Object{spec: {'replicas': 3}}")),
  onSet("apply-map-keys", apply("Object{metadata: Object.metadata{labels: {1: 'a'}}}")),
  onSet("apply-unsigned", apply("Object{spec: Object.spec{replicas: 3u}}")),
  onSet("apply-double", apply("Object{spec: Object.spec{replicas: 3.0}}")),
  onSet("apply-null", apply("Object{spec: Object.spec{replicas: null}}")),
  onSet("apply-duration", apply("Object{metadata: Object.metadata{labels: {'a': duration('1h')}}}")),
  onSet("apply-quantity", apply("Object{metadata: Object.metadata{labels: {'a': quantity('1')}}}")),
  onSet("apply-optional-object", apply("Object{spec: Object.spec{replicas: optional.of(3)}}")),
  onSet(
    "apply-misnamed-optional",
    apply("Object{?spec: has(object.spec) ? optional.of(Object.other{replicas: 9}) : optional.none()}"),
  ),
  onSet("apply-misnamed-twice", apply("Object{spec: Object.other{template: Object.spec.wrong{}}}")),
  onSet("apply-kind", apply("Object{kind: 'ConfigMap', apiVersion: 'v1', spec: Object.spec{replicas: 3}}")),
  onSet("apply-equal", apply("Object{spec: Object.spec{replicas: Object.a{b: 1} == Object.a{b: 1} ? 3 : 4}}")),
  onSet("apply-field", apply("Object{spec: Object.spec{replicas: Object.a{b: 5}.b}}")),
  onSet("apply-no-field", apply("Object{spec: Object.spec{replicas: Object.a{b: 5}.c}}")),
  onSet("apply-has-field", apply("Object{spec: Object.spec{replicas: has(Object.a{b: 5}.c) ? 7 : 8}}")),
  onSet("apply-unknown", apply("Object{spec: Object.spec{wrong: 1}}")),
  onSet("apply-wrong-type", apply("Object{spec: Object.spec{replicas: 'three'}}")),
  onSet("apply-misnamed", apply("Object{spec: Object.other{replicas: 3}}")),
  onSet("apply-nothing", apply("Object{}")),
  onSet(
    "apply-optional",
    apply("Object{?spec: has(object.spec.paused) ? optional.of(Object.spec{replicas: 9}) : optional.none()}"),
  ),
  onSet("apply-error", apply("Object{spec: Object.spec{replicas: object.spec.nothing}}")),
  onSet(
    "apply-resources",
    apply(
      "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: 'main', resources: Object.spec.template.spec.containers.resources{requests: {'cpu': '0.5'}}}]}}}}",
    ),
  ),
];

const AGAIN = { reinvocationPolicy: "IfNeeded" };
const ifHas = (key: string, more: string): JsonObject =>
  patch(`"${key}" in object.data && !("${more}" in object.data) ? [${add(`/data/${more}`, "'yes'")}] : []`);

const ROUNDS: readonly Scene[] = [
  {
    name: "again",
    policies: [
      ...mutating("again", { ...AGAIN, mutations: [ifHas("b", "c")] }, {}, "a"),
      ...mutating("again", { ...AGAIN, mutations: [ifHas("a", "b")] }, {}, "b"),
    ],
    asks: [created("again", map("m"))],
  },
  changed(
    "params-of-mutation",
    {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      mutations: [patch(`[${add("/data/from-param", "params.data.v")}]`)],
      matchConditions: [{ name: "no-param", expression: "object.metadata.name == 'm'" }],
    },
    {
      before: [map("param", { v: "1" })],
      binding: { paramRef: { name: "param", parameterNotFoundAction: "Deny" } },
    },
  ),
  changed(
    "param-of-mutation-missing",
    {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      mutations: [patch(`[${add("/data/n", "'1'")}]`)],
    },
    { binding: { paramRef: { name: "param", parameterNotFoundAction: "Deny" } } },
  ),
  changed(
    "param-kind-of-mutation-unknown",
    {
      paramKind: { apiVersion: "nowhere.io/v1", kind: "Nothing" },
      mutations: [patch(`[${add("/data/n", "'1'")}]`)],
    },
    { binding: { paramRef: { name: "param", parameterNotFoundAction: "Deny" } } },
  ),
  changed("mutation-condition-unmet", {
    mutations: [patch(`[${add("/data/n", "'1'")}]`)],
    matchConditions: [{ name: "x", expression: "object.data.a == 'z'" }],
  }),
  changed("mutation-condition-error", {
    mutations: [patch(`[${add("/data/n", "'1'")}]`)],
    matchConditions: [{ name: "x", expression: "object.data.no == 'z'" }],
  }),
  changed("mutation-condition-error-ignored", {
    failurePolicy: "Ignore",
    mutations: [patch(`[${add("/data/n", "'1'")}]`)],
    matchConditions: [{ name: "x", expression: "object.data.no == 'z'" }],
  }),
  changed("mutation-variables", {
    variables: [{ name: "n", expression: "string(size(object.data))" }],
    mutations: [patch(`[${add("/data/size", "variables.n")}]`), patch(`[${add("/data/then", "variables.n")}]`)],
  }),
  changed(
    "mutation-of-update",
    { mutations: [patch(`oldObject == null ? [] : [${add("/data/before", "oldObject.data.a")}]`)] },
    {
      asks: [
        created("mutation-of-update", map("m")),
        replaced("mutation-of-update", map("m", { a: "c" })),
        merged("/api/v1/namespaces/mutation-of-update/configmaps/m", { data: { a: "d" } }),
      ],
    },
  ),
  changed(
    "mutation-of-scale",
    {
      mutations: [patch(`[JSONPatch{op: "replace", path: "/spec/replicas", value: 2}]`)],
      matchConstraints: { resourceRules: [{ ...DEPLOYMENT_RULE, resources: ["deployments/scale"] }] },
    },
    {
      asks: [
        created("mutation-of-scale", deployment("d")),
        merged("/apis/apps/v1/namespaces/mutation-of-scale/deployments/d/scale", { spec: { replicas: 7 } }),
      ],
    },
  ),
  {
    name: "mutated-then-judged",
    policies: [
      ...mutating("mutated-then-judged", { mutations: [patch(`[${add("/data/mark", "'1'")}]`)] }),
      ...validating(
        "mutated-then-judged",
        rule("!('mark' in object.data)", { messageExpression: "'mark is ' + object.data.mark" }),
        {},
        "v",
      ),
    ],
    asks: [created("mutated-then-judged", map("m"))],
  },
];

export const MUTATING: readonly Scene[] = [...PATCHES, ...CONFIGURATIONS, ...ROUNDS];
