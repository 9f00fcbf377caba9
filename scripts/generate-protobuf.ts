/**
 * Writes src/cluster/api/protobuf/generated/messages.json: for each kind that the embedded API server reads as protobuf,
 * the numbers, names and types of its fields, and which of them JSON shows when they are zero. To run when the Kubernetes
 * of test/kube changes:
 *
 *     node scripts/generate-protobuf.ts [FILE]
 *
 * The sources are the Go modules that test/kube pins: the proto files know numbers and types, the Go structures know the
 * names in JSON, and what is a pointer or left out when empty. The two are joined by the numbers.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUILT_IN } from "../src/cluster/api/kinds/built-in.ts";
import { groupVersionOf } from "../src/cluster/api/kinds/kind.ts";
import type { Field, FieldRow, MessageData, Presence, ScalarType } from "../src/cluster/api/protobuf/table.ts";

/** What is sent or answered, but not stored. */
const TRANSIENT: readonly string[] = [
  "meta.k8s.io/v1/PartialObjectMetadataList",
  "meta.k8s.io/v1/Status",
  "policy/v1/Eviction",
  "autoscaling/v1/Scale",
  "meta.k8s.io/v1/DeleteOptions",
  "authentication.k8s.io/v1/SelfSubjectReview",
  "authentication.k8s.io/v1/TokenRequest",
  "authentication.k8s.io/v1/TokenReview",
  "authorization.k8s.io/v1/LocalSubjectAccessReview",
  "authorization.k8s.io/v1/SelfSubjectAccessReview",
  "authorization.k8s.io/v1/SelfSubjectRulesReview",
  "authorization.k8s.io/v1/SubjectAccessReview",
];

const PLAIN: ReadonlySet<string> = new Set(["string", "bool", "bytes", "int32", "int64", "double"]);

/** Messages that are one value in JSON. */
const VALUES: Readonly<Record<string, ScalarType>> = {
  "k8s.io.apimachinery.pkg.api.resource.Quantity": "quantity",
  "k8s.io.apimachinery.pkg.apis.meta.v1.Time": "time",
  "k8s.io.apimachinery.pkg.apis.meta.v1.MicroTime": "microTime",
  "k8s.io.apimachinery.pkg.apis.meta.v1.FieldsV1": "json",
  "k8s.io.apimachinery.pkg.util.intstr.IntOrString": "intOrString",
  "k8s.io.apimachinery.pkg.runtime.RawExtension": "json",
  "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSON": "json",
};

interface ProtoField {
  readonly number: number;
  readonly type: string;
  readonly holds: Field["holds"];
}

/** What a Go structure says about a field. */
interface GoField {
  readonly jsonName: string;
  readonly isPointer: boolean;
  /** `inline`, `omitempty`, `omitzero` */
  readonly options: readonly string[];
}

/** A message without a structure is a Go list: its items are all that it has. */
const LIST_ITEMS: GoField = { jsonName: "items", isPointer: false, options: [] };

interface Package {
  /** By message, fields in the order of the file. */
  readonly messages: ReadonlyMap<string, readonly ProtoField[]>;
  /** By structure, then by number. */
  readonly structures: ReadonlyMap<string, ReadonlyMap<number, GoField>>;
}

const modules = new Map(
  execFileSync("go", ["list", "-mod=readonly", "-m", "-f", "{{.Path}} {{.Dir}}", "all"], {
    cwd: join(import.meta.dirname, "../test/kube"),
    encoding: "utf8",
  })
    .split("\n")
    .map((line) => line.split(" ") as [string, string]),
);

/** `k8s.io.api.apps.v1` lies in the module k8s.io/api, folder apps/v1. Proto names write `-` as `_`. */
function folderOf(name: string): string {
  const [module = "", ...rest] = name
    .replace(/^k8s\.io\./, "")
    .replaceAll("_", "-")
    .split(".");
  const folder = modules.get(`k8s.io/${module}`);
  if (folder === undefined) throw new Error(`no module holds ${name}`);
  return join(folder, ...rest);
}

function readPackage(name: string): Package {
  const folder = folderOf(name);
  const sources = readdirSync(folder)
    .filter((file) => file.endsWith(".go") && !/^(?:zz_)?generated|_test\.go$/.test(file))
    .map((file) => readFileSync(join(folder, file), "utf8"));
  return {
    messages: readProto(name, readFileSync(join(folder, "generated.proto"), "utf8")),
    structures: new Map(sources.flatMap(readStructures)),
  };
}

function readProto(packageName: string, text: string): Package["messages"] {
  const qualify = (type: string) =>
    PLAIN.has(type) ? type : type.includes(".") ? type.replace(/^\./, "") : `${packageName}.${type}`;
  const blocks = [...text.matchAll(/^message (\w+) \{\n(.*?)^\}/gms)];
  return new Map(
    blocks.map(([, name = "", body = ""]) => [
      `${packageName}.${name}`,
      [...body.matchAll(/^ {2}(optional|repeated|map<string,) ([\w.]+)>? (\w+) = (\d+);/gm)].map(
        ([, label, type = "", , number]): ProtoField => ({
          number: Number(number),
          type: qualify(type),
          holds: label === "repeated" ? "list" : label === "optional" ? "one" : "map",
        }),
      ),
    ]),
  );
}

function readStructures(source: string): [string, ReadonlyMap<number, GoField>][] {
  return [...source.matchAll(/^type (\w+) struct \{\n(.*?)^\}/gms)].map(([, name = "", body = ""]) => [
    name,
    new Map(
      [...body.matchAll(/^\t(\w+)?[ \t]*(\*?)[\w.*[\]]*[ \t]*`(.*protobuf:"\w+,(\d+),.*)`/gm)].map(
        ([, field = "", pointer, tags = "", number]) => [Number(number), readTags(field, pointer === "*", tags)],
      ),
    ),
  ]);
}

function readTags(field: string, isPointer: boolean, tags: string): GoField {
  const [name = "", ...options] = (/json:"([^"]*)"/.exec(tags)?.[1] ?? "").split(",");
  return { jsonName: name === "" ? field : name, isPointer, options };
}

/** `omitempty` says nothing about a structure, and a time is one: Go never calls it empty. */
function presenceOf(field: ProtoField, { isPointer, options }: GoField): Presence {
  if (options.includes("inline")) return "inline";
  if (isPointer) return options.includes("omitempty") ? "pointer" : "nullable";
  const omits = options.includes("omitzero") || (options.includes("omitempty") && canBeEmpty(field));
  return omits ? "omit" : "value";
}

function canBeEmpty({ type, holds }: ProtoField): boolean {
  return holds !== "one" || PLAIN.has(type);
}

const packages = new Map<string, Package>();

function packageOf(name: string): Package {
  const known = packages.get(name) ?? readPackage(name);
  packages.set(name, known);
  return known;
}

/** `k8s.io.api.apps.v1.StatefulSet` becomes `apps.v1.StatefulSet`. */
function shortName(type: string): string {
  return PLAIN.has(type) ? type : (VALUES[type] ?? type.split(".").slice(-3).join("."));
}

function rowsOf(type: string): { rows: FieldRow[]; references: string[] } {
  const [packageName, name] = [type.slice(0, type.lastIndexOf(".")), type.slice(type.lastIndexOf(".") + 1)];
  const { messages, structures } = packageOf(packageName);
  const fields = messages.get(type);
  if (fields === undefined) throw new Error(`no proto file has ${type}`);
  const structure = structures.get(name);
  const rows = fields.map((field): FieldRow => {
    const go = structure === undefined ? LIST_ITEMS : structure.get(field.number);
    if (go === undefined) throw new Error(`no Go structure has field ${field.number} of ${type}`);
    return [field.number, go.jsonName, shortName(field.type), field.holds, presenceOf(field, go)];
  });
  const references = fields.map((field) => field.type).filter((each) => !PLAIN.has(each) && VALUES[each] === undefined);
  return { rows, references };
}

/** Groups that live elsewhere than in k8s.io/api. */
const HOMES: Readonly<Record<string, string>> = {
  meta: "k8s.io.apimachinery.pkg.apis",
  apiextensions: "k8s.io.apiextensions_apiserver.pkg.apis",
  apiregistration: "k8s.io.kube_aggregator.pkg.apis",
};

/** `apps/v1/StatefulSet` is k8s.io.api.apps.v1.StatefulSet. */
function messageOfKind(key: string): string {
  const [kind = "", version = "", group = ""] = key.split("/").reverse();
  const name = group === "" ? "core" : group.slice(0, group.includes(".") ? group.indexOf(".") : undefined);
  return `${HOMES[name] ?? "k8s.io.api"}.${name}.${version}.${kind}`;
}

function collect(keys: readonly string[]): MessageData {
  const messages = new Map<string, readonly FieldRow[]>();
  const add = (type: string): void => {
    if (messages.has(shortName(type))) return;
    const { rows, references } = rowsOf(type);
    messages.set(shortName(type), rows);
    references.forEach(add);
  };
  const kinds = keys.map((key) => {
    add(messageOfKind(key));
    return [key, shortName(messageOfKind(key))] as const;
  });
  const sorted = [...messages].sort(([a], [b]) => (a < b ? -1 : 1));
  return { kinds: Object.fromEntries(kinds), messages: Object.fromEntries(sorted) };
}

/** One line per kind and per message, so that a change of Kubernetes shows as a difference that can be read. */
function print({ kinds, messages }: MessageData): string {
  const lines = (entries: Readonly<Record<string, unknown>>) =>
    Object.entries(entries)
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
      .join(",\n");
  return `{"kinds":{\n${lines(kinds)}\n},"messages":{\n${lines(messages)}\n}}\n`;
}

const stored = BUILT_IN.map((kind) => `${groupVersionOf(kind)}/${kind.kind}`);
const target = process.argv[2] ?? join(import.meta.dirname, "../src/cluster/api/protobuf/generated/messages.json");
writeFileSync(target, print(collect([...stored, ...TRANSIENT])));
