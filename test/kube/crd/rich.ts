/** One definition whose schema says something of every sort, and objects that keep to it or do not. */
import type { JsonObject } from "../../../src/cluster/api/json.ts";

export const GROUP = "rich.example.com";

const text = { type: "string" };
const whole = { type: "integer" };

const spec: JsonObject = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", minLength: 2, maxLength: 8, pattern: "^[a-z](-?[a-z0-9])*$" },
    size: { type: "integer", minimum: 1, maximum: 10, default: 3 },
    small: { type: "integer", format: "int32" },
    ratio: { type: "number", exclusiveMinimum: true, minimum: 0, exclusiveMaximum: true, maximum: 1 },
    step: { type: "number", multipleOf: 0.25 },
    even: { type: "integer", multipleOf: 2 },
    single: { type: "number", format: "float" },
    flag: { type: "boolean", default: true },
    mode: { type: "string", enum: ["Fast", "Safe"], default: "Safe" },
    level: { type: "integer", enum: [1, 2, 3] },
    anything: { "x-kubernetes-preserve-unknown-fields": true },
    open: {
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
      properties: { known: { type: "object", properties: { a: text } }, size: { type: "integer", default: 1 } },
    },
    port: { "x-kubernetes-int-or-string": true },
    narrowPort: {
      "x-kubernetes-int-or-string": true,
      anyOf: [{ type: "integer" }, { type: "string" }],
      maxLength: 3,
      maximum: 100,
    },
    maybe: { type: "string", nullable: true, default: "given" },
    never: { type: "string", default: "given" },
    plain: text,
    moment: { type: "string", format: "date-time" },
    day: { type: "string", format: "date" },
    lasting: { type: "string", format: "duration" },
    address: { type: "string", format: "ipv4" },
    address6: { type: "string", format: "ipv6" },
    network: { type: "string", format: "cidr" },
    mail: { type: "string", format: "email" },
    host: { type: "string", format: "hostname" },
    link: { type: "string", format: "uri" },
    id: { type: "string", format: "uuid" },
    data: { type: "string", format: "byte" },
    mac: { type: "string", format: "mac" },
    short: { type: "string", format: "k8s-short-name" },
    long: { type: "string", format: "k8s-long-name" },
    odd: { type: "string", format: "no-such-format" },
    list: { type: "array", items: text, minItems: 1, maxItems: 3 },
    set: { type: "array", items: text, "x-kubernetes-list-type": "set" },
    pairs: {
      type: "array",
      "x-kubernetes-list-type": "set",
      items: { type: "object", "x-kubernetes-map-type": "atomic", properties: { a: whole, b: whole } },
    },
    map: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name", "protocol"],
      items: {
        type: "object",
        required: ["name"],
        properties: { name: text, protocol: { type: "string", default: "TCP" }, size: { type: "integer", default: 1 } },
      },
    },
    keyed: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["id"],
      items: { type: "object", required: ["id"], properties: { id: whole, value: text } },
    },
    labels: {
      type: "object",
      additionalProperties: { type: "string", maxLength: 3 },
      minProperties: 1,
      maxProperties: 2,
    },
    tree: {
      type: "object",
      additionalProperties: { type: "object", properties: { size: { type: "integer", default: 7 }, more: text } },
    },
    free: { type: "object", additionalProperties: true },
    closed: { type: "object", additionalProperties: false },
    nested: {
      type: "object",
      default: {},
      properties: {
        deep: {
          type: "object",
          default: { from: "outside" },
          properties: { from: text, inner: { type: "integer", default: 5 } },
        },
        optional: { type: "object", properties: { inner: { type: "integer", default: 6 } } },
      },
    },
    embedded: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
      properties: { spec: { type: "object", properties: { size: whole } } },
    },
    either: {
      type: "object",
      properties: { a: text, b: whole, c: text },
      oneOf: [{ required: ["a"] }, { required: ["b"] }],
    },
    some: {
      type: "object",
      properties: { a: { type: "string" }, b: whole },
      anyOf: [{ properties: { a: { minLength: 3 } }, required: ["a"] }, { required: ["b"] }],
    },
    every: { type: "integer", allOf: [{ minimum: 3 }, { maximum: 5 }] },
    not: { type: "string", not: { enum: ["forbidden"] } },
  },
};

const status: JsonObject = {
  type: "object",
  required: ["phase"],
  properties: {
    phase: { type: "string", enum: ["Ready", "Busy"] },
    replicas: { type: "integer", minimum: 0 },
    selector: text,
    conditions: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["type"],
      items: { type: "object", required: ["type"], properties: { type: text, status: text } },
    },
  },
};

export const DEFINITION: JsonObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `things.${GROUP}` },
  spec: {
    group: GROUP,
    scope: "Namespaced",
    names: { plural: "things", kind: "Thing", shortNames: ["th"], categories: ["all", "example"] },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            required: ["spec"],
            properties: {
              apiVersion: text,
              kind: text,
              metadata: { type: "object", properties: { name: { type: "string", maxLength: 20 } } },
              spec,
              status,
            },
          },
        },
        subresources: {
          status: {},
          scale: {
            specReplicasPath: ".spec.size",
            statusReplicasPath: ".status.replicas",
            labelSelectorPath: ".status.selector",
          },
        },
        additionalPrinterColumns: [
          { name: "Size", type: "integer", jsonPath: ".spec.size" },
          { name: "Mode", type: "string", jsonPath: ".spec.mode", priority: 1 },
        ],
      },
    ],
  },
};

export function thing(more: JsonObject, name = "t"): JsonObject {
  return { apiVersion: `${GROUP}/v1`, kind: "Thing", metadata: { name }, spec: { name: "abc", ...more } };
}

/** Each is one thing to get right or wrong; the key is the field. */
export const VALUES: Readonly<Record<string, readonly JsonObject[string][]>> = {
  name: ["a", "abcdefghi", "A", "a-", 5, null, "", ["a"], {}, "日本", "a\n"],
  size: [1, 10, 0, 11, 1.5, "1", null, true, 1e3, [], {}, 2147483648, -1],
  small: [2147483647, 2147483648, -2147483649, 1.5, "x", true, {}, [1], 1e10],
  ratio: [0.5, 0, 1, -1, 2, "a"],
  step: [0.25, 0.3, 1, 1.1, -0.5, 0.1],
  even: [2, 3, 0, -4, 1.5],
  single: [1.5, 1e39, -1e39, 1],
  flag: [true, false, "true", 1, null],
  mode: ["Fast", "fast", "", 1, null, ["Fast"]],
  level: [1, 4, 2.5, "1", null, 1.0],
  anything: [1, "a", { a: { b: null } }, [1, { x: null }], null],
  open: [{}, { x: 1 }, { known: { a: "a", b: 1 } }, { known: null }, { size: null, y: null }, [{ z: 1 }], "a", null],
  port: [80, "http", true, 1.5, null, [], {}],
  narrowPort: [80, 101, "abc", "abcd", true],
  maybe: [null, "a", 1],
  never: [null, "a"],
  plain: [null, "a", 1, {}, { a: 1 }],
  moment: [
    "2024-02-29T12:00:00Z",
    "2023-02-29T12:00:00Z",
    "2024-02-29",
    "now",
    "",
    5,
    true,
    [],
    {},
    "2024-01-01T23:59:60Z",
    "2024-01-01t10:00:00+01:00",
    "2024-01-01T24:00:00Z",
  ],
  day: ["2024-02-29", "2024-2-9", "2024-13-01", ""],
  lasting: ["1h30m", "5 days", "5d", "x", "", "1", "1.5h", "10 lightyears", "0"],
  address: ["10.0.0.1", "010.0.0.1", "10.0.0", "::1", "::ffff:10.0.0.1", "256.0.0.1", ""],
  address6: ["::1", "10.0.0.1", "fe80::1%eth0", "::ffff:10.0.0.1", "g::"],
  network: ["10.0.0.0/8", "10.0.0.0/33", "::/0", "10.0.0.0", "::/129", "10.0.0.0/08"],
  mail: ["a@b.c", "a b@c", "A <a@b.c>", "@b", "a@", "a"],
  host: ["example.com", "-a", "a_b", "a.b.c", "x".repeat(64), "a.1", "localhost", ""],
  link: ["https://example.com/a?b=c", "/path", "path", "example.com:80", "urn:a:b", "", "http://", "a b"],
  id: ["123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000", "x"],
  data: ["YQ==", "YQ=", "", "YQ", "a b"],
  mac: ["00:11:22:33:44:55", "00-11-22-33-44-55", "0011.2233.4455", "00:11:22", "00:11-22:33:44:55"],
  short: ["a-b", "a.b", "-a", "A", "x".repeat(64)],
  long: ["a.b", "a..b", "A"],
  odd: ["x", 5, true, ["a"]],
  list: [[], ["a"], ["a", "b", "c", "d"], ["a", 1], [null], "a", {}],
  set: [["a", "b"], ["a", "a"], ["a", "a", "a", "b", "b"], [1, 1], [], [null]],
  pairs: [
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [{ a: 1 }, { b: 1 }],
    [
      { a: 1, x: 1 },
      { a: 1, x: 2 },
    ],
  ],
  map: [
    [{ name: "a" }, { name: "a", protocol: "UDP" }],
    [{ name: "a" }, { name: "a" }],
    [{ name: "a", size: 1 }, { name: "a", size: 2 }, { name: "a" }],
    [{}],
    [null],
    ["a"],
    [{ name: "a", protocol: null, unknown: 1 }],
    {},
  ],
  keyed: [[{ id: 1 }, { id: 1 }], [{ id: 1 }, { id: 2 }], [{}, {}], [{ value: "a" }], [{ id: "1" }, { id: "1" }]],
  labels: [{}, { a: "b" }, { a: "bcde" }, { a: 1 }, { a: "1", b: "2", c: "3" }, { a: null }, []],
  tree: [{ a: {} }, { a: { size: null } }, { a: null }, { a: { x: 1, more: 2 } }, { a: [] }, { "a.b": {}, "": {} }],
  free: [{ a: 1 }, { a: { b: 1 } }, { a: [{ b: 1 }, 1] }, {}],
  closed: [{}, { a: 1 }],
  nested: [
    {},
    null,
    { deep: {} },
    { deep: null },
    { deep: { from: null } },
    { optional: {} },
    { optional: null },
    { deep: { x: 1 } },
    [],
  ],
  embedded: [
    {},
    { apiVersion: "v1", kind: "Pod" },
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "a", labels: { a: "b" }, unknown: 1, creationTimestamp: null },
      x: 1,
    },
    { apiVersion: "a/b/c", kind: "1Pod", metadata: { name: "a/b", labels: { "a b": "c d" } } },
    { apiVersion: "", kind: "", spec: { size: "a", y: 1 } },
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { namespace: "A", ownerReferences: [{ apiVersion: "v1", kind: "X", name: "a", uid: "u", z: 1 }] },
    },
    "a",
  ],
  either: [{}, { a: "a" }, { a: "a", b: 1 }, { b: "x" }, { c: "c" }, { a: 1 }, "x"],
  some: [{}, { a: "ab" }, { a: "abc" }, { b: 1 }, { a: "a", b: 1 }, { b: "x" }, []],
  every: [1, 4, 6, "a", 1.5],
  not: ["fine", "forbidden", 1],
  unknown: [1, { a: 1 }, null],
  constructor: [1],
};
