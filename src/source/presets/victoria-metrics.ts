import type { Preset } from "./preset.ts";

const SIZE = "storage.volumeClaimTemplate.spec.resources.requests.storage";

/** What both kinds have in common: one operator looks after them. */
const OPERATOR = {
  operator: "VictoriaMetrics Operator",
  version: "v0.74.1",
  pausing: "spec.paused: true stops the operator.",
} as const;

const PAUSED = { path: ".spec.paused", equals: "true" } as const;
const GROUP = { group: "operator.victoriametrics.com", version: "v1beta1" } as const;
const PROJECT = "https://github.com/VictoriaMetrics/operator";

export const VICTORIA_METRICS_CLUSTER: Preset = {
  ...OPERATOR,
  name: "victoria-metrics-cluster",
  verifiedIn: [
    `${PROJECT}: api/operator/v1beta1/vmcluster_types.go and vmextra_types.go, internal/controller/operator/factory/reconcile/statefulset_pvc_expand.go`,
  ],
  itself:
    "Creates the StatefulSet again, looks at the class, and asks the claims for more, one after the other, each when the one before has its size.",
  ours: "Watches: it does that well. Its conditions have fields that ours lack, so none is reported there.",
  limits: [
    "A claim template that is named (volumeClaimTemplate.metadata.name) is called so in the set; the source has the default names.",
    "With spec.useLegacyNaming the sets are called {name}-vmstorage and {name}-vmselect; change statefulSetName for them.",
  ],
  spec: {
    resource: { ...GROUP, kind: "VMCluster", plural: "vmclusters" },
    claims: [
      { template: "vmstorage-db", path: `.spec.vmstorage.${SIZE}`, statefulSetName: "vmstorage-{name}" },
      { template: "vmselect-cachedir", path: `.spec.vmselect.${SIZE}`, statefulSetName: "vmselect-{name}" },
    ],
    paused: PAUSED,
    grownBy: "Operator",
  },
};

export const VICTORIA_METRICS_SINGLE: Preset = {
  ...OPERATOR,
  name: "victoria-metrics-single",
  verifiedIn: [
    `${PROJECT}: api/operator/v1beta1/vmsingle_types.go, internal/controller/operator/factory/vmsingle/vmsingle.go, internal/controller/operator/factory/reconcile/pvc.go`,
  ],
  itself: "Has a Deployment with one claim. Looks at the class, asks the claim for more, and waits for it.",
  ours: "Watches: it does that well. Its conditions have fields that ours lack, so none is reported there.",
  limits: [],
  spec: {
    resource: { ...GROUP, kind: "VMSingle", plural: "vmsingles" },
    claims: [{ template: "data", path: ".spec.storage.resources.requests.storage" }],
    claimSelector: {
      matchLabels: { "app.kubernetes.io/name": "vmsingle", "app.kubernetes.io/instance": "{name}" },
    },
    paused: PAUSED,
    grownBy: "Operator",
  },
};
