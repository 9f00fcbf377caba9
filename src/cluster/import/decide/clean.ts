/** An object without what its API server has put there, and without what only makes sense in its own cluster. */
import type { DumpedObject } from "./types.ts";

type Fields = Readonly<Record<string, unknown>>;

const NOT_OURS = [
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "selfLink",
  "managedFields",
  "ownerReferences",
  // Whoever would remove them is not here; what is needed, the controllers of this cluster put there.
  "finalizers",
] as const;

/** What creating such an object does not take, or takes from elsewhere, in its spec. */
const SPEC: ReadonlyMap<string, readonly string[]> = new Map([
  ["Service", ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "healthCheckNodePort"]],
  ["Pod", ["priority", "preemptionPolicy", "ephemeralContainers"]],
  ["Namespace", ["finalizers"]],
]);

/** `node`: where pods that were on some node are to be. */
export function cleaned(object: DumpedObject, node: string): DumpedObject {
  const { status: _, metadata, ...rest } = object;
  const kept = { ...(without(metadata as object as Fields, NOT_OURS) as object as DumpedObject["metadata"]) };
  const bare: DumpedObject = { ...(rest as DumpedObject), metadata: kept };
  const spec = (object.spec ?? {}) as Fields;
  const dropped = SPEC.get(object.kind);
  if (dropped === undefined || object.apiVersion !== "v1") return withoutForeignParts(bare);
  const left = without(spec, dropped);
  switch (object.kind) {
    case "Service":
      return { ...bare, spec: spec["clusterIP"] === "None" ? { ...left, clusterIP: "None" } : left };
    case "Pod":
      return { ...bare, spec: typeof spec["nodeName"] === "string" ? { ...left, nodeName: node } : left };
    default:
      return Object.keys(left).length === 0 ? without(bare, ["spec"]) : { ...bare, spec: left };
  }
}

function withoutForeignParts(object: DumpedObject): DumpedObject {
  switch (object.kind) {
    // Their tokens stay behind.
    case "ServiceAccount":
      return object.apiVersion === "v1" ? without(object, ["secrets"]) : object;
    // A webhook that converts is not here; there is one version of each object in a dump anyway.
    case "CustomResourceDefinition":
      return { ...object, spec: without((object.spec ?? {}) as Fields, ["conversion"]) };
    default:
      return object;
  }
}

function without<T extends object>(object: T, names: readonly string[]): T {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name))) as T;
}
