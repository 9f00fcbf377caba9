/** Objects and edits that a server refuses, one mistake each. */
import type { JsonObject } from "../../../src/cluster/api/json.ts";

export interface Refused {
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** The object as it is created. */
  readonly object: JsonObject;
  /** What is to replace it, where the creation itself is fine. */
  readonly edit?: JsonObject;
}

/**
 * Where our message is another than the server's, with the reason. The test fails when one of these is no longer a
 * difference.
 */
export const DIFFERENCES: Readonly<Record<string, string>> = {
  "Pod: another command": "the server ends with a difference of Go structures, line by line",
  "PersistentVolume: another handle": "the server ends with a difference of Go structures, line by line",
  "PersistentVolumeClaim: other access modes": "the server ends with a difference of Go structures, line by line",
};

const labels = { app: "db" };
const container = { name: "main", image: "db:1" };
const long = "a".repeat(64);

let count = 0;

/** The change is merged into what is fine by itself, and the edit into that. Each has a name of its own. */
function refused(
  apiVersion: string,
  kind: string,
  fine: JsonObject,
): (name: string, change: JsonObject, edit?: JsonObject) => Refused {
  return (name, change, edit) => {
    const metadata = { name: `refused-${count++}`, ...(change["metadata"] as JsonObject | undefined) };
    const object = { apiVersion, kind, ...fine, ...change, metadata };
    const fields = { name: `${kind}: ${name}`, apiVersion, kind, object };
    return edit === undefined ? fields : { ...fields, edit };
  };
}

const setSpec = {
  selector: { matchLabels: labels },
  template: { metadata: { labels }, spec: { containers: [container] } },
};
const set = refused("apps/v1", "StatefulSet", { spec: setSpec });
const withSpec = (spec: JsonObject): JsonObject => ({ spec: { ...setSpec, ...spec } });
const withPod = (spec: JsonObject): JsonObject =>
  withSpec({ template: { metadata: { labels }, spec: { containers: [container], ...spec } } });
const claimSpec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
const withTemplate = (spec: JsonObject): JsonObject =>
  withSpec({ volumeClaimTemplates: [{ metadata: { name: "data" }, spec: { ...claimSpec, ...spec } }] });

const pod = refused("v1", "Pod", { spec: { containers: [container] } });
const withContainer = (more: JsonObject): JsonObject => ({ spec: { containers: [{ ...container, ...more }] } });
const claim = refused("v1", "PersistentVolumeClaim", { spec: claimSpec });
const csi = { driver: "csi.example.com", volumeHandle: "v" };
const volumeSpec = { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], csi };
const volume = refused("v1", "PersistentVolume", { spec: volumeSpec });
const withVolume = (spec: JsonObject): JsonObject => ({ spec: { ...volumeSpec, ...spec } });
const storageClass = refused("storage.k8s.io/v1", "StorageClass", { provisioner: "csi.example.com" });
const service = refused("v1", "Service", { spec: { ports: [{ port: 80 }] } });
const namespace = refused("v1", "Namespace", {});
const configMap = refused("v1", "ConfigMap", {});
const secret = refused("v1", "Secret", { data: { a: "YQ==" } });
const lease = refused("coordination.k8s.io/v1", "Lease", {});
const role = refused("rbac.authorization.k8s.io/v1", "ClusterRole", { rules: [] });

const owner = { apiVersion: "v1", kind: "Pod", name: "p", uid: "u" };

export const REFUSALS: readonly Refused[] = [
  configMap("upper case in its name", { metadata: { name: "Config" } }),
  configMap("a name that is too long", { metadata: { name: "a".repeat(254) } }),
  configMap("a label key with a space", { metadata: { labels: { "a b": "c" } } }),
  configMap("a label key with two slashes", { metadata: { labels: { "a/b/c": "d" } } }),
  configMap("a label value that is too long", { metadata: { labels: { a: long } } }),
  configMap("a label value that ends in a dash", { metadata: { labels: { a: "b-" } } }),
  configMap("an annotation with an empty prefix", { metadata: { annotations: { "/a": "b" } } }),
  configMap("annotations of more than 256 KiB", { metadata: { annotations: { a: "b".repeat(262_144) } } }),
  configMap("a finalizer with a space", { metadata: { finalizers: ["a b"] } }),
  configMap("a finalizer without a domain", { metadata: { finalizers: ["a"] } }),
  configMap("a finalizer without a domain that an edit brings", {}, { metadata: { finalizers: ["a"] } }),
  lease("a finalizer with a space", { metadata: { finalizers: ["a b"] } }),
  configMap("two finalizers that exclude each other", { metadata: { finalizers: ["orphan", "foregroundDeletion"] } }),
  configMap("an owner without uid", { metadata: { ownerReferences: [{ ...owner, uid: "" }] } }),
  configMap("an owner without version", { metadata: { ownerReferences: [{ ...owner, apiVersion: "" }] } }),
  configMap("a label value that an edit brings", {}, { metadata: { labels: { a: "b c" } } }),
  configMap("a key with a space", { data: { "a b": "" } }),
  configMap("a key that leads upwards", { data: { "..": "" } }),
  configMap("a key that begins upwards", { data: { "..a": "" } }),
  configMap("a key that stands twice", { data: { a: "" }, binaryData: { a: "" } }),
  configMap("more than a megabyte", { data: { a: "b".repeat(1024 * 1024 + 1) } }),
  configMap("other data, though it is immutable", { immutable: true, data: { a: "1" } }, { data: { a: "2" } }),
  configMap("no longer immutable", { immutable: true }, { immutable: false }),
  secret("a key with a space", { stringData: { "a b": "" } }),
  secret("another type", {}, { type: "example.com/other" }),
  secret("other data, though it is immutable", { immutable: true }, { data: { a: "Yg==" } }),
  namespace("a dot in its name", { metadata: { name: "a.b" } }),
  role("a slash in its name", { metadata: { name: "a%b" } }),
  service("a dot in its name", { metadata: { name: "a.b" } }),
  service("no ports", { spec: { selector: labels } }),
  service("port zero", { spec: { ports: [{ port: 0 }] } }),
  service("a protocol that is not there", { spec: { ports: [{ port: 80, protocol: "TCPX" }] } }),
  service("two ports without names", { spec: { ports: [{ port: 80 }, { port: 81, name: "b" }] } }),
  service("two ports of one name", {
    spec: {
      ports: [
        { port: 80, name: "a" },
        { port: 81, name: "a" },
      ],
    },
  }),
  service("a type that is not there", { spec: { ports: [{ port: 80 }], type: "Cluster" } }),
  service("an external name that is missing", { spec: { type: "ExternalName" } }),
  set("a dot in its name", { metadata: { name: "a.b" } }),
  set("no selector", { spec: { template: setSpec.template } }),
  set("an empty selector", withSpec({ selector: {} })),
  set("a selector that does not match", withSpec({ selector: { matchLabels: { app: "other" } } })),
  set(
    "a selector with no such operator",
    withSpec({ selector: { matchExpressions: [{ key: "app", operator: "Is" }] } }),
  ),
  set("a negative number of replicas", withSpec({ replicas: -1 })),
  set("a policy that is not there", withSpec({ podManagementPolicy: "Ordered" })),
  set("a strategy that is not there", withSpec({ updateStrategy: { type: "Recreate" } })),
  set("a partition on delete", withSpec({ updateStrategy: { type: "OnDelete", rollingUpdate: { partition: 1 } } })),
  set("a retention that is not there", withSpec({ persistentVolumeClaimRetentionPolicy: { whenDeleted: "Keep" } })),
  set("a service name with a dot", withSpec({ serviceName: "a.b" })),
  set("pods that are not restarted", withPod({ restartPolicy: "Never" })),
  set("pods with a deadline", withPod({ activeDeadlineSeconds: 5 })),
  set("no containers", withPod({ containers: [] })),
  set(
    "a mount of no volume",
    withPod({ containers: [{ ...container, volumeMounts: [{ name: "x", mountPath: "/x" }] }] }),
  ),
  set("a template without access modes", withTemplate({ accessModes: [] })),
  set("a template without a size", withTemplate({ resources: {} })),
  set("a template of size zero", withTemplate({ resources: { requests: { storage: "0" } } })),
  set("another service", {}, withSpec({ serviceName: "other" })),
  set("another selector", {}, withSpec({ selector: { matchExpressions: [{ key: "app", operator: "Exists" }] } })),
  set("another access mode in a template", withTemplate({}), withTemplate({ accessModes: ["ReadWriteMany"] })),
  pod("no containers", { spec: { containers: [] } }),
  pod("a container without name", withContainer({ name: "" })),
  pod("a container without image", withContainer({ image: "" })),
  pod("an image with a space", withContainer({ image: " db" })),
  pod("two containers of one name", { spec: { containers: [container, container] } }),
  pod("two volumes of one name", { spec: { containers: [container], volumes: [{ name: "a" }, { name: "a" }] } }),
  pod("a port that is too high", withContainer({ ports: [{ containerPort: 70_000 }] })),
  pod("a port that is missing", withContainer({ ports: [{ name: "a" }] })),
  pod("more requested than allowed", withContainer({ resources: { requests: { cpu: "2" }, limits: { cpu: "1" } } })),
  pod("a pull policy that is not there", withContainer({ imagePullPolicy: "Often" })),
  pod("a restart policy that is not there", { spec: { containers: [container], restartPolicy: "Sometimes" } }),
  pod("a DNS policy that is not there", { spec: { containers: [container], dnsPolicy: "Fast" } }),
  pod("a mount without path", {
    spec: { containers: [{ ...container, volumeMounts: [{ name: "v", mountPath: "" }] }], volumes: [{ name: "v" }] },
  }),
  pod("another command", {}, withContainer({ command: ["x"] })),
  pod("one container more", {}, { spec: { containers: [container, { ...container, name: "b" }] } }),
  claim("no access modes", { spec: { ...claimSpec, accessModes: [] } }),
  claim("an access mode that is not there", { spec: { ...claimSpec, accessModes: ["ReadWrite"] } }),
  claim("no size", { spec: { accessModes: ["ReadWriteOnce"] } }),
  claim("a size of zero", { spec: { ...claimSpec, resources: { requests: { storage: "0" } } } }),
  claim("a volume mode that is not there", { spec: { ...claimSpec, volumeMode: "File" } }),
  claim("a class that can be none", { spec: { ...claimSpec, storageClassName: "A_B" } }),
  claim("other access modes", {}, { spec: { ...claimSpec, accessModes: ["ReadWriteMany"] } }),
  volume("no source", { spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] } }),
  volume("two sources", withVolume({ nfs: { server: "s", path: "/p" } })),
  volume("no capacity", { spec: { accessModes: ["ReadWriteOnce"], csi } }),
  volume("a capacity of zero", withVolume({ capacity: { storage: "0" } })),
  volume("a capacity of something else", withVolume({ capacity: { storage: "1Gi", cpu: "1" } })),
  volume("no access modes", withVolume({ accessModes: [] })),
  volume("a reclaim policy that is not there", withVolume({ persistentVolumeReclaimPolicy: "Keep" })),
  volume("no handle", withVolume({ csi: { driver: "csi.example.com" } })),
  volume("no driver", withVolume({ csi: { volumeHandle: "v" } })),
  volume("another handle", {}, withVolume({ csi: { ...csi, volumeHandle: "w" } })),
  volume("another volume mode", {}, withVolume({ volumeMode: "Block" })),
  storageClass("no provisioner", { provisioner: "" }),
  storageClass("a provisioner that can be none", { provisioner: "a b" }),
  storageClass("a reclaim policy that is not there", { reclaimPolicy: "Keep" }),
  storageClass("a binding mode that is not there", { volumeBindingMode: "Late" }),
  storageClass("another provisioner", {}, { provisioner: "other.example.com" }),
  storageClass("other parameters", { parameters: { a: "1" } }, { parameters: { a: "2" } }),
  storageClass("another reclaim policy", {}, { reclaimPolicy: "Retain" }),
];
