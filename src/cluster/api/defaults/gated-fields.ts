/**
 * Fields that Kubernetes has in its schemas and takes away again, since what they are for is behind a gate that is off, or is gone. Who
 * writes one is told nothing, there as here.
 */
import { isList, isObject, type Json, type JsonObject } from "../json.ts";
import { kindTable } from "../kinds/kind-table.ts";

/** Steps down to a field; `*` is every item of a list. */
type Path = readonly string[];

const OF_PODS = [
  "schedulingGroup",
  "containers.*.lifecycle.stopSignal",
  "initContainers.*.lifecycle.stopSignal",
  "volumes.*.projected.sources.*.clusterTrustBundle",
  "volumes.*.projected.sources.*.podCertificate",
];
const OF_TEMPLATES = OF_PODS.map((path) => `spec.template.spec.${path}`);

const GATED = kindTable<readonly Path[]>(
  Object.entries({
    "v1/Pod": OF_PODS.map((path) => `spec.${path}`),
    "v1/PodTemplate": OF_PODS.map((path) => `template.spec.${path}`),
    "v1/ReplicationController": OF_TEMPLATES,
    "v1/Node": ["spec.configSource", "status.config"],
    "v1/ServiceAccount": ["fieldPath", "namespace", "resourceVersion", "uid"].map((field) => `secrets.*.${field}`),
    "apps/v1/DaemonSet": OF_TEMPLATES,
    "apps/v1/Deployment": OF_TEMPLATES,
    "apps/v1/ReplicaSet": OF_TEMPLATES,
    "apps/v1/StatefulSet": OF_TEMPLATES,
    "batch/v1/CronJob": OF_TEMPLATES.map((path) => path.replace("spec.", "spec.jobTemplate.spec.")),
    "batch/v1/Job": OF_TEMPLATES,
    "coordination.k8s.io/v1/Lease": ["spec.strategy", "spec.preferredHolder"],
    "discovery.k8s.io/v1/EndpointSlice": ["endpoints.*.deprecatedTopology"],
    "storage.k8s.io/v1/CSIDriver": ["spec.preventPodSchedulingIfMissing"],
  }).map(([kind, paths]) => [kind, paths.map((path) => path.split("."))]),
);

/** The object without them; the same object where it has none. */
export function withoutGatedFields(object: JsonObject): JsonObject {
  const { apiVersion, kind } = object;
  if (typeof apiVersion !== "string" || typeof kind !== "string") return object;
  let result: Json = object;
  for (const path of GATED.get(apiVersion, kind) ?? []) result = without(result, path, 0);
  return result as JsonObject;
}

function without(value: Json, path: Path, at: number): Json {
  const step = path[at] ?? "";
  if (step === "*") return isList(value) ? eachWithout(value, path, at) : value;
  if (!isObject(value) || !Object.hasOwn(value, step)) return value;
  const { [step]: inner = null, ...rest } = value;
  if (at === path.length - 1) return rest;
  const next = without(inner, path, at + 1);
  return next === inner ? value : { ...value, [step]: next };
}

function eachWithout(list: readonly Json[], path: Path, at: number): readonly Json[] {
  const items = list.map((item) => without(item, path, at + 1));
  return items.some((item, index) => item !== list[index]) ? items : list;
}
