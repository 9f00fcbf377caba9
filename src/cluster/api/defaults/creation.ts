/**
 * What a server makes of an object that is created, before anything is checked: the status is the server's to write, and
 * a few fields are as well (upstream `PrepareForCreate` of each strategy).
 */
import { sizesEqual } from "../../../core/semantic-equal.ts";
import { get, has, isList, isObject, type Json, type JsonObject } from "../json.ts";
import { BUILT_IN } from "../kinds/built-in.ts";
import { groupVersionOf } from "../kinds/kind.ts";
import { kindKey } from "./kind-key.ts";
import { isEmpty } from "./rule.ts";

const IS_BUILT_IN: ReadonlySet<string> = new Set(BUILT_IN.map((kind) => `${groupVersionOf(kind)}/${kind.kind}`));

/** Built-in kinds whose status counts as it was sent: whoever registers a node knows its capacity. */
const STATUS_IS_TAKEN: ReadonlySet<string> = new Set(["v1/Node"]);

/**
 * The object as it is to be created, with its defaults: a status that was sent is dropped, and the status that it begins
 * with is there. A custom resource is the same object: whether it has a status is said in its definition.
 */
export function prepareForCreate(object: JsonObject): JsonObject {
  const key = kindKey(object);
  if (!IS_BUILT_IN.has(key) || STATUS_IS_TAKEN.has(key)) return object;
  switch (key) {
    case "v1/Namespace":
      return { ...object, spec: withNamespaceFinalizer(get(object, "spec")), status: { phase: "Active" } };
    case "v1/PersistentVolume":
    case "v1/PersistentVolumeClaim":
      return { ...object, status: { phase: "Pending" } };
    case "v1/Pod": {
      const spec = get(object, "spec");
      return { ...object, status: { phase: "Pending", qosClass: qosClass(isObject(spec) ? spec : {}) } };
    }
    case "apiextensions.k8s.io/v1/CustomResourceDefinition":
      return { ...object, status: { storedVersions: storedVersions(get(object, "spec")) } };
    default: {
      const { status: _, ...rest } = object;
      return rest;
    }
  }
}

/** It is not gone before everything in it is. */
function withNamespaceFinalizer(spec: Json | undefined): JsonObject {
  const given = isObject(spec) ? spec : {};
  const finalizers = get(given, "finalizers");
  const before = isList(finalizers) ? finalizers : [];
  return { ...given, finalizers: before.includes("kubernetes") ? before : [...before, "kubernetes"] };
}

/** The version that objects are stored in. */
function storedVersions(spec: Json | undefined): Json[] {
  const versions = isObject(spec) ? get(spec, "versions") : undefined;
  const stored = (isList(versions) ? versions : []).filter(isObject).filter((each) => get(each, "storage") === true);
  return stored.slice(0, 1).map((version) => get(version, "name") ?? "");
}

/** The class of service that a pod's requests and limits earn it; upstream pkg/apis/core/v1/helper/qos. */
function qosClass(spec: JsonObject): string {
  const containers = [get(spec, "containers"), get(spec, "initContainers")]
    .flatMap((list) => (Array.isArray(list) ? (list as readonly Json[]) : []))
    .filter(isObject)
    .map((container) => get(container, "resources"))
    .map((resources) => (isObject(resources) ? resources : {}));
  const all = containers.map((resources) => ({
    requests: countedIn(get(resources, "requests")),
    limits: countedIn(get(resources, "limits")),
  }));
  if (all.every(({ requests, limits }) => isEmpty(requests) && isEmpty(limits))) return "BestEffort";
  const guaranteed = all.every(
    ({ requests, limits }) =>
      ["cpu", "memory"].every((name) => has(limits, name)) &&
      Object.entries(requests).every(([name, size]) => sizesEqual(get(limits, name), size)),
  );
  return guaranteed ? "Guaranteed" : "Burstable";
}

/** Only these two count, and only when they are more than nothing. */
function countedIn(list: Json | undefined): JsonObject {
  if (!isObject(list)) return {};
  return Object.fromEntries(
    Object.entries(list).filter(([name, size]) => (name === "cpu" || name === "memory") && !sizesEqual(size, "0")),
  );
}
