/** Defaults of the kinds of the other groups: the `defaults.go` of storage, rbac, admissionregistration and so on. */
import { get, isList, isObject, type JsonObject } from "../json.ts";
import { withDefaultTarget } from "../kinds/autoscaler-versions.ts";
import { always, each, fields, inOrder, isEmpty, type Rule, whenEmpty, whenMissing } from "./rule.ts";

export const STORAGE_CLASS = fields({
  reclaimPolicy: whenMissing("Delete"),
  volumeBindingMode: whenMissing("Immediate"),
});

export const CSI_DRIVER = fields({
  spec: always({
    attachRequired: whenMissing(true),
    podInfoOnMount: whenMissing(false),
    storageCapacity: whenMissing(false),
    fsGroupPolicy: whenMissing("ReadWriteOnceWithFSType"),
    volumeLifecycleModes: whenEmpty(["Persistent"]),
    requiresRepublish: whenMissing(false),
    seLinuxMount: whenMissing(false),
  }),
});

const RBAC_GROUP = "rbac.authorization.k8s.io";

export const ROLE_BINDING = fields({
  roleRef: always({ apiGroup: whenEmpty(RBAC_GROUP) }),
  subjects: each(
    fields({
      apiGroup: (value, { kind }) => (isEmpty(value) && (kind === "User" || kind === "Group") ? RBAC_GROUP : value),
    }),
  ),
});

/** Over TLS, unless told otherwise. */
const SERVICE_REFERENCE = fields({ port: whenMissing(443) });

const WEBHOOK = {
  failurePolicy: whenMissing("Fail"),
  matchPolicy: whenMissing("Equivalent"),
  namespaceSelector: whenMissing({}),
  objectSelector: whenMissing({}),
  timeoutSeconds: whenMissing(10),
  clientConfig: fields({ service: SERVICE_REFERENCE }),
  rules: each(fields({ scope: whenMissing("*") })),
};

export const VALIDATING_WEBHOOKS = fields({ webhooks: each(fields(WEBHOOK)) });
export const MUTATING_WEBHOOKS = fields({
  webhooks: each(fields({ ...WEBHOOK, reinvocationPolicy: whenMissing("Never") })),
});

const RESOURCE_RULES = each(fields({ scope: whenMissing("*") }));
const MATCH_RESOURCES = fields({
  matchPolicy: whenMissing("Equivalent"),
  namespaceSelector: whenMissing({}),
  objectSelector: whenMissing({}),
  resourceRules: RESOURCE_RULES,
  excludeResourceRules: RESOURCE_RULES,
});

/** Mutating and validating alike. */
export const ADMISSION_POLICY = fields({
  spec: always({ failurePolicy: whenMissing("Fail"), matchConstraints: MATCH_RESOURCES }),
});
export const ADMISSION_POLICY_BINDING = fields({ spec: always({ matchResources: MATCH_RESOURCES }) });

const kindOf = (names: JsonObject) => {
  const kind = get(names, "kind");
  return typeof kind === "string" ? kind : "";
};

export const CUSTOM_RESOURCE_DEFINITION = fields({
  spec: always({
    names: always({
      singular: (value, names) => (isEmpty(value) ? kindOf(names).toLowerCase() : value),
      listKind: (value, names) => (isEmpty(value) && kindOf(names) !== "" ? `${kindOf(names)}List` : value),
    }),
    conversion: (value, spec) =>
      fields({ webhook: fields({ clientConfig: fields({ service: SERVICE_REFERENCE }) }) })(
        value ?? { strategy: "None" },
        spec,
      ),
  }),
});

const CPU_AT_80_PERCENT = {
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } },
};

/** What is not said of a direction in which it scales; `behavior` as a whole may be missing. */
const SCALE_UP: Rule = always({
  stabilizationWindowSeconds: whenMissing(0),
  selectPolicy: whenMissing("Max"),
  policies: whenMissing([
    { type: "Pods", value: 4, periodSeconds: 15 },
    { type: "Percent", value: 100, periodSeconds: 15 },
  ]),
});
const SCALE_DOWN: Rule = always({
  selectPolicy: whenMissing("Max"),
  policies: whenMissing([{ type: "Percent", value: 100, periodSeconds: 15 }]),
});

export const HORIZONTAL_POD_AUTOSCALER = fields({
  spec: always({
    minReplicas: whenMissing(1),
    metrics: whenEmpty([CPU_AT_80_PERCENT]),
    behavior: fields({ scaleUp: SCALE_UP, scaleDown: SCALE_DOWN }),
  }),
});

/** Of autoscaling/v1. */
export const FIRST_AUTOSCALER = inOrder(fields({ spec: always({ minReplicas: whenMissing(1) }) }), (scaler) =>
  isObject(scaler) ? withDefaultTarget(scaler) : scaler,
);

const PEER_PORTS = each(fields({ ports: each(fields({ protocol: whenMissing("TCP") })) }));

export const NETWORK_POLICY = fields({
  spec: always({
    ingress: PEER_PORTS,
    egress: PEER_PORTS,
    policyTypes: (value, { egress }) => {
      if (!isEmpty(value)) return value;
      return isList(egress) && egress.length > 0 ? ["Ingress", "Egress"] : ["Ingress"];
    },
  }),
});

export const INGRESS_CLASS = fields({ spec: fields({ parameters: fields({ scope: whenMissing("Cluster") }) }) });

export const PRIORITY_CLASS = fields({ preemptionPolicy: whenMissing("PreemptLowerPriority") });

export const ENDPOINT_SLICE = fields({
  ports: each(fields({ name: whenMissing(""), protocol: whenMissing("TCP") })),
});
