/** The rules of single kinds. test/kube/api holds them against a real server; here is one word of each. */
import { expect, test } from "vitest";
import { fieldErrorText } from "../../../admission/verdict.ts";
import { DEFAULT_GATES } from "../../../core/gates.ts";
import type { JsonObject } from "../json.ts";
import { BUILT_IN } from "../kinds/built-in.ts";
import { groupVersionOf, type Kind } from "../kinds/kind.ts";
import { validateCreate, validateUpdate } from "./validate.ts";

const AROUND = { gates: DEFAULT_GATES, classes: { named: () => undefined, defaultClass: undefined } };

function kindNamed(name: string): Kind {
  const found = BUILT_IN.find((kind) => `${groupVersionOf(kind)}/${kind.kind}` === name);
  if (found === undefined) throw new Error(`no kind ${name}`);
  return found;
}

function objectOf(kind: Kind, fields: JsonObject): JsonObject {
  const metadata = { name: "x", resourceVersion: "7", ...(kind.namespaced ? { namespace: "ns" } : {}) };
  return { apiVersion: groupVersionOf(kind), kind: kind.kind, metadata, ...fields };
}

/** With its defaults. */
const podOf = (image: string): JsonObject => ({
  containers: [{ name: "c", image, imagePullPolicy: "Always", terminationMessagePolicy: "File" }],
  restartPolicy: "Never",
  dnsPolicy: "Default",
});
const job = (spec: JsonObject, image = "i"): JsonObject => ({
  spec: {
    selector: { matchLabels: { a: "b" } },
    template: { metadata: { labels: { a: "b" } }, spec: podOf(image) },
    ...spec,
  },
});
const RBAC = "rbac.authorization.k8s.io";
const viewer = { apiGroup: RBAC, kind: "ClusterRole", name: "view" };
const event = {
  involvedObject: { namespace: "ns" },
  eventTime: "2026-01-01T00:00:00.000000Z",
  reason: "r",
  action: "a",
  reportingComponent: "c",
  reportingInstance: "i",
};

test.each<[string, JsonObject, string[]]>([
  ["v1/Event", { involvedObject: { namespace: "ns" } }, []],
  [
    "v1/Event",
    { involvedObject: { namespace: "other" } },
    ['involvedObject.namespace: Invalid value: "other": does not match event.namespace'],
  ],
  ["v1/Event", event, []],
  ["v1/Event", { ...event, action: "" }, ["action: Required value"]],
  [
    "events.k8s.io/v1/Event",
    { regarding: { namespace: "ns" }, type: "Odd" },
    ["eventTime: Required value", 'type: Invalid value: "": has invalid value: Odd'],
  ],
  [
    "v1/LimitRange",
    { spec: { limits: [{ type: "Container", min: { cpu: "2" }, max: { cpu: "1" } }] } },
    ['spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1'],
  ],
  [
    "v1/LimitRange",
    { spec: { limits: [{ type: "Pod", default: { cpu: "1" } }, { type: "Pod" }] } },
    [
      "spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
      'spec.limits[1].type: Duplicate value: "Pod"',
    ],
  ],
  ["v1/LimitRange", { spec: { limits: null } }, []],
  [
    "v1/Node",
    { spec: { taints: [{ key: "a", effect: "Odd" }] } },
    [
      'metadata.taints[0].effect: Unsupported value: "Odd": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ],
  ],
  ["v1/ResourceQuota", { spec: { hard: { pods: "1", "count/things.example.com": "5" } } }, []],
  [
    "v1/ResourceQuota",
    { spec: { hard: { pods: "-1500m" } } },
    [
      'spec.hard[pods]: Invalid value: "-1500m": must be greater than or equal to 0',
      'spec.hard[pods]: Invalid value: "-1500m": must be an integer',
    ],
  ],
  [
    "v1/ResourceQuota",
    { spec: { hard: { "requests.storage": "1" }, scopes: ["BestEffort"] } },
    ['spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource'],
  ],
  ["v1/Secret", { type: "kubernetes.io/tls", data: { "tls.crt": "" } }, ["data[tls.key]: Required value"]],
  ["apps/v1/ControllerRevision", { revision: 1 }, ["data: Required value: data is mandatory"]],
  [
    "coordination.k8s.io/v1/Lease",
    { spec: { leaseDurationSeconds: 0 } },
    ["spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0"],
  ],
  [
    "policy/v1/PodDisruptionBudget",
    { spec: { maxUnavailable: "150%" } },
    ['spec.maxUnavailable: Invalid value: "150%": must not be greater than 100%'],
  ],
  [
    `${RBAC}/v1/Role`,
    { rules: [{ verbs: null, apiGroups: [""], resources: ["pods"] }] },
    ["rules[0].verbs: Required value: verbs must contain at least one value"],
  ],
  [
    `${RBAC}/v1/RoleBinding`,
    { roleRef: { ...viewer, kind: "Odd" }, subjects: [{ kind: "ServiceAccount", name: "a" }] },
    ['roleRef.kind: Unsupported value: "Odd": supported values: "Role", "ClusterRole"'],
  ],
  [
    `${RBAC}/v1/ClusterRoleBinding`,
    { roleRef: viewer, subjects: [{ kind: "ServiceAccount", name: "a" }] },
    ["subjects[0].namespace: Required value"],
  ],
  [
    "storage.k8s.io/v1/CSINode",
    {
      spec: {
        drivers: [
          { name: "d", nodeID: "n" },
          { name: "d", nodeID: "" },
        ],
      },
    },
    ["spec.drivers[1].nodeID: Required value", 'spec.drivers[1].name: Duplicate value: "d"'],
  ],
  [
    "storage.k8s.io/v1/VolumeAttachment",
    { spec: { attacher: "a", nodeName: "n", source: {} } },
    ["spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName"],
  ],
])("%s %j", (name, fields, expected) => {
  const kind = kindNamed(name);
  expect(validateCreate(kind, objectOf(kind, fields)).map(fieldErrorText)).toEqual(expected);
});

test.each<[string, JsonObject, JsonObject, string[]]>([
  [
    `${RBAC}/v1/RoleBinding`,
    { roleRef: viewer },
    { roleRef: { ...viewer, name: "edit" } },
    [`roleRef: Invalid value: {"APIGroup":"${RBAC}","Kind":"ClusterRole","Name":"edit"}: cannot change roleRef`],
  ],
  ["apps/v1/ControllerRevision", { data: { a: 1 }, revision: 1 }, { data: { a: 1 }, revision: 2 }, []],
  [
    "apps/v1/ControllerRevision",
    { data: { a: 1 }, revision: 1 },
    { data: { a: 2 }, revision: 1 },
    ['data: Invalid value: {"a":2}: field is immutable'],
  ],
  [
    "batch/v1/Job",
    job({ completionMode: "NonIndexed", completions: 1 }),
    job({ completionMode: "Indexed", completions: 1 }),
    ['spec.completionMode: Invalid value: "Indexed": field is immutable'],
  ],
  ["batch/v1/Job", job({ suspend: true }), job({ suspend: true }, "other:1"), []],
  [
    "batch/v1/Job",
    job({}),
    job({ parallelism: -1 }),
    ["spec.parallelism: Invalid value: -1: must be greater than or equal to 0"],
  ],
  [
    "scheduling.k8s.io/v1/PriorityClass",
    { value: 1 },
    { value: 2 },
    ["value: Forbidden: may not be changed in an update."],
  ],
  [
    "storage.k8s.io/v1/CSIDriver",
    { spec: { attachRequired: true } },
    { spec: { attachRequired: false, podInfoOnMount: true } },
    ["spec.attachedRequired: Invalid value: false: field is immutable"],
  ],
  [
    "v1/Node",
    { spec: { providerID: "x" } },
    { spec: { providerID: "y", unschedulable: true } },
    ['spec.providerID: Forbidden: node updates may not change providerID except from "" to valid'],
  ],
  [
    "v1/ResourceQuota",
    { spec: { hard: { pods: "1" }, scopes: ["BestEffort"] } },
    { spec: { hard: { pods: "2" }, scopes: ["NotBestEffort"] } },
    ['spec.scopes: Invalid value: ["NotBestEffort"]: field is immutable'],
  ],
  [
    "events.k8s.io/v1/Event",
    { regarding: { namespace: "ns" }, note: "a" },
    { regarding: { namespace: "ns" }, note: "b", series: { count: 1 } },
    [
      'series.count: Invalid value: "": should be at least 2',
      "series.lastObservedTime: Required value",
      'message: Invalid value: "b": field is immutable',
    ],
  ],
])("%s %j becomes %j", (name, before, after, expected) => {
  const kind = kindNamed(name);
  const errors = validateUpdate(kind, objectOf(kind, before), objectOf(kind, after), AROUND);
  expect(errors.map(fieldErrorText)).toEqual(expected);
});

test.each([
  [{ key: "a", operator: "Odd" }, ['[0].operator: Unsupported value: "Odd": supported values: "Equal", "Exists"']],
  [{ operator: "Exists" }, []],
  [{ key: "a", operator: "Exists", effect: "NoSchedule", tolerationSeconds: 1 }, ["[0].effect: Invalid value"]],
] as const)("a pod tolerates %j", (toleration, expected) => {
  const kind = kindNamed("v1/Pod");
  const spec = { ...podOf("i"), tolerations: [{ ...toleration }] };
  const errors = validateCreate(kind, objectOf(kind, { spec })).map(fieldErrorText);
  expect(errors).toEqual(expected.map((text) => expect.stringContaining(`spec.tolerations${text}`)));
});

test.each<[JsonObject, string[]]>([
  [{ image: "" }, ["image: Required value"]],
  [{ image: " x" }, ['image: Invalid value: " x": must not have leading or trailing whitespace']],
  [{ resources: { limits: { "nvidia.com/gpu": "1500m" } } }, ["resources.limits[nvidia.com/gpu]: Invalid value"]],
  [
    { resources: { requests: { cpu: "2" }, limits: { cpu: "1" } } },
    ['resources.requests: Invalid value: "2": must be'],
  ],
  [{ resources: { requests: { "a/b": "1" } } }, ["resources.limits: Required value: Limit must be set"]],
  [{ env: [{ name: "A", valueFrom: {} }] }, ['env[0].valueFrom: Invalid value: "": must specify one of']],
  [{ livenessProbe: { successThreshold: 1 } }, ["livenessProbe: Required value: must specify a handler type"]],
  [{ volumeMounts: [{ name: "v", mountPath: "/v" }] }, ['volumeMounts[0].name: Not found: "v"']],
  [{ ports: [{ containerPort: 1, protocol: "TCP", name: "--" }] }, ["ports[0].name", "ports[0].name", "ports[0].name"]],
  [{ securityContext: { runAsUser: -1 } }, ["securityContext.runAsUser: Invalid value: -1: must be between 0 and"]],
])("a container cannot have %j", (fields, expected) => {
  const kind = kindNamed("v1/Pod");
  const spec = podOf("i");
  const [container] = spec["containers"] as [JsonObject];
  const pod = objectOf(kind, { spec: { ...spec, containers: [{ ...container, ...fields }] } });
  const errors = validateCreate(kind, pod).map(fieldErrorText);
  expect(errors).toEqual(expected.map((text) => expect.stringContaining(`spec.containers[0].${text}`)));
});

test.each<[JsonObject, string[]]>([
  [{ hostPath: { path: "/a/../b" } }, ["hostPath.path: Invalid value"]],
  [{ secret: { defaultMode: 512 } }, ["secret.secretName: Required value", "secret.defaultMode: Invalid value: 512"]],
  [{ emptyDir: {}, nfs: {} }, ["nfs: Forbidden: may not specify more than 1 volume type"]],
  [
    { projected: { sources: [{ serviceAccountToken: { path: "t", expirationSeconds: 5 } }] } },
    ["projected.sources[0]"],
  ],
  [{ ephemeral: {} }, ["ephemeral.volumeClaimTemplate: Required value"]],
])("a volume cannot be %j", (source, expected) => {
  const kind = kindNamed("v1/Pod");
  const pod = objectOf(kind, { spec: { ...podOf("i"), volumes: [{ name: "v", ...source }] } });
  const errors = validateCreate(kind, pod).map(fieldErrorText);
  expect(errors).toEqual(expected.map((text) => expect.stringContaining(`spec.volumes[0].${text}`)));
});

test.each<[string, JsonObject, string]>([
  [
    "apps/v1/Deployment",
    { spec: { selector: {} } },
    "spec.selector: Invalid value: {}: empty selector is invalid for deployment",
  ],
  ["apps/v1/DaemonSet", { spec: {} }, "spec.template.spec.containers: Required value"],
  [
    "batch/v1/CronJob",
    { spec: { schedule: "bad" } },
    'spec.schedule: Invalid value: "bad": expected exactly 5 fields, found 1: [bad]',
  ],
  [
    "batch/v1/CronJob",
    { spec: { schedule: "TZ=UTC * * * * *" } },
    'spec.schedule: Invalid value: "TZ=UTC * * * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
  ],
])("%s %j is refused", (name, fields, expected) => {
  const kind = kindNamed(name);
  expect(validateCreate(kind, objectOf(kind, fields)).map(fieldErrorText)).toContain(expected);
});
