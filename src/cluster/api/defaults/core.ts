/** Defaults of the other kinds of the core group: upstream pkg/apis/core/v1/defaults.go. */
import { fromEntries, get, isObject, type Json, type JsonObject } from "../json.ts";
import { PERSISTENT_VOLUME_SOURCES } from "./pod.ts";
import { always, each, fields, isEmpty, type Rule, whenEmpty, whenMissing, where } from "./rule.ts";

export const PERSISTENT_VOLUME = fields({
  spec: always({
    persistentVolumeReclaimPolicy: whenEmpty("Retain"),
    volumeMode: whenMissing("Filesystem"),
    ...PERSISTENT_VOLUME_SOURCES,
  }),
  status: always({ phase: whenEmpty("Pending") }),
});

/** Selectors can find a namespace by its name. */
export const NAMESPACE = fields({
  metadata: fields({
    labels: (labels, { name }) =>
      typeof name !== "string" || name === ""
        ? labels
        : { ...(isObject(labels) ? labels : {}), "kubernetes.io/metadata.name": name },
  }),
  status: always({ phase: whenEmpty("Active") }),
});

const PORT = fields({
  protocol: whenEmpty("TCP"),
  targetPort: (value, port) => (isEmpty(value) ? get(port, "port") : value),
});

const typeIs =
  (...types: readonly Json[]) =>
  (spec: JsonObject) =>
    types.includes(get(spec, "type") ?? "");

const isReachedFromOutside = (spec: JsonObject) =>
  typeIs("LoadBalancer", "NodePort")(spec) || (typeIs("ClusterIP")(spec) && !isEmpty(get(spec, "externalIPs")));

/** Three hours. */
const AFFINITY_SECONDS = 10_800;

const AFFINITY_CONFIG: Rule = (value, spec) => {
  if (get(spec, "sessionAffinity") !== "ClientIP") return undefined;
  return always({ clientIP: always({ timeoutSeconds: whenMissing(AFFINITY_SECONDS) }) })(value, spec);
};

export const SERVICE = fields({
  spec: always({
    sessionAffinity: whenEmpty("None"),
    sessionAffinityConfig: AFFINITY_CONFIG,
    type: whenEmpty("ClusterIP"),
    ports: each(PORT),
    externalTrafficPolicy: where(isReachedFromOutside, whenEmpty("Cluster")),
    internalTrafficPolicy: where(typeIs("NodePort", "LoadBalancer", "ClusterIP"), whenMissing("Cluster")),
    allocateLoadBalancerNodePorts: where(typeIs("LoadBalancer"), whenMissing(true)),
  }),
});

/** What is written as text is stored as everything else is, and never shown again. */
const DATA_WITH_TEXT: Rule = (data, { stringData }) => {
  if (!isObject(stringData)) return data;
  const texts = Object.entries(stringData).map(
    ([key, text]) => [key, typeof text === "string" ? Buffer.from(text).toString("base64") : text] as const,
  );
  return { ...(isObject(data) ? data : {}), ...fromEntries(texts) };
};

export const SECRET = fields({
  data: DATA_WITH_TEXT,
  stringData: () => undefined,
  type: whenEmpty("Opaque"),
});

export const ENDPOINTS = fields({ subsets: each(fields({ ports: each(fields({ protocol: whenEmpty("TCP") })) })) });

/** What a node can give is all that it has, until it says otherwise. */
export const NODE = fields({
  status: fields({ allocatable: (value, { capacity }) => value ?? capacity }),
});

const isForContainers = (item: JsonObject) => get(item, "type") === "Container";
const filledFrom = (...names: readonly string[]): Rule =>
  where(isForContainers, (value, item) => {
    const lists = [...names.map((name) => get(item, name)), value].filter(isObject);
    return lists.reduce<Readonly<Record<string, Json>>>((merged, list) => ({ ...merged, ...list }), {});
  });

/** Of a maximum follows what containers get by default, and of that or a minimum what they request. */
export const LIMIT_RANGE = fields({
  spec: always({
    limits: each(fields({ default: filledFrom("max"), defaultRequest: filledFrom("min", "default") })),
  }),
});
