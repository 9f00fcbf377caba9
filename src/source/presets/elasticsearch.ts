import type { Preset } from "./preset.ts";

export const ELASTICSEARCH: Preset = {
  name: "elasticsearch",
  operator: "Elastic Cloud on Kubernetes",
  version: "v3.5.0",
  verifiedIn: [
    "https://github.com/elastic/cloud-on-k8s: pkg/apis/elasticsearch/v1/elasticsearch_types.go and name.go, pkg/apis/common/v1, pkg/controller/common/volume/pvc_expansion.go",
  ],
  itself:
    "Looks at the class, asks each claim for more, and creates the StatefulSet again from a copy that it keeps in an annotation. Pods that a driver wants restarted are left to people.",
  ours: "Watches: it does that well, and two who create a set again would be one too many. Its conditions have no reason, so none is reported there.",
  pausing: 'The annotation eck.k8s.elastic.co/pause-orchestration: "true" stops what the operator does to sets.',
  limits: [
    "A node set without volumeClaimTemplates has 1Gi of the operator's own choice, which is not written in the resource.",
  ],
  spec: {
    resource: {
      group: "elasticsearch.k8s.elastic.co",
      version: "v1",
      kind: "Elasticsearch",
      plural: "elasticsearches",
    },
    claimTemplatesPath: ".spec.nodeSets[*].volumeClaimTemplates",
    statefulSetName: "{name}-es-{item.name}",
    paused: { path: '.metadata.annotations["eck.k8s.elastic.co/pause-orchestration"]', equals: "true" },
    grownBy: "Operator",
  },
};
