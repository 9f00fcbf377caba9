/** What objects of a dump name and the dump does not have, where nothing would go without it. */
import type { DumpedObject } from "./types.ts";

interface PodSpec {
  readonly serviceAccountName?: string;
  readonly priorityClassName?: string;
}

/** Namespaces, and the accounts and priority classes of pods: each once, with who needs it first. */
export function neededBy(objects: readonly DumpedObject[]): Map<DumpedObject, DumpedObject> {
  const seen = new Map<string, [DumpedObject, DumpedObject]>();
  const need = (needed: DumpedObject, by: DumpedObject): void => {
    const key = JSON.stringify([needed.kind, needed.metadata.namespace, needed.metadata.name]);
    if (!seen.has(key)) seen.set(key, [needed, by]);
  };
  for (const object of objects) {
    const { namespace } = object.metadata;
    if (namespace !== undefined) need({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }, object);
    const { serviceAccountName = "default", priorityClassName = "" } = podSpecOf(object) ?? {};
    if (serviceAccountName !== "default" && namespace !== undefined) {
      need({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: serviceAccountName, namespace } }, object);
    }
    if (priorityClassName !== "" && !priorityClassName.startsWith("system-")) {
      const kind = { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass" };
      need({ ...kind, metadata: { name: priorityClassName }, value: 0 }, object);
    }
  }
  return new Map(seen.values());
}

/** Of the kinds whose pods are made or imported here. */
function podSpecOf({ apiVersion, kind, spec }: DumpedObject): PodSpec | undefined {
  if (apiVersion === "v1" && kind === "Pod") return spec as PodSpec;
  if (apiVersion !== "apps/v1" || kind !== "StatefulSet") return undefined;
  return (spec as { template?: { spec?: PodSpec } }).template?.spec;
}
