/** Objects that several sessions bring along. */
import type { Definition } from "../../custom-kinds.ts";

const container = { name: "main", image: "registry.example/db:1", ports: [{ containerPort: 5432, name: "sql" }] };

export function statefulSet(name: string, more: object = {}): object {
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name, labels: { app: name } },
    spec: {
      replicas: 3,
      serviceName: name,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [container] } },
      volumeClaimTemplates: [
        {
          metadata: { name: "data" },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
        },
      ],
      ...more,
    },
  };
}

export function deployment(name: string): object {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, labels: { app: name } },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [container] } },
    },
  };
}

export function pod(name: string, labels: object = { app: name }, more: object = {}): object {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, labels },
    spec: { automountServiceAccountToken: false, containers: [container], ...more },
  };
}

export function configMap(name: string, data: object, labels: object = {}): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, labels }, data };
}

export function claim(name: string, size = "1Gi", storageClassName = "elastic"): object {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name, labels: { app: name } },
    spec: { accessModes: ["ReadWriteOnce"], storageClassName, resources: { requests: { storage: size } } },
  };
}

export function service(name: string): object {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name },
    spec: { selector: { app: name }, ports: [{ name: "sql", port: 5432, targetPort: "sql" }] },
  };
}

/** Of a session, by its group: definitions are the whole cluster's. */
export function definition(group: string): Definition {
  const widget = {
    type: "object",
    description: "A widget is what this group is about.",
    properties: {
      spec: {
        type: "object",
        description: "What it should be.",
        required: ["size"],
        properties: {
          size: { type: "integer", minimum: 1, description: "How many." },
          color: { type: "string", default: "green", enum: ["green", "blue"] },
          parts: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } },
        },
      },
      status: { type: "object", properties: { ready: { type: "integer" } } },
    },
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "widgets", singular: "widget", kind: "Widget", shortNames: ["wg"] },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: widget },
          subresources: {
            status: {},
            scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.ready" },
          },
          additionalPrinterColumns: [
            { name: "Size", type: "integer", jsonPath: ".spec.size" },
            { name: "Color", type: "string", jsonPath: ".spec.color", priority: 1 },
          ],
        },
      ],
    },
  };
}

export function widget(group: string, name: string, size = 3): object {
  return { apiVersion: `${group}/v1`, kind: "Widget", metadata: { name }, spec: { size } };
}
