/** Patches of all four kinds, most of which the server takes and some of which it does not. */
import { isList, isObject, type Json, type JsonObject } from "../../../src/cluster/api/json.ts";
import { type Kind, metadataPart } from "./objects.ts";
import type { Random } from "./random.ts";

export type PatchKind = "json" | "merge" | "strategic-merge" | "apply";

export interface PatchCase {
  readonly type: PatchKind;
  readonly body: Json;
  readonly manager: string;
  readonly force: boolean;
  /** Empty for the main endpoint. */
  readonly subresource: "" | "status";
}

const MANAGERS = ["kubectl", "kubectl-client-side-apply", "alice", "bob"];
const TYPES: readonly PatchKind[] = ["json", "merge", "strategic-merge", "strategic-merge", "apply", "apply", "apply"];

export function randomPatch(random: Random, kind: Kind, live: JsonObject): PatchCase {
  const chosen = random.pick(TYPES);
  // Custom resources know no strategic merge patch.
  const type = kind.custom !== undefined && chosen === "strategic-merge" ? "merge" : chosen;
  const subresource = kind.status && random.once(4) ? "status" : "";
  const part = partOf(random, kind, subresource);
  const bodies: Readonly<Record<PatchKind, () => Json>> = {
    json: () => operations(random, live, subresource),
    merge: () => withNulls(random, part),
    "strategic-merge": () => withDirectives(random, withNulls(random, part) as JsonObject),
    apply: () => configuration(random, kind, live, part),
  };
  return { type, subresource, body: bodies[type](), manager: random.pick(MANAGERS), force: random.once(3) };
}

function partOf(random: Random, kind: Kind, subresource: string): JsonObject {
  const metadata = random.once(2) ? { metadata: metadataPart(random) } : {};
  if (subresource === "status") return { ...metadata, status: kind.statusPart?.(random) ?? {} };
  const part = kind.part(random);
  return kind.kind === "ConfigMap" ? { ...metadata, ...part } : { ...metadata, spec: part };
}

/** What is applied names the object. Now and then it does not fit the schema, or is of another kind. */
function configuration(random: Random, kind: Kind, live: JsonObject, part: JsonObject): JsonObject {
  const { name, namespace } = live["metadata"] as JsonObject;
  const metadata = { ...(part["metadata"] as JsonObject | undefined), name: name!, namespace: namespace! };
  const config: JsonObject = { apiVersion: kind.apiVersion, kind: kind.kind, ...part, metadata };
  if (random.once(40)) return { ...config, kind: "Secret" };
  if (random.once(40)) return { ...config, metadata: { ...metadata, managedFields: [] } };
  if (random.once(40)) return { ...config, wrong: 1 };
  if (random.once(40)) return { ...config, metadata: { ...metadata, labels: { a: 1 } } };
  if (random.once(40)) return { ...config, metadata: { ...metadata, finalizers: ["example.com/a", "example.com/a"] } };
  return config;
}

function withNulls(random: Random, value: Json): Json {
  if (isList(value)) return value.map((item) => (isObject(item) ? withNulls(random, item) : item));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, Json] => [
    key,
    random.once(12) && key !== "name" ? null : withNulls(random, inner),
  ]);
  return Object.fromEntries(entries);
}

/** Where a list of items or scalars stands, a directive may stand beside it or in it. */
function withDirectives(random: Random, value: JsonObject): JsonObject {
  const entries = Object.entries(value).flatMap(([key, inner]): [string, Json][] => {
    if (isObject(inner)) {
      const deeper = withDirectives(random, inner);
      if (random.once(40)) return [[key, { ...deeper, $patch: random.pick(["replace", "delete", "merge"]) }]];
      const keys = Object.keys(deeper);
      return [[key, random.once(30) ? { ...deeper, $retainKeys: random.once(4) ? keys.slice(1) : keys } : deeper]];
    }
    return isList(inner) && inner.length > 0 ? listDirectives(random, key, inner) : [[key, inner]];
  });
  return Object.fromEntries(entries);
}

const MERGE_KEYS: Readonly<Record<string, string>> = {
  containers: "name",
  env: "name",
  ports: "containerPort",
  volumes: "name",
  volumeMounts: "mountPath",
  conditions: "type",
  ownerReferences: "uid",
  hostAliases: "ip",
  imagePullSecrets: "name",
};

function listDirectives(random: Random, name: string, items: readonly Json[]): [string, Json][] {
  const [first] = items;
  if (!isObject(first)) {
    if (name !== "finalizers" || !random.once(2)) return [[name, items]];
    return random.once(2)
      ? [[`$deleteFromPrimitiveList/${name}`, items]]
      : [
          [name, items],
          [`$setElementOrder/${name}`, random.once(3) ? items.toReversed() : items],
        ];
  }
  const key = name === "ports" && "port" in first ? "port" : (MERGE_KEYS[name] ?? "name");
  const inner = items.map((item) => withDirectives(random, item as JsonObject));
  const keyOnly = (item: JsonObject): JsonObject => (item[key] === undefined ? {} : { [key]: item[key] });
  if (random.once(5))
    return [[name, inner.map((item, index) => (index === 0 ? { ...keyOnly(item), $patch: "delete" } : item))]];
  if (random.once(8)) return [[name, [...inner, { $patch: "replace" }]]];
  if (name in MERGE_KEYS && random.once(4)) {
    const order = inner.map(keyOnly);
    return [
      [name, inner],
      [`$setElementOrder/${name}`, random.once(3) ? order.toReversed() : order],
    ];
  }
  return [[name, inner]];
}

const NOWHERE: readonly [string, Json][] = [["/status", {}]];

/** One to three operations on places that are there, or nearly. */
function operations(random: Random, live: JsonObject, subresource: string): Json {
  if (random.once(30))
    return [{ op: "replace", path: "/metadata/managedFields", value: random.pick<Json>([[], [{}]]) }];
  const roots = subresource === "status" ? ["status"] : ["metadata", "spec", "data"];
  const places = roots.flatMap((root) => (live[root] === undefined ? [] : placesIn(live[root], `/${root}`)));
  const usable = places.filter(
    ([path]) => !/managedFields|uid|resourceVersion|creationTimestamp|generation/.test(path),
  );
  const chosen = Array.from({ length: 1 + random.below(3) }, () => random.pick(usable.length > 0 ? usable : NOWHERE));
  return chosen.map(([path, value]): Json => {
    switch (random.below(8)) {
      case 0:
        return { op: "remove", path };
      case 1:
        return { op: "test", path, value: random.once(5) ? "other" : value };
      case 2:
        return { op: "copy", from: path, path: `${path}x` };
      case 3:
        return { op: "add", path: `${path.replace(/[^/]*$/, "")}${random.pick(["zz", "-", "0", "-1", "99"])}`, value };
      case 4:
        return { op: "move", from: path, path: `/metadata/annotations/${random.pick(["m", "n"])}` };
      case 5:
        return { op: "add", path: `/metadata/labels/${random.pick(["j", "k"])}`, value: `v${random.below(3)}` };
      default:
        return { op: "replace", path, value: typeof value === "number" ? random.below(4) : value };
    }
  });
}

function placesIn(value: Json, path: string): [string, Json][] {
  const entries = isList(value) ? value.entries() : isObject(value) ? Object.entries(value) : [];
  return [...entries].flatMap(([key, inner]): [string, Json][] => {
    const place = `${path}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
    return [[place, inner], ...placesIn(inner, place)];
  });
}
