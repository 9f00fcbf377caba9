/** Which places of our objects are values of the chart. */
import type { Manifest } from "../../src/cli/manifests/part.ts";
import { block, type Hole, type Holes, inline, optional, optionalWord } from "./holes.ts";

const POD = "spec.template.spec";
const CONTAINER = `${POD}.containers.0`;

const NAMESPACES = [
  "matchExpressions:",
  "- key: kubernetes.io/metadata.name",
  "  operator: In",
  "  values:",
  "    {{- toYaml . | nindent 8 }}",
];
const MATCHED = optional(
  ".Values.namespaces",
  "namespaceSelector:",
  ...NAMESPACES.map((line) => `  ${line}`),
  "objectSelector: {}",
  "matchPolicy: Equivalent",
);
const POLICY_BINDING: Holes = { "spec.matchResources": MATCHED };
const WEBHOOK: Holes = { "webhooks.0.namespaceSelector": optional(".Values.namespaces", ...NAMESPACES) };

const BY_KIND: Readonly<Record<string, Holes>> = {
  // Removing the release must not take along the records, and what is saved in them.
  CustomResourceDefinition: { "metadata.annotations": () => "  annotations:\n    helm.sh/resource-policy: keep" },
  Deployment: {
    "spec.replicas": inline(".Values.replicas"),
    [`${POD}.imagePullSecrets`]: optional(".Values.image.pullSecrets"),
    [`${POD}.nodeSelector`]: optional(".Values.nodeSelector"),
    [`${POD}.tolerations`]: optional(".Values.tolerations"),
    [`${POD}.priorityClassName`]: optionalWord(".Values.priorityClassName"),
    [`${CONTAINER}.image`]: inline('include "outgrow.image" . | quote'),
    [`${CONTAINER}.imagePullPolicy`]: optionalWord(".Values.image.pullPolicy"),
    [`${CONTAINER}.args`]: withEach(".Values.namespaces", "--namespace={{ . }}"),
    [`${CONTAINER}.resources`]: block(".Values.resources"),
  },
  NetworkPolicy: { "spec.egress.0.ports": apiServerPorts() },
  PodMonitor: { "metadata.labels": withMore(".Values.podMonitor.labels") },
  MutatingAdmissionPolicyBinding: POLICY_BINDING,
  ValidatingAdmissionPolicyBinding: POLICY_BINDING,
  MutatingWebhookConfiguration: WEBHOOK,
  ValidatingWebhookConfiguration: WEBHOOK,
};

export function placesOf({ kind }: Manifest): Holes {
  return BY_KIND[kind] ?? {};
}

function apiServerPorts(): Hole {
  return (indent, key) =>
    [
      `${indent}${key}:`,
      `${indent}{{- range .Values.networkPolicy.apiServerPorts }}`,
      `${indent}- port: {{ . }}`,
      `${indent}  protocol: TCP`,
      `${indent}{{- end }}`,
    ].join("\n");
}

/** Our own words, and one for each of the user's. */
function withEach(expression: string, item: string): Hole {
  return (indent, key, ours) =>
    [
      `${indent}${key}:`,
      ...(ours as readonly string[]).map((word) => `${indent}- ${word}`),
      `${indent}{{- range ${expression} }}`,
      `${indent}- ${item}`,
      `${indent}{{- end }}`,
    ].join("\n");
}

/** Our own entries, and those of the user. */
function withMore(expression: string): Hole {
  return (indent, key, ours) =>
    [
      `${indent}${key}:`,
      ...Object.entries(ours as object).map(([name, value]) => `${indent}  ${name}: ${value}`),
      `${indent}  {{- with ${expression} }}`,
      `${indent}  {{- toYaml . | nindent ${indent.length + 2} }}`,
      `${indent}  {{- end }}`,
    ].join("\n");
}
