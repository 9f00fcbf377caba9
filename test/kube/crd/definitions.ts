/** Definitions that a server takes or refuses: one thing each, on top of one that is fine. */
import type { Json, JsonObject } from "../../../src/cluster/api/json.ts";
import { RULES } from "./rule-cases.ts";

export const GROUP = "crd.example.com";

export interface Case {
  readonly name: string;
  readonly definition: JsonObject;
}

let count = 0;

interface Parts {
  readonly metadata?: JsonObject;
  readonly spec?: JsonObject;
  readonly names?: JsonObject;
  /** What the only version says beside its name. */
  readonly version?: JsonObject;
  /** The schema of the only version. */
  readonly schema?: JsonObject;
}

const FINE: JsonObject = { type: "object", properties: { spec: { type: "object" } } };

/** Each has names of its own. */
export function definition({ metadata = {}, spec = {}, names = {}, version = {}, schema = FINE }: Parts): JsonObject {
  const kind = `Kind${count++}`;
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${GROUP}`, ...metadata },
    spec: {
      group: GROUP,
      scope: "Namespaced",
      names: { plural, kind, ...names },
      versions: [versionOf("v1", { storage: true, schema: { openAPIV3Schema: schema }, ...version })],
      ...spec,
    },
  };
}

export function versionOf(name: string, more: JsonObject = {}): JsonObject {
  return { name, served: true, storage: false, schema: { openAPIV3Schema: FINE }, ...more };
}

const of = (name: string, parts: Parts): Case => ({ name, definition: definition(parts) });
const field = (name: string, schema: JsonObject): Case =>
  of(name, { schema: { type: "object", properties: { spec: { type: "object", properties: { a: schema } } } } });
const versions = (...all: Json[]): Parts => ({ spec: { versions: all } });
const scale = (specReplicasPath: string, statusReplicasPath: string, labelSelectorPath?: string): Parts => ({
  version: {
    subresources: {
      scale: { specReplicasPath, statusReplicasPath, ...(labelSelectorPath !== undefined && { labelSelectorPath }) },
    },
  },
});
const column = (more: JsonObject): Parts => ({
  version: { additionalPrinterColumns: [{ name: "A", type: "string", jsonPath: ".spec.a", ...more }] },
});
const conversion = (more: JsonObject): Parts => ({ spec: { conversion: more } });
const webhook = (more: JsonObject): Parts => conversion({ strategy: "Webhook", webhook: more });
const service = { namespace: "n", name: "s" };
const text = { type: "string" };
const listOf = (items: Json, more: JsonObject): JsonObject => ({ type: "array", items, ...more });
const SET = { "x-kubernetes-list-type": "set" };
const mapBy = (...keys: string[]): JsonObject => ({
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": keys,
});

export const CASES: readonly Case[] = [
  of("nothing unusual", {}),
  of("a scope of the whole cluster", { spec: { scope: "Cluster" } }),
  of("names in full", {
    names: { singular: "one", listKind: "Many", shortNames: ["x1", "x2"], categories: ["all"] },
  }),
  of("another name", { metadata: { name: `others.${GROUP}` } }),
  of("a name that is none", { metadata: { name: "A" } }),
  of("no group", { spec: { group: "" } }),
  of("a group without a dot", { spec: { group: "example" } }),
  of("a group that is none", { spec: { group: "Example.com" } }),
  of("a group of Kubernetes", { spec: { group: "example.k8s.io" } }),
  of("a group of Kubernetes with a wrong approval", {
    metadata: { annotations: { "api-approved.kubernetes.io": "yes" } },
    spec: { group: "example.k8s.io" },
  }),
  of("a group of Kubernetes without approval, and saying so", {
    metadata: { annotations: { "api-approved.kubernetes.io": "unapproved, only a test" } },
    spec: { group: "example.k8s.io" },
  }),
  of("no scope", { spec: { scope: "" } }),
  of("a scope that is none", { spec: { scope: "Everywhere" } }),
  of("no kind", { names: { kind: "" } }),
  of("upper case in its plural", { names: { plural: "Things" } }),
  of("a kind that is none", { names: { kind: "1st" } }),
  of("a list kind like its kind", { names: { kind: "Same", listKind: "Same" } }),
  of("short names that are none", { names: { shortNames: ["ok", "Not-OK", ""] } }),
  of("categories that are none", { names: { categories: ["ok", "a.b"] } }),
  of("no versions", versions()),
  of("no stored version", { version: { storage: false } }),
  of("two stored versions", versions(versionOf("v1", { storage: true }), versionOf("v2", { storage: true }))),
  of("one version twice", versions(versionOf("v1", { storage: true }), versionOf("v1"))),
  of("a version that is none", versions(versionOf("V1", { storage: true }))),
  of("no schema", { version: { schema: null } }),
  of("an empty schema", { version: { schema: {} } }),
  of("no schema in one version", versions(versionOf("v1", { storage: true }), versionOf("v2", { schema: null }))),
  of(
    "different schemas, one wrong",
    versions(
      versionOf("v1", { storage: true }),
      versionOf("v2", { schema: { openAPIV3Schema: { type: "object", properties: { a: {} } } } }),
    ),
  ),
  of("a version that is not served", { version: { served: false } }),
  of("a deprecated version", { version: { deprecated: true } }),
  of("a deprecated version with a word", { version: { deprecated: true, deprecationWarning: "use v2" } }),
  of("a word for a version that is not deprecated", { version: { deprecationWarning: "use v2" } }),
  of("an empty word", { version: { deprecated: true, deprecationWarning: "" } }),
  of("a long word with a line break", { version: { deprecated: true, deprecationWarning: `a\n${"b".repeat(256)}` } }),
  of("unknown fields preserved the old way", { spec: { preserveUnknownFields: true } }),
  of("unknown fields not preserved", { spec: { preserveUnknownFields: false } }),
  of("a root without type", { schema: {} }),
  of("a root that is a text", { schema: { type: "string" } }),
  of("a root that may be null", { schema: { ...FINE, nullable: true } }),
  of("a root of any keys", { schema: { type: "object", additionalProperties: text } }),
  of("a root that preserves", { schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } }),
  of("metadata that is more than a name", {
    schema: {
      type: "object",
      properties: { metadata: { type: "object", properties: { labels: { type: "object" } } } },
    },
  }),
  of("metadata that is a text", { schema: { type: "object", properties: { metadata: text } } }),
  of("a default in the metadata", {
    schema: {
      type: "object",
      properties: { metadata: { type: "object", properties: { name: { type: "string", default: "a" } } } },
    },
  }),
  of("a kind that is a number", { schema: { type: "object", properties: { kind: { type: "integer" } } } }),
  of("a default of its version", {
    schema: { type: "object", properties: { apiVersion: { type: "string", default: "v1" } } },
  }),
  of("oneOf at the root beside a status", {
    version: { subresources: { status: {} } },
    schema: { type: "object", properties: { spec: { type: "object" } }, oneOf: [{ required: ["spec"] }] },
  }),
  field("a field without type", {}),
  field("a field of no such type", { type: "text" }),
  field("a field of type null", { type: "null" }),
  field("items without type", listOf({}, {})),
  field("a list without items", { type: "array" }),
  field("a list with several items", listOf([text], {})),
  field("unique items", listOf(text, { uniqueItems: true })),
  field("fields beside any keys", { type: "object", properties: { b: text }, additionalProperties: text }),
  field("fields, and no others", { type: "object", properties: { b: text }, additionalProperties: false }),
  field("keys of no type", { type: "object", additionalProperties: {} }),
  field("an id", { type: "string", id: "a" }),
  field("a reference", { $ref: "#/definitions/a" }),
  field("a schema of schemas", { type: "string", $schema: "http://json-schema.org/schema#" }),
  field("patterns of fields", { type: "object", patternProperties: { a: text } }),
  field("definitions", { type: "object", definitions: { a: text } }),
  field("dependencies", { type: "object", dependencies: { a: ["b"] } }),
  field("not preserving", { type: "object", "x-kubernetes-preserve-unknown-fields": false }),
  field("a number or a text", { "x-kubernetes-int-or-string": true }),
  field("a number or a text, in full", {
    "x-kubernetes-int-or-string": true,
    anyOf: [{ type: "integer" }, { type: "string" }],
    pattern: "^a",
  }),
  field("a number or a text, with more", {
    "x-kubernetes-int-or-string": true,
    allOf: [{ anyOf: [{ type: "integer" }, { type: "string" }] }, { maxLength: 5 }],
  }),
  field("a number or a text that preserves", {
    "x-kubernetes-int-or-string": true,
    "x-kubernetes-preserve-unknown-fields": true,
  }),
  field("an embedded text", { type: "string", "x-kubernetes-embedded-resource": true }),
  field("an embedded object without fields", { type: "object", "x-kubernetes-embedded-resource": true }),
  field("an embedded object that preserves", {
    type: "object",
    "x-kubernetes-embedded-resource": true,
    "x-kubernetes-preserve-unknown-fields": true,
  }),
  field("types inside of anyOf", { type: "object", properties: { b: text }, anyOf: [{ properties: { b: text } }] }),
  field("unknown fields inside of allOf", { type: "object", allOf: [{ properties: { b: { minLength: 1 } } }] }),
  field("unknown items inside of not", {
    type: "object",
    properties: { b: text },
    not: { properties: { b: { items: { minLength: 1 } } } },
  }),
  field("words inside of oneOf", {
    type: "object",
    properties: { b: text },
    oneOf: [{ description: "a", title: "b", nullable: true, default: {}, additionalProperties: text }],
  }),
  field("extensions inside of oneOf", {
    type: "object",
    oneOf: [
      {
        "x-kubernetes-list-type": "set",
        "x-kubernetes-map-type": "atomic",
        "x-kubernetes-int-or-string": true,
        "x-kubernetes-embedded-resource": true,
        "x-kubernetes-list-map-keys": ["a"],
      },
    ],
  }),
  field("metadata inside of anyOf", {
    type: "object",
    properties: { metadata: { type: "object" } },
    anyOf: [{ properties: { metadata: { required: ["name"] } } }],
  }),
  field("a set of texts", listOf(text, SET)),
  field("a set of objects", listOf({ type: "object", properties: { b: text } }, SET)),
  field("a set of lists that are sets", listOf(listOf(text, SET), SET)),
  field("a set of what may be null", listOf({ type: "string", nullable: true }, SET)),
  field("a set that is no list", { type: "object", ...SET }),
  field("a list of no such type", listOf(text, { "x-kubernetes-list-type": "bag" })),
  field("a map without keys", listOf({ type: "object", properties: { b: text } }, { "x-kubernetes-list-type": "map" })),
  field("a map of texts", listOf(text, mapBy("b"))),
  field("a map by a key that is not there", listOf({ type: "object", properties: { b: text } }, mapBy("c"))),
  field(
    "a map by an object",
    listOf({ type: "object", required: ["b"], properties: { b: { type: "object" } } }, mapBy("b")),
  ),
  field(
    "a map by one key twice",
    listOf({ type: "object", required: ["b"], properties: { b: text } }, mapBy("b", "b")),
  ),
  field("a map by a key that may be missing", listOf({ type: "object", properties: { b: text } }, mapBy("b"))),
  field(
    "a map by a key that may be null",
    listOf({ type: "object", required: ["b"], properties: { b: { type: "string", nullable: true } } }, mapBy("b")),
  ),
  field(
    "keys without a map",
    listOf({ type: "object", properties: { b: text } }, { "x-kubernetes-list-map-keys": ["b"] }),
  ),
  field("keys of a set", listOf(text, { ...SET, "x-kubernetes-list-map-keys": ["b"] })),
  field("an atomic map", { type: "object", "x-kubernetes-map-type": "atomic" }),
  field("a map of no such type", { type: "object", "x-kubernetes-map-type": "whole" }),
  field("a map type of a text", { type: "string", "x-kubernetes-map-type": "atomic" }),
  field("a default of the wrong type", { type: "integer", default: "a" }),
  field("a default that is not allowed", { type: "string", enum: ["a"], default: "b" }),
  field("a default with unknown fields", { type: "object", properties: { b: text }, default: { c: 1 } }),
  field("a default with wrong fields", { type: "object", properties: { b: text }, default: { b: 1 } }),
  field("a default of null", { type: "string", default: null }),
  field("a default that lacks something", { type: "object", required: ["b"], properties: { b: text }, default: {} }),
  field("defaults of keys", { type: "object", additionalProperties: { type: "string", default: "a" } }),
  field("a default of an embedded object", {
    type: "object",
    "x-kubernetes-embedded-resource": true,
    "x-kubernetes-preserve-unknown-fields": true,
    default: { kind: "a b" },
  }),
  field("a pattern", { type: "string", pattern: "^[[:alpha:]]+(?P<rest>\\pL)*\\z" }),
  field("a pattern that is none", { type: "string", pattern: "(a" }),
  field("a pattern with one parenthesis too many", { type: "string", pattern: "a)" }),
  field("a pattern that repeats nothing", { type: "string", pattern: "*a" }),
  field("a pattern with an open bracket", { type: "string", pattern: "a[b" }),
  field("a pattern with a strange escape", { type: "string", pattern: "a\\y" }),
  field("a pattern that repeats too often", { type: "string", pattern: "a{1001}" }),
  field("a pattern that refers back", { type: "string", pattern: "(a)\\1" }),
  field("a pattern that looks behind", { type: "string", pattern: "(?<=a)b" }),
  field("a pattern with plain braces", { type: "string", pattern: "^{a}[]a]$" }),
  field("a pattern whose flags change in the middle", { type: "string", pattern: "a(?i)b" }),
  field("a pattern that looks ahead", { type: "string", pattern: "^(?=a)b" }),
  field("a format that nobody knows", { type: "string", format: "no-such-format" }),
  field("an empty rule", { type: "string", "x-kubernetes-validations": [{ rule: " " }] }),
  field("a rule for no such reason", {
    type: "string",
    "x-kubernetes-validations": [{ rule: "true", reason: "Because" }],
  }),
  field("a rule with an empty message", {
    type: "string",
    "x-kubernetes-validations": [{ rule: "true", message: " " }],
  }),
  field("a rule", { type: "string", "x-kubernetes-validations": [{ rule: "self.size() > 0", message: "a" }] }),
  field("a rule that cannot be compiled", { type: "string", "x-kubernetes-validations": [{ rule: "self.nothing" }] }),
  ...RULES.map(([name, schema, ...rules]) => field(name, { ...schema, "x-kubernetes-validations": rules })),
  of("a scale", scale(".spec.a", ".status.b", ".status.c")),
  of("a scale without paths", scale("", "")),
  of("a scale that is elsewhere", scale(".a.b", ".spec.b", ".metadata.c")),
  of("a scale without dots", scale("spec.a", "status.b", "c")),
  of("a column", column({})),
  of("a column of everything", column({ format: "date-time", description: "d", priority: 1, type: "date" })),
  of("a column without name", column({ name: "" })),
  of("a column without type", column({ type: "" })),
  of("a column of no such type", column({ type: "text" })),
  of("a column of no such format", column({ format: "big" })),
  of("a column without path", column({ jsonPath: "" })),
  of("a column with a path that is none", column({ jsonPath: "spec.a" })),
  of("a selectable field", {
    schema: { type: "object", properties: { spec: { type: "object", properties: { a: text } } } },
    version: { selectableFields: [{ jsonPath: ".spec.a" }] },
  }),
  of("a selectable object", { version: { selectableFields: [{ jsonPath: ".spec" }] } }),
  of("a selectable field of the metadata", {
    schema: { type: "object", properties: { metadata: { type: "object", properties: { name: text } } } },
    version: { selectableFields: [{ jsonPath: ".metadata.name" }] },
  }),
  of("a selectable field twice", {
    schema: { type: "object", properties: { spec: { type: "object", properties: { a: text } } } },
    version: { selectableFields: [{ jsonPath: ".spec.a" }, { jsonPath: ".spec.a" }] },
  }),
  of("a selectable field that is not there", { version: { selectableFields: [{ jsonPath: ".spec.nothing" }] } }),
  of("conversion by nobody", conversion({ strategy: "None" })),
  of("conversion of no such sort", conversion({ strategy: "Magic" })),
  of(
    "conversion by nobody, with a webhook",
    conversion({ strategy: "None", webhook: { conversionReviewVersions: ["v1"], clientConfig: { service } } }),
  ),
  of("conversion by a webhook", webhook({ conversionReviewVersions: ["v1"], clientConfig: { service } })),
  of("conversion by a webhook that is not there", conversion({ strategy: "Webhook" })),
  of(
    "conversion by two webhooks",
    webhook({ conversionReviewVersions: ["v1"], clientConfig: { service, url: "https://a" } }),
  ),
  of("conversion by plain http", webhook({ conversionReviewVersions: ["v1"], clientConfig: { url: "http://a" } })),
  of(
    "conversion by a webhook that needs a password",
    webhook({ conversionReviewVersions: ["v1"], clientConfig: { url: "https://a:b@c?d#e" } }),
  ),
  of(
    "conversion by a service without name",
    webhook({ conversionReviewVersions: ["v1"], clientConfig: { service: { namespace: "n" } } }),
  ),
  of(
    "conversion by a strange path",
    webhook({
      conversionReviewVersions: ["v1"],
      clientConfig: { service: { ...service, path: "a//B/", port: 70000 } },
    }),
  ),
  of("conversion in no known version", webhook({ conversionReviewVersions: ["v9"], clientConfig: { service } })),
  of("conversion in no version", webhook({ conversionReviewVersions: [], clientConfig: { service } })),
  of(
    "conversion in one version twice",
    webhook({ conversionReviewVersions: ["v1", "v1", "A"], clientConfig: { service } }),
  ),
  of("several versions that agree", versions(versionOf("v1", { storage: true }), versionOf("v2"))),
  of("several things wrong at once", {
    metadata: { name: "wrong" },
    spec: { scope: "", group: "a" },
    schema: { type: "array", items: {} },
  }),
];

export interface Edit {
  readonly name: string;
  readonly before: JsonObject;
  /** Of the spec. */
  readonly change: JsonObject;
}

const v = (...names: string[]): JsonObject => ({
  versions: names.map((name, index) => versionOf(name, { storage: index === 0 })),
});
const edit = (name: string, before: Parts, change: JsonObject): Edit => ({ name, before: definition(before), change });

export const EDITS: readonly Edit[] = [
  edit("another scope", {}, { scope: "Cluster" }),
  edit("another group", {}, { group: "other.example.com" }),
  edit("another kind", {}, { names: { plural: "things", kind: "Other" } }),
  edit("one more version", {}, v("v1", "v2")),
  edit("another stored version", {}, v("v2", "v1")),
  edit("without the stored version", {}, v("v2")),
  edit(
    "a schema that is wrong",
    {},
    { versions: [versionOf("v1", { storage: true, schema: { openAPIV3Schema: {} } })] },
  ),
  edit("unknown fields preserved the old way", {}, { preserveUnknownFields: true }),
  edit("nothing", {}, {}),
];
