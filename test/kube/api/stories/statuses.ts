/** The endpoints of an object beside its own: its status, its scale. */
import { BUILT_IN } from "../../../../src/cluster/api/kinds/built-in.ts";
import { groupVersionOf, type Kind } from "../../../../src/cluster/api/kinds/kind.ts";
import { type Story, story } from "../story.ts";
import { LEAST } from "./least.ts";

const CONDITION = {
  type: "Tried",
  status: "True",
  reason: "Because",
  message: "m",
  lastTransitionTime: "2026-01-01T00:00:00Z",
};

/** Something that each may say of itself. */
const STATUS: Readonly<Record<string, object>> = {
  CertificateSigningRequest: { conditions: [{ ...CONDITION, lastUpdateTime: "2026-01-01T00:00:00Z" }] },
  CronJob: { lastScheduleTime: "2026-01-01T00:00:00Z" },
  DaemonSet: { currentNumberScheduled: 1, desiredNumberScheduled: 2, numberReady: 1, conditions: [CONDITION] },
  Deployment: { replicas: 2, readyReplicas: 1, observedGeneration: 1, conditions: [CONDITION] },
  HorizontalPodAutoscaler: { currentReplicas: 1, desiredReplicas: 2 },
  Ingress: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } },
  Job: { active: 1, startTime: "2026-01-01T00:00:00Z" },
  Namespace: { conditions: [CONDITION] },
  Node: { capacity: { cpu: "2" }, conditions: [CONDITION] },
  PersistentVolume: { phase: "Available", message: "m" },
  PersistentVolumeClaim: { phase: "Bound", capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] },
  Pod: { phase: "Running", podIP: "192.0.2.1", podIPs: [{ ip: "192.0.2.1" }], conditions: [CONDITION] },
  PodDisruptionBudget: { observedGeneration: 1, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
  PriorityLevelConfiguration: { conditions: [CONDITION] },
  ReplicaSet: { replicas: 1, observedGeneration: 1 },
  ReplicationController: { replicas: 1, observedGeneration: 1 },
  ResourceQuota: { hard: { pods: "3" }, used: { pods: "1" } },
  ServiceCIDR: { conditions: [CONDITION] },
  Service: { conditions: [CONDITION] },
  StatefulSet: { replicas: 2, readyReplicas: 1, observedGeneration: 1, conditions: [CONDITION] },
  VolumeAttachment: { attached: true, attachmentMetadata: { a: "b" } },
};

const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

function statusOf(kind: Kind): Story {
  const version = groupVersionOf(kind);
  return story(`the status of ${version} ${kind.kind}`, async ({ tell, quietly, ns }) => {
    const root = version.includes("/") ? `/apis/${version}` : `/api/${version}`;
    const path = kind.namespaced ? `${root}/namespaces/${ns}/${kind.plural}` : `${root}/${kind.plural}`;
    const least = LEAST[kind.kind] ?? {};
    const name = least.name?.(ns) ?? (kind.namespaced ? "one" : `${ns}-one`);
    const status = STATUS[kind.kind] ?? {};
    const body = { apiVersion: version, kind: kind.kind, metadata: { name }, ...least.fields?.(ns) };
    await quietly({ method: "POST", path, body });
    await tell("with the object", {
      method: "PATCH",
      path: `${path}/${name}`,
      type: "merge",
      body: { metadata: { labels: { a: "b" } }, status },
    });
    await tell("patch", {
      method: "PATCH",
      path: `${path}/${name}/status`,
      type: "merge",
      body: { metadata: { labels: { c: "d" }, annotations: { e: "f" } }, status },
    });
    await tell("get", { path: `${path}/${name}/status` });
    await tell("a table", { path: `${path}?fieldSelector=metadata.name%3D${name}`, accept: TABLE });
    const { body: live } = await quietly({ path: `${path}/${name}` });
    await tell("put", { method: "PUT", path: `${path}/${name}/status`, body: live as object });
    await tell("apply", {
      method: "PATCH",
      path: `${path}/${name}/status?fieldManager=applier&force=true`,
      type: "apply",
      body: { apiVersion: version, kind: kind.kind, metadata: { name }, status },
    });
    await tell("of nobody", { path: `${path}/nobody/status` });
    await tell("delete", { method: "DELETE", path: `${path}/${name}/status` });
  });
}

/** Counts that cannot be, of whoever looks after pods. */
const MISCOUNTED: readonly (readonly [string, object])[] = [
  ["less than none", { replicas: -1, numberReady: -1, observedGeneration: -1, terminatingReplicas: -1 }],
  ["more parts than a whole", { replicas: 1, readyReplicas: 2, updatedReplicas: 3, fullyLabeledReplicas: 4 }],
  ["more available than ready", { replicas: 3, readyReplicas: 1, availableReplicas: 2 }],
  ["more daemons than wanted", { desiredNumberScheduled: 1, numberReady: 2, numberAvailable: 3 }],
  ["a collision", { collisionCount: 2 }],
  ["one collision less", { collisionCount: 1 }],
  ["no collision at all", { collisionCount: null }],
];

function miscountedOf(kind: Kind): Story {
  const version = groupVersionOf(kind);
  return story(`counts of ${version} ${kind.kind}`, async ({ tell, quietly, ns }) => {
    const root = version.includes("/") ? `/apis/${version}` : `/api/${version}`;
    const path = `${root}/namespaces/${ns}/${kind.plural}`;
    await quietly({ method: "POST", path, body: { metadata: { name: "one" }, ...LEAST[kind.kind]?.fields?.(ns) } });
    for (const [title, status] of MISCOUNTED) {
      await tell(title, { method: "PATCH", path: `${path}/one/status`, type: "merge", body: { status } });
    }
  });
}

function scaleOf(kind: Kind): Story {
  const version = groupVersionOf(kind);
  return story(`the scale of ${version} ${kind.kind}`, async ({ tell, quietly, ns }) => {
    const root = version.includes("/") ? `/apis/${version}` : `/api/${version}`;
    const path = `${root}/namespaces/${ns}/${kind.plural}`;
    const body = { metadata: { name: "one" }, ...LEAST[kind.kind]?.fields?.(ns) };
    await quietly({ method: "POST", path, body });
    const { body: first } = await tell("get", { path: `${path}/one/scale` });
    await tell("put", {
      method: "PUT",
      path: `${path}/one/scale`,
      body: { ...(first as object), spec: { replicas: 3 } },
    });
    await tell("put, stale", {
      method: "PUT",
      path: `${path}/one/scale`,
      body: { ...(first as object), spec: { replicas: 4 } },
    });
    await tell("to nothing", {
      method: "PATCH",
      path: `${path}/one/scale`,
      type: "merge",
      body: { spec: { replicas: 0 } },
    });
    await tell("a dry run", {
      method: "PATCH",
      path: `${path}/one/scale?dryRun=All`,
      type: "json",
      body: [{ op: "replace", path: "/spec/replicas", value: 7 }],
    });
    await tell("apply", {
      method: "PATCH",
      path: `${path}/one/scale?fieldManager=applier`,
      type: "apply",
      body: { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "one" }, spec: { replicas: 2 } },
    });
    await tell("the object, applied", { path: `${path}/one` });
    await tell("a conflict", {
      method: "PATCH",
      path: `${path}/one/scale?fieldManager=another`,
      type: "apply",
      body: { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "one" }, spec: { replicas: 9 } },
    });
    await tell("of another kind", { method: "PUT", path: `${path}/one/scale`, body });
    await tell("of nobody", { path: `${path}/nobody/scale` });
    await tell("the object", { path: `${path}/one` });
  });
}

const having = (name: string): Kind[] =>
  BUILT_IN.filter(({ subresources }) => subresources.some((each) => each.name === name));

// Of these the server itself writes most, in its own time.
const WRITTEN_BY_SERVER = new Set(["APIService", "CustomResourceDefinition", "FlowSchema"]);
const STATED = having("status").filter(({ kind }) => !WRITTEN_BY_SERVER.has(kind));

const COUNTING = new Set(["DaemonSet", "Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"]);
const COUNTED = STATED.filter(({ kind }) => COUNTING.has(kind));

export const STATUSES = [...STATED.map(statusOf), ...COUNTED.map(miscountedOf), ...having("scale").map(scaleOf)];
