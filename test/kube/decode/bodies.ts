/** Bodies of requests, good and bad, each with one idea. */

/** Where a body goes, and what is expected there. */
export interface Target {
  readonly apiVersion: string;
  readonly kind: string;
  readonly path: string;
  readonly custom?: true;
}

export interface Sent {
  readonly name: string;
  readonly target: Target;
  readonly body: string | Uint8Array;
  readonly contentType?: string;
}

const TARGETS = {
  configMap: { apiVersion: "v1", kind: "ConfigMap", path: "/api/v1/namespaces/default/configmaps" },
  claim: {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    path: "/api/v1/namespaces/default/persistentvolumeclaims",
  },
  set: { apiVersion: "apps/v1", kind: "StatefulSet", path: "/apis/apps/v1/namespaces/default/statefulsets" },
  lease: {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    path: "/apis/coordination.k8s.io/v1/namespaces/default/leases",
  },
  revision: {
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    path: "/apis/apps/v1/namespaces/default/controllerrevisions",
  },
  definition: {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
  },
  thing: {
    apiVersion: "example.com/v1",
    kind: "Thing",
    path: "/apis/example.com/v1/namespaces/default/things",
    custom: true,
  },
} as const satisfies Readonly<Record<string, Target>>;

/** The definition of `thing`, which takes everything. */
export const THINGS = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "things", kind: "Thing" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
} as const;

const raw = (
  target: keyof typeof TARGETS,
  bodies: Readonly<Record<string, string | Uint8Array>>,
  contentType?: string,
) =>
  Object.entries(bodies).map(
    ([name, body]): Sent => ({
      name: `${target}: ${name}`,
      target: TARGETS[target],
      body,
      ...(contentType !== undefined && { contentType }),
    }),
  );

/** Objects of the target that say no more than this. */
const objects = (target: keyof typeof TARGETS, rest: readonly object[]) => {
  const { apiVersion, kind } = TARGETS[target];
  return rest.map((more): Sent => {
    const body = JSON.stringify({ apiVersion, kind, metadata: { name: "a" }, ...more });
    return { name: `${target}: ${JSON.stringify(more)}`, target: TARGETS[target], body };
  });
};

const NOT_JSON = {
  nothing: "",
  "only space": " \n",
  null: "null",
  "a list": "[]",
  "a text": '"x"',
  "a number": "1",
  "more than one value": "{} x",
  "a byte order mark": "\uFEFF{}",
  "an end in the middle": '{"a":',
  "an end in a text": '{"a":"b',
  "an end in an escape": '{"a":"\\u12',
  "an end in a number": '{"a":-',
  "an end in a word": "tru",
  "a key without quotes": "{a:1}",
  "a line break in a text": '{"metadata":{"name":"a\nb"}}',
  "an unknown escape": '{"metadata":{"name":"\\x"}}',
  "a bad escape": '{"a":"\\u12g4"}',
  "a bad word": "trux",
  "a leading zero": '{"a":01}',
  "a sign alone": '{"a":-}',
  "no digit after the point": '{"a":1.}',
  "no digit in the exponent": '{"a":1e}',
  "a comma at the end of a list": "[1,]",
  "a comma at the end of an object": '{"a":1,}',
  "no colon": '{"a" 1}',
  "no comma in an object": '{"a":1 "b":2}',
  "no comma in a list": "[1 2]",
  YAML: "apiVersion: v1\nkind: ConfigMap\n",
  "a letter of two bytes": "é",
  "a zero byte": "\0",
  "a quote": "'a'",
  "a quote after all": '{"a":1}"',
  "a backslash": '{"a":\\}',
  "very deep lists": "[".repeat(20_000),
  "half a surrogate pair": '{"metadata":{"name":"a"},"data":{"x":"\\ud800y","z":"\\ud83d\\ude00"}}',
  "no UTF-8": Buffer.from([...Buffer.from('{"metadata":{"name":"a"},"data":{"x":"'), 0xff, ...Buffer.from('"}}')]),
};

const KINDS = {
  "no kind": '{"metadata":{"name":"a"}}',
  "null as kind": '{"kind":null,"metadata":{"name":"a"}}',
  "an empty kind": '{"kind":"","apiVersion":"","metadata":{"name":"a"}}',
  "a number as kind": '{"kind":1}',
  "a list as kind": '{"kind":[]}',
  "a number as apiVersion": '{"apiVersion":3}',
  "too many slashes": '{"apiVersion":"a/b/c"}',
  "a list": '{"kind":"List","apiVersion":"v1","items":[]}',
  "a list of its own": '{"kind":"ConfigMapList","apiVersion":"v1","items":[]}',
  "another kind": '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}}',
  "another kind that does not fit": '{"kind":"Pod","apiVersion":"v1","metadata":{"name":3}}',
  "an unknown kind": '{"kind":"Foo","apiVersion":"v1"}',
  "another group": '{"kind":"ConfigMap","apiVersion":"apps/v1"}',
  "another group's kind": '{"kind":"StatefulSet","apiVersion":"apps/v1"}',
  "an unknown version": '{"apiVersion":"v2"}',
  "a kind in other letters": '{"Kind":"Pod","metadata":{"name":"a"}}',
  "a kind twice": '{"kind":"Pod","kind":"ConfigMap","metadata":{"name":"a"}}',
};

const TWICE = {
  "fields that stand twice": `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","name":"b"},"data":{"a":"1","a":"2"},"foo":1,"foo":2,
    "metadata":{"labels":{"x":"y"}},"data":{"b":"3"}}`,
  "a value and then null": '{"metadata":{"name":"a","name":null}}',
  "null and then a value": '{"metadata":{"name":"a","labels":null,"labels":{"x":"y"}}}',
  "lists that stand twice":
    '{"metadata":{"name":"a","ownerReferences":[{"name":"x","uid":"1"},{"name":"z"}],"ownerReferences":[{"kind":"y","apiVersion":"v1"}]}}',
  "a great many": `{"metadata":{"name":"a"},${Array.from({ length: 150 }, (_, index) => `"f${index}":1`).join(",")}}`,
  "names that need quoting": '{"metadata":{"name":"a"},"a\\"b\\\\c":1,"é\\u0007\\n\\u2028":2,"\\ud83d\\ude00":3}',
  "names in other letters": '{"metadata":{"Name":"b","name":"a"},"Data":{}}',
  "__proto__ and its like": '{"metadata":{"name":"a","__proto__":1},"data":{"constructor":"x"},"toString":1}',
};

const NUMBERS = [
  "9007199254740993",
  "1e3",
  "1.0",
  "1.5",
  "-0",
  "92233720368547758080",
  "9007199254740992",
  "-1",
  '"1"',
  "true",
];

const STATEFUL_SETS = [
  { replicas: "3" },
  { replicas: 3_000_000_000 },
  { replicas: 1.5 },
  { replicas: true },
  { replicas: {} },
  { replicas: [] },
  { selector: "x" },
  { template: [] },
  { template: { spec: { containers: {} } } },
  { template: { spec: { containers: [1] } } },
  { template: { spec: { containers: [{ name: 1 }] } } },
  { template: { spec: { containers: [{ ports: [{ containerPort: "x" }] }] } } },
  { template: { spec: { volumes: [{ hostPath: { path: 1 } }] } } },
  { template: { spec: { volumes: [{ hostPath: 1 }] } } },
  { template: { spec: { containers: [{ resources: { requests: { cpu: "abc" } } }] } } },
  { template: { spec: { containers: [{ resources: { requests: { cpu: true } } }] } } },
  { template: { spec: { containers: [{ resources: { requests: { cpu: { a: 1 } } } }] } } },
  { template: { spec: { containers: [{ resources: { requests: [] } }] } } },
  { template: { spec: { containers: [{ livenessProbe: { httpGet: { port: [] } } }] } } },
  { template: { spec: { containers: [{ livenessProbe: { httpGet: 1 } }] } } },
  { template: { spec: { containers: [{ env: [{ valueFrom: { configMapKeyRef: { name: 1 } } }] }] } } },
  { template: { spec: { containers: [{ name: "a", foo: 1, ports: [{ x: 1 }] }, { bar: [] }] } }, foo: 1 },
  { podManagementPolicy: 1 },
  { updateStrategy: { rollingUpdate: { maxUnavailable: true } } },
  { updateStrategy: { rollingUpdate: { maxUnavailable: 1.5 } } },
  { updateStrategy: { rollingUpdate: { maxUnavailable: {} } } },
  { updateStrategy: { rollingUpdate: { maxUnavailable: 5_000_000_000 } } },
  { volumeClaimTemplates: [{ spec: { foo: 1, accessModes: "x" } }] },
  { volumeClaimTemplates: [{ spec: { foo: 1, accessModes: [1] } }] },
  { volumeClaimTemplates: [{ kind: 1 }] },
  { replicas: "a", template: { spec: { containers: [{ resources: { requests: { cpu: "abc" } } }] } } },
].map((spec) => ({ spec }));

const MOMENTS = [
  "x",
  "",
  "2020",
  "2020-13-01T00:00:00Z",
  "2020-02-30T00:00:00Z",
  "2020-02-29T00:00:00Z",
  "2021-02-29T00:00:00Z",
  "2020-01-00T00:00:00Z",
  "2020-01-01 00:00:00Z",
  "2020-01-01T24:00:00Z",
  "2020-01-01T00:60:00Z",
  "2020-01-01T00:00:60Z",
  "2020-01-01T00:00:00",
  "2020-01-01T00:00:00+01:00",
  "2020-01-01T00:00:00.5Z",
  "2020-01-01T00:00:00.123456Z",
  "2020-01-01T00:00:00.1234567Z",
  "2020-01-01T00:00:00Zx",
  "2020-1-1T00:00:00Z",
];

const QUANTITIES = [
  "1Gi",
  "",
  " 1Gi ",
  "1.5Gi",
  "1x",
  "1KiB",
  "1gi",
  "abc",
  "1 Gi",
  "1e3",
  "1e",
  "+1",
  "-1",
  "0x10",
  "1..5",
  5,
  1.5,
  true,
  null,
];

const BASE64 = [
  "aGk=",
  "aGk",
  "a",
  "aG\nk=",
  "x!",
  "aG==k",
  "aGk=x",
  "aG=k",
  "a===",
  "=",
  "é",
  "aGkh",
  "aG=",
  [1, 2],
  [300],
  ["x"],
  1,
  null,
];

const things = (more: object) =>
  JSON.stringify({ apiVersion: "example.com/v1", kind: "Thing", metadata: { name: "a" }, ...more });

const THINGS_SENT = {
  fine: things({ spec: { any: [1, "x", null, { a: true }] } }),
  "no kind": '{"metadata":{"name":"a"}}',
  "no kind, but a version": '{"apiVersion":"example.com/v1","metadata":{"name":"a"}}',
  "no version": '{"kind":"Thing","metadata":{"name":"a"}}',
  "another kind": '{"kind":"Foo","apiVersion":"example.com/v1","metadata":{"name":"a"}}',
  "another version": '{"kind":"Thing","apiVersion":"example.com/v2","metadata":{"name":"a"}}',
  "another group": '{"kind":"Thing","apiVersion":"v1","metadata":{"name":"a"}}',
  "a list": '{"kind":"List","apiVersion":"v1","items":[]}',
  nothing: "",
  null: "null",
  "no object": "[]",
  "metadata that is a text": things({ metadata: "x" }),
  "a number as name": things({ metadata: { name: 3 } }),
  "a number as label": things({ metadata: { name: "a", labels: { a: 1 } } }),
  "an unknown field of metadata": things({ metadata: { name: "a", foo: 1, labels: null } }),
  "an unknown field of an owner": things({ metadata: { name: "a", ownerReferences: [{ foo: 1 }] } }),
  "a moment that is none": things({ metadata: { name: "a", creationTimestamp: "x" } }),
  "fields that stand twice":
    '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a","name":"b"},"spec":{"size":1,"size":2,"any":{"b":1,"b":2,"c":[{"d":1,"d":2}]}}}',
  "an unknown field twice": '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a","foo":1,"foo":2}}',
  "a number as kind": '{"kind":1}',
  "a number that is too large":
    '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"},"spec":{"any":{"x":1e400}}}',
  "numbers of all kinds":
    '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"},"spec":{"x":[1e3,1.0,-0,0.1,1e-7,123456789012]}}',
  "no metadata": things({ metadata: null }),
};

const CONTENT_TYPES = [
  "application/json; charset=utf-8",
  "application/json;",
  "application/json;;",
  "application/JSON",
  "application/cbor",
  "text/plain",
  "text/yaml",
  "json",
  "*/*",
  "application/x-www-form-urlencoded",
  "application/strategic-merge-patch+json",
];

export const CONFIG_MAPS: Target = TARGETS.configMap;

export const JSON_BODIES: readonly Sent[] = [
  ...raw("configMap", NOT_JSON),
  ...raw("configMap", KINDS),
  ...raw("configMap", TWICE),
  ...raw(
    "configMap",
    Object.fromEntries(NUMBERS.map((text) => [`generation ${text}`, `{"metadata":{"name":"a","generation":${text}}}`])),
  ),
  ...objects("configMap", [
    { data: { a: "b" }, binaryData: {}, immutable: false },
    { data: [] },
    { data: { a: 1 } },
    { data: { a: null } },
    { data: { a: {} } },
    { immutable: "x" },
    { metadata: "x" },
    { metadata: { name: "a", labels: { a: 1 } } },
    { metadata: { name: "a", creationTimestamp: 3 } },
    { metadata: { name: "a", finalizers: [null, "example.com/x"] } },
    { metadata: { name: "a", annotations: {}, managedFields: [] } },
    { foo: 1, data: { a: "b" }, metadata: { name: "a", bar: { x: [] } } },
    { data: { a: 1 }, metadata: { name: 3 } },
    ...BASE64.map((a) => ({ binaryData: { a } })),
    ...MOMENTS.map((deletionTimestamp) => ({ metadata: { name: "a", deletionTimestamp } })),
  ]),
  ...objects(
    "claim",
    QUANTITIES.map((storage) => ({ spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } } })),
  ),
  ...objects("set", STATEFUL_SETS),
  ...raw("set", {
    "a group without a version": '{"apiVersion":"apps/","kind":"StatefulSet","metadata":{"name":"a"}}',
    "a version of old": '{"apiVersion":"apps/v1beta1","kind":"StatefulSet","metadata":{"name":"a"}}',
  }),
  ...objects(
    "lease",
    [...MOMENTS, 1, null].map((renewTime) => ({ spec: { renewTime } })),
  ),
  ...objects("revision", [
    { revision: 1, data: { a: [1, null], b: {} } },
    { revision: 1, data: null },
    { revision: 1, data: "x" },
    { revision: 1.5, data: {} },
  ]),
  ...raw("revision", { "twice inside": '{"metadata":{"name":"a"},"revision":1,"data":{"a":1,"a":2,"foo":3}}' }),
  ...objects("definition", [
    { metadata: { name: "x" }, spec: { versions: [{ schema: { openAPIV3Schema: { items: { foo: 1 }, bar: 2 } } }] } },
    { spec: { versions: [{ schema: { openAPIV3Schema: { properties: { a: { items: { type: 1 } } } } } }] } },
    { spec: { versions: [{ schema: { openAPIV3Schema: { additionalProperties: 1 } } }] } },
    { spec: { versions: [{ schema: { openAPIV3Schema: { maximum: "x" } } }] } },
    { spec: { versions: [{ schema: { openAPIV3Schema: { default: { a: 1 }, enum: [1, null, "x"] } } }] } },
  ]),
  ...raw("thing", THINGS_SENT),
  ...CONTENT_TYPES.flatMap((contentType) => [
    {
      name: `configMap as ${contentType}`,
      target: TARGETS.configMap,
      body: '{"metadata":{"name":"a"}}',
      contentType,
    },
    { name: `thing as ${contentType}`, target: TARGETS.thing, body: things({}), contentType },
  ]),
];
