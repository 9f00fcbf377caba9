/** Objects that cannot be, and changes that cannot be made: kind by kind, those that a cluster of ours acts on. */
import { BUILT_IN } from "../../../../src/cluster/api/kinds/built-in.ts";
import { groupVersionOf } from "../../../../src/cluster/api/kinds/kind.ts";
import { type Story, story } from "../story.ts";
import { LEAST } from "./least.ts";

interface Refused {
  readonly kind: string;
  readonly group?: string;
  /** Fields in place of the least, by what is wrong with them. */
  readonly objects?: Readonly<Record<string, object>>;
  /** Merge patches of the least, in order. */
  readonly changes?: Readonly<Record<string, object>>;
}

const RBAC = "rbac.authorization.k8s.io";
const role = { apiGroup: RBAC, kind: "ClusterRole", name: "view" };
const quota = (hard: object, more: object = {}): object => ({ spec: { hard, ...more } });
const range = (limit: object): object => ({ spec: { limits: [limit] } });
const selector = { matchLabels: { app: "x" } };
const container = { name: "c", image: "busybox" };
const pod = (spec: object): object => ({ spec: { containers: [container], ...spec } });
const volume = (spec: object): object => ({
  spec: {
    capacity: { storage: "1Gi" },
    accessModes: ["ReadWriteOnce"],
    csi: { driver: "d", volumeHandle: "h" },
    ...spec,
  },
});

const REFUSED: readonly Refused[] = [
  {
    kind: "RoleBinding",
    objects: {
      "no role": {},
      "a role of no kind": { roleRef: { apiGroup: RBAC, kind: "Odd", name: "x" } },
      "a role of no group": { roleRef: { apiGroup: "odd", kind: "Role", name: "x" } },
      "a role without a name": { roleRef: { apiGroup: RBAC, kind: "Role", name: "" } },
      "a subject of no kind": { roleRef: role, subjects: [{ kind: "Odd", name: "x" }] },
      "a subject without a name": { roleRef: role, subjects: [{ kind: "User", name: "", apiGroup: RBAC }] },
      "an account of no namespace": { roleRef: role, subjects: [{ kind: "ServiceAccount", name: "x" }] },
      "a user of no group": { roleRef: role, subjects: [{ kind: "User", name: "x", apiGroup: "odd" }] },
    },
    changes: {
      "another role": { roleRef: { name: "edit" } },
      "other subjects": { subjects: [{ kind: "Group", name: "g" }] },
    },
  },
  {
    kind: "Role",
    objects: {
      "no verbs": { rules: [{ apiGroups: [""], resources: ["pods"], verbs: [] }] },
      "no groups": { rules: [{ resources: ["pods"], verbs: ["get"] }] },
      "no resources": { rules: [{ apiGroups: [""], verbs: ["get"] }] },
      paths: { rules: [{ nonResourceURLs: ["/x"], verbs: ["get"] }] },
    },
  },
  {
    kind: "ClusterRole",
    objects: {
      "paths and resources": {
        rules: [{ nonResourceURLs: ["/x"], apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
      },
      "a selector": { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { "a b": "c" } }] } },
      "no selector": { aggregationRule: { clusterRoleSelectors: [] } },
    },
  },
  {
    kind: "PodDisruptionBudget",
    objects: {
      both: { spec: { minAvailable: 1, maxUnavailable: 1, selector } },
      "less than none": { spec: { minAvailable: -1, selector } },
      "no share": { spec: { maxUnavailable: "half", selector } },
      "too much": { spec: { maxUnavailable: "150%", selector } },
      "a selector": { spec: { minAvailable: 1, selector: { matchLabels: { "a b": "c" } } } },
      "a policy": { spec: { minAvailable: 1, selector, unhealthyPodEvictionPolicy: "Perhaps" } },
    },
    changes: { more: { spec: { minAvailable: "60%" } }, both: { spec: { maxUnavailable: 1 } } },
  },
  {
    kind: "ResourceQuota",
    objects: {
      "less than none": quota({ pods: "-1" }),
      "no whole": quota({ pods: "1500m" }),
      "no name": quota({ "a b": "1" }),
      unknown: quota({ nonsense: "1" }),
      "a scope": quota({ pods: "1" }, { scopes: ["Odd"] }),
      "scopes that exclude each other": quota({ pods: "1" }, { scopes: ["BestEffort", "NotBestEffort"] }),
      "a scope that does not fit": quota({ "requests.storage": "1" }, { scopes: ["Terminating"] }),
    },
    changes: { more: { spec: { hard: { pods: "4" } } }, "another scope": { spec: { scopes: ["BestEffort"] } } },
  },
  {
    kind: "LimitRange",
    objects: {
      "the least above the most": range({ type: "Container", min: { cpu: "2" }, max: { cpu: "1" } }),
      "a default above the most": range({ type: "Container", default: { cpu: "2" }, max: { cpu: "1" } }),
      "a default for pods": range({ type: "Pod", default: { cpu: "2" } }),
      "a ratio": range({ type: "Container", maxLimitRequestRatio: { cpu: "500m" } }),
      "no least for claims": range({ type: "PersistentVolumeClaim" }),
      "no name": range({ type: "odd one" }),
      twice: { spec: { limits: [{ type: "Container" }, { type: "Container" }] } },
    },
  },
  {
    kind: "ControllerRevision",
    objects: { "less than none": { revision: -1, data: {} }, "no data": { revision: 1 } },
    changes: { "another revision": { revision: 2 }, "other data": { data: { a: 2 } } },
  },
  {
    kind: "Lease",
    objects: {
      "no time": { spec: { leaseDurationSeconds: 0 } },
      "less than none": { spec: { leaseTransitions: -1 } },
      nobody: { spec: { holderIdentity: "" } },
    },
    changes: { somebody: { spec: { holderIdentity: "me" } } },
  },
  {
    kind: "VolumeAttachment",
    objects: {
      "no attacher": { spec: { nodeName: "n", source: { persistentVolumeName: "pv" } } },
      "no node": { spec: { attacher: "x", source: { persistentVolumeName: "pv" } } },
      "no source": { spec: { attacher: "x", nodeName: "n", source: {} } },
    },
    changes: { "another node": { spec: { nodeName: "m" } } },
  },
  {
    kind: "CSIDriver",
    objects: {
      "a mode": { spec: { volumeLifecycleModes: ["Odd"] } },
      "a policy": { spec: { fsGroupPolicy: "Odd" } },
      "twice the same audience": { spec: { tokenRequests: [{ audience: "a" }, { audience: "a" }] } },
    },
    changes: {
      "another way to attach": { spec: { attachRequired: false } },
      "pods are told of": { spec: { podInfoOnMount: true } },
    },
  },
  {
    kind: "CSINode",
    objects: {
      "no name": { spec: { drivers: [{ name: "", nodeID: "n" }] } },
      "no id": { spec: { drivers: [{ name: "d", nodeID: "" }] } },
      twice: {
        spec: {
          drivers: [
            { name: "d", nodeID: "n" },
            { name: "d", nodeID: "m" },
          ],
        },
      },
      "less than none": { spec: { drivers: [{ name: "d", nodeID: "n", allocatable: { count: -1 } }] } },
    },
    changes: { "a driver": { spec: { drivers: [{ name: "d", nodeID: "n" }] } } },
  },
  {
    kind: "Node",
    objects: {
      "a taint": { spec: { taints: [{ key: "a b", effect: "NoSchedule" }] } },
      "an effect": { spec: { taints: [{ key: "a", effect: "Odd" }] } },
      twice: {
        spec: {
          taints: [
            { key: "a", effect: "NoSchedule" },
            { key: "a", effect: "NoSchedule" },
          ],
        },
      },
    },
    changes: {
      unschedulable: { spec: { unschedulable: true } },
      "an id": { spec: { providerID: "x" } },
      "another id": { spec: { providerID: "y" } },
    },
  },
  {
    kind: "Secret",
    objects: {
      "no key": { data: { "a b": "" } },
      "no docker config": { type: "kubernetes.io/dockerconfigjson", data: { ".dockerconfigjson": "e30=" } },
      "a docker config that is no JSON": { type: "kubernetes.io/dockercfg", stringData: { ".dockercfg": "x" } },
      "half a docker config": { type: "kubernetes.io/dockercfg", stringData: { ".dockercfg": '{"a":' } },
      "an empty docker config": { type: "kubernetes.io/dockercfg", stringData: { ".dockercfg": "" } },
      "a list for a docker config": {
        type: "kubernetes.io/dockerconfigjson",
        stringData: { ".dockerconfigjson": "[]" },
      },
      "another key for a docker config": { type: "kubernetes.io/dockercfg", stringData: { a: "{}" } },
      "no account": { type: "kubernetes.io/service-account-token" },
      "no certificate": { type: "kubernetes.io/tls", data: {} },
      "no user": { type: "kubernetes.io/basic-auth" },
      "no key for ssh": { type: "kubernetes.io/ssh-auth" },
    },
    changes: {
      "another type": { type: "odd" },
      immutable: { immutable: true },
      "other data": { stringData: { user: "you" } },
      mutable: { immutable: false },
    },
  },
  {
    kind: "ConfigMap",
    objects: { "no key": { data: { "a b": "" } }, "twice the same": { data: { a: "1" }, binaryData: { a: "" } } },
    changes: { immutable: { immutable: true }, data: { data: { a: "2" } }, mutable: { immutable: null } },
  },
  {
    kind: "StorageClass",
    objects: {
      "no provisioner": { provisioner: "" },
      "a policy": { provisioner: "x", reclaimPolicy: "Odd" },
      "a mode": { provisioner: "x", volumeBindingMode: "Odd" },
      "no parameters": { provisioner: "x", parameters: { "": "" } },
    },
    changes: {
      "another provisioner": { provisioner: "y" },
      "other parameters": { parameters: { a: "b" } },
      "another mode": { volumeBindingMode: "WaitForFirstConsumer" },
      "another policy": { reclaimPolicy: "Retain" },
      expansion: { allowVolumeExpansion: true },
    },
  },
  {
    kind: "PersistentVolume",
    objects: {
      "no size": volume({ capacity: {} }),
      "no modes": volume({ accessModes: [] }),
      "no source": volume({ csi: null }),
      "two sources": volume({ hostPath: { path: "/x" } }),
      "a policy": volume({ persistentVolumeReclaimPolicy: "Odd" }),
      "no driver": volume({ csi: { driver: "", volumeHandle: "" } }),
      "a mode": volume({ volumeMode: "Odd" }),
      "up and out": volume({ csi: null, hostPath: { path: "/x/../y" } }),
    },
  },
  {
    kind: "Pod",
    objects: {
      "no containers": { spec: { containers: [] } },
      "no name": { spec: { containers: [{ image: "x" }] } },
      "no image": { spec: { containers: [{ name: "c" }] } },
      "twice the same": { spec: { containers: [container, container] } },
      "a policy": pod({ restartPolicy: "Odd" }),
      "no volume": { spec: { containers: [{ ...container, volumeMounts: [{ name: "v", mountPath: "/v" }] }] } },
      "twice the same volume": pod({
        volumes: [
          { name: "v", emptyDir: {} },
          { name: "v", emptyDir: {} },
        ],
      }),
      "a limit below a request": {
        spec: { containers: [{ ...container, resources: { requests: { cpu: "2" }, limits: { cpu: "1" } } }] },
      },
      "a port": { spec: { containers: [{ ...container, ports: [{ containerPort: 70_000 }] }] } },
      "a variable": { spec: { containers: [{ ...container, env: [{ name: "a=b", value: "" }] }] } },
      "a toleration": pod({ tolerations: [{ key: "a", operator: "Odd" }] }),
      "less than no time": pod({ terminationGracePeriodSeconds: -1, activeDeadlineSeconds: -1 }),
    },
    changes: {
      "another image": { spec: { containers: [{ name: "c", image: "busybox:2" }] } },
      "a deadline": { spec: { activeDeadlineSeconds: 10 } },
      "another account": { spec: { serviceAccountName: "x" } },
      "a node": { spec: { nodeName: "n" } },
    },
  },
  {
    kind: "Namespace",
    changes: { "another name in a label": { metadata: { labels: { "kubernetes.io/metadata.name": "x" } } } },
  },
  { kind: "ServiceAccount", changes: { "no tokens": { automountServiceAccountToken: false } } },
];

function refusals({ kind: name, group, objects = {}, changes = {} }: Refused): Story {
  const kind = BUILT_IN.find((each) => each.kind === name && (group ?? each.group) === each.group);
  if (kind === undefined) throw new Error(`no kind ${name}`);
  const version = groupVersionOf(kind);
  return story(`refused ${name}`, async ({ tell, quietly, ns }) => {
    const root = version.includes("/") ? `/apis/${version}` : `/api/${version}`;
    const path = kind.namespaced ? `${root}/namespaces/${ns}/${kind.plural}` : `${root}/${kind.plural}`;
    const own = kind.namespaced ? "bad" : `${ns}-bad`;
    for (const [title, fields] of Object.entries(objects)) {
      await tell(title, { method: "POST", path: `${path}?dryRun=All`, body: { metadata: { name: own }, ...fields } });
    }
    const good = kind.namespaced ? "good" : `${ns}-good`;
    await quietly({ method: "POST", path, body: { metadata: { name: good }, ...LEAST[name]?.fields?.(ns) } });
    for (const [title, body] of Object.entries(changes)) {
      await tell(`changed: ${title}`, { method: "PATCH", path: `${path}/${good}`, type: "merge", body });
    }
  });
}

export const REFUSALS = REFUSED.map(refusals);
