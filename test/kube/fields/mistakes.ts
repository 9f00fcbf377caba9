/**
 * An object that is fine, once for each thing that can be wrong with it: walks along the schema and puts, field by field, what does
 * not belong there. What is not in the object is put there as well, one level deep: that is where half of the rules are about.
 */
import { isList, isObject, type Json, type JsonObject } from "../../../src/cluster/api/json.ts";
import { structureOf } from "../../../src/cluster/api/schema/schema.ts";
import type { FieldType, ObjectType, ScalarName } from "../../../src/cluster/api/schema/types.ts";

export interface Mistake {
  /** `spec.containers[0].name = ""` */
  readonly name: string;
  readonly object: JsonObject;
}

/** Fields that a server fills in by itself, or that other suites are about. */
const OF_THE_SERVER = "apiVersion kind managedFields ephemeralContainers automountServiceAccountToken";
/** What needs kinds that are not served. */
const OF_OTHER_KINDS = "resourceClaims runtimeClassName overhead";
/** Disks of clouds that are gone: no rule here is about them. */
const OF_CLOUDS = [
  "awsElasticBlockStore azureDisk azureFile cephfs cinder fc flexVolume flocker gcePersistentDisk gitRepo glusterfs iscsi",
  "photonPersistentDisk portworxVolume quobyte rbd scaleIO storageos vsphereVolume",
].join(" ");
const LEFT_OUT: ReadonlySet<string> = new Set(
  [OF_THE_SERVER, OF_OTHER_KINDS, OF_CLOUDS].flatMap((names) => names.split(" ")),
);

const LONG = "x".repeat(300);
const TEXTS = ["", "Not A Name!", "-x", "a.b", "a/b", "a/b/c", "../x", "/x/../y", LONG, "é"];
const VALUES: Readonly<Record<ScalarName, readonly Json[]>> = {
  string: TEXTS,
  integer: [-1, 0, 1, 101, 70_000, 2_147_483_647],
  number: [-1, 0, 1.5],
  boolean: [true, false],
  bytes: ["", "AA=="],
  time: ["2020-01-01T00:00:00Z"],
  microTime: ["2020-01-01T00:00:00.000000Z"],
  quantity: ["-1", "0", "1", "1500m", "1Ti"],
  intOrString: [-1, 0, 70_000, "", "Not A Name!", "50%", "150%", "-1%"],
  any: [{}],
  raw: [{}],
};
const KEYS = ["Not A Name!", "", "example.com/x", "a/b/c", "kubernetes.io/odd", LONG];

/** Each object differs from the given one in a single field. In the order of the schema. */
export function mistakesIn(object: JsonObject, type: FieldType): Mistake[] {
  return [...alter(object, type, "", undefined)]
    .filter(({ name }) => name !== "")
    .map(({ name, value }) => ({ name, object: value as JsonObject }));
}

interface Altered {
  readonly name: string;
  readonly value: Json;
}

function* alter(
  value: Json | undefined,
  type: FieldType,
  path: string,
  words: readonly string[] | undefined,
): Generator<Altered> {
  if (typeof type === "string") return yield* scalars(value, type, path, words);
  if ("list" in type) return yield* lists(value, type.list, path, words);
  if ("map" in type) return yield* maps(value, type.map, path);
  yield* structures(value, "ref" in type ? structureOf(type.ref) : type, path);
}

function* scalars(
  value: Json | undefined,
  type: ScalarName,
  path: string,
  words: readonly string[] | undefined,
): Generator<Altered> {
  for (const each of [...(words ?? []), ...VALUES[type]]) {
    if (each !== value) yield { name: `${path} = ${shown(each)}`, value: each };
  }
}

function* lists(
  value: Json | undefined,
  item: FieldType,
  path: string,
  words: readonly string[] | undefined,
): Generator<Altered> {
  const items = isList(value) ? value : [];
  const [first, ...rest] = items;
  yield { name: `${path} = []`, value: [] };
  if (first !== undefined) yield { name: `${path} = the first twice`, value: [first, ...items] };
  if (typeof item !== "string") yield { name: `${path} += {}`, value: [...items, {}] };
  if (first === undefined && typeof item !== "string") return;
  for (const altered of alter(first, item, `${path}[0]`, words)) {
    yield { name: altered.name, value: [altered.value, ...rest] };
  }
}

function* maps(value: Json | undefined, item: FieldType, path: string): Generator<Altered> {
  const entries = isObject(value) ? value : {};
  const [first] = Object.entries(entries);
  yield { name: `${path} = {}`, value: {} };
  const sample = first?.[1] ?? (item === "quantity" ? "1" : item === "string" ? "x" : item === "bytes" ? "AA==" : {});
  for (const key of KEYS) yield { name: `${path}[${shown(key)}]`, value: { ...entries, [key]: sample } };
  for (const altered of alter(first?.[1], item, `${path}.${first?.[0] ?? "cpu"}`, undefined)) {
    yield { name: altered.name, value: { ...entries, [first?.[0] ?? "cpu"]: altered.value } };
  }
}

function* structures(value: Json | undefined, { fields, enums = {} }: ObjectType, path: string): Generator<Altered> {
  const object = isObject(value) ? value : undefined;
  if (object !== undefined && path !== "") yield { name: `${path} = {}`, value: {} };
  if (object === undefined) return yield { name: `${path} = {}`, value: {} };
  for (const [field, type] of Object.entries(fields)) {
    if (LEFT_OUT.has(field)) continue;
    const inner = path === "" ? field : `${path}.${field}`;
    if (Object.hasOwn(object, field)) {
      const { [field]: _, ...without } = object;
      yield { name: `${inner} gone`, value: without };
    }
    for (const altered of alter(object[field], type, inner, enums[field])) {
      yield { name: altered.name, value: { ...object, [field]: altered.value } };
    }
  }
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 10)}… (${text.length})` : text;
}
