/** Which objects of a dump stay out, and why: an ordered list of questions, the first that has an answer counts. */
import type { DumpedObject } from "./types.ts";

const OF_ITS_MACHINES = "it belongs to that cluster's machines; here is one node";
const MADE_ANEW = "a controller makes it anew";
const NOBODY_ANSWERS = "nobody would answer here, and everything would wait for it";

const BY_KIND: ReadonlyMap<string, string> = new Map([
  ["Event", "it tells of another cluster"],
  ["Node", OF_ITS_MACHINES],
  ["CSINode", OF_ITS_MACHINES],
  ["Lease", OF_ITS_MACHINES],
  ["VolumeAttachment", OF_ITS_MACHINES],
  ["CSIStorageCapacity", OF_ITS_MACHINES],
  ["CSIDriver", "memory.csi.outgrow.dev stands in for it"],
  ["Endpoints", MADE_ANEW],
  ["EndpointSlice", MADE_ANEW],
  ["ControllerRevision", MADE_ANEW],
  ["APIService", NOBODY_ANSWERS],
  ["MutatingWebhookConfiguration", NOBODY_ANSWERS],
  ["ValidatingWebhookConfiguration", NOBODY_ANSWERS],
]);

/** Kinds of these names in groups of other people are other kinds. */
const GROUPS = new Set([
  "",
  "events.k8s.io",
  "storage.k8s.io",
  "coordination.k8s.io",
  "discovery.k8s.io",
  "apps",
  "apiregistration.k8s.io",
  "admissionregistration.k8s.io",
]);

type Question = (object: DumpedObject, isThere: (identity: DumpedOwner) => boolean) => string | undefined;

interface DumpedOwner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name: string;
}

const QUESTIONS: readonly Question[] = [
  ({ metadata }) => (metadata.deletionTimestamp === undefined ? undefined : "it was being deleted"),
  ({ apiVersion, kind }) => (GROUPS.has(groupOf(apiVersion)) ? BY_KIND.get(kind) : undefined),
  ({ metadata }) =>
    metadata.labels?.["kubernetes.io/bootstrapping"] === "rbac-defaults" ? "every cluster has it" : undefined,
  ({ kind, metadata }) =>
    kind === "ConfigMap" && metadata.name === "kube-root-ca.crt" ? "it vouches for another API server" : undefined,
  ({ kind, metadata }) =>
    kind === "Service" && metadata.namespace === "default" && metadata.name === "kubernetes"
      ? "every cluster has it"
      : undefined,
  (object) =>
    object.kind === "Secret" && object["type"] === "kubernetes.io/service-account-token"
      ? "its token is good in another cluster only"
      : undefined,
  podOfSet,
  ({ kind, metadata }) =>
    kind === "Pod" && metadata.ownerReferences?.some((owner) => owner.kind === "Node") === true
      ? OF_ITS_MACHINES
      : undefined,
  ({ kind, status }) => {
    const { phase } = (status ?? {}) as { phase?: unknown };
    return kind === "Pod" && (phase === "Succeeded" || phase === "Failed") ? "it has ended" : undefined;
  },
];

/** Why the object stays out; undefined when it is imported. `isThere`: whether the dump has that object. */
export function whyLeftOut(object: DumpedObject, isThere: (owner: DumpedOwner) => boolean): string | undefined {
  for (const question of QUESTIONS) {
    const answer = question(object, isThere);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

function podOfSet({ kind, metadata }: DumpedObject, isThere: (owner: DumpedOwner) => boolean): string | undefined {
  if (kind !== "Pod") return undefined;
  const set = metadata.ownerReferences?.find((owner) => owner.kind === "StatefulSet" && owner.apiVersion === "apps/v1");
  if (set === undefined) return undefined;
  const { namespace } = metadata;
  return isThere({ ...set, namespace }) ? `StatefulSet ${set.name} makes it anew` : undefined;
}

function groupOf(apiVersion: string): string {
  return apiVersion.includes("/") ? (apiVersion.split("/", 1)[0] ?? "") : "";
}
