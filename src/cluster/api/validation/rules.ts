/** The rules of each kind that has any: what may be made, and what may become of it. */
import type { StorageClasses } from "../../../admission/storage-classes.ts";
import type { FieldError } from "../../../admission/verdict.ts";
import type { Gates } from "../../../core/gates.ts";
import type { PersistentVolume, PersistentVolumeClaim, StatefulSet, StorageClass } from "../../../core/types.ts";
import type { JsonObject } from "../json.ts";
import { bindingRules } from "../policies/index.ts";
import { type BudgetToCheck, validateBudget } from "./budget.ts";
import { validateChangedClaim, validateNewClaim } from "./claim.ts";
import {
  type LeaseToCheck,
  type RevisionToCheck,
  validateLease,
  validateRevision,
  validateRevisionUpdate,
} from "./controllers.ts";
import {
  type AttachmentToCheck,
  type CsiNodeToCheck,
  type DriverToCheck,
  validateAttachment,
  validateAttachmentUpdate,
  validateCsiNode,
  validateCsiNodeUpdate,
  validateDriver,
  validateDriverUpdate,
} from "./csi.ts";
import {
  type DataToCheck,
  validateConfigMap,
  validateConfigMapUpdate,
  validateSecret,
  validateSecretUpdate,
} from "./data.ts";
import {
  type EndpointsToCheck,
  type SliceToCheck,
  validateEndpoints,
  validateSlice,
  validateSliceUpdate,
} from "./endpoints.ts";
import { validateEvent, validateNewEvent, validateNewEventUpdate } from "./event.ts";
import { immutable, validateApiServiceName, validateServiceCidrUpdate } from "./immutable.ts";
import {
  type CronJobToCheck,
  type JobToCheck,
  validateChangedJob,
  validateCronJob,
  validateCronJobUpdate,
  validateJob,
} from "./job.ts";
import { type LimitRangeToCheck, validateLimitRange } from "./limit-range.ts";
import { type NamespaceToCheck, validateNamespace } from "./namespace.ts";
import { type NodeToCheck, validateNode, validateNodeUpdate } from "./node.ts";
import { type PodToCheck, validateNewPod, validatePodUpdate } from "./pod.ts";
import { type PriorityClassToCheck, validatePriorityClass, validatePriorityClassUpdate } from "./priority-class.ts";
import { type QuotaToCheck, validateQuota, validateQuotaUpdate } from "./quota.ts";
import {
  type BindingToCheck,
  type RoleToCheck,
  validateClusterRole,
  validateClusterRoleBinding,
  validateRole,
  validateRoleBinding,
  validateRoleRefUpdate,
} from "./rbac.ts";
import { type ServiceToCheck, validateService, validateServiceUpdate } from "./service.ts";
import { validateStatefulSet, validateStatefulSetChange } from "./stateful-set.ts";
import {
  type BudgetStatus,
  checkBudgetStatus,
  checkNamespaceStatus,
  checkQuotaStatus,
  checkServiceStatus,
  type QuotaStatus,
  type ServiceStatus,
} from "./statuses.ts";
import {
  type AttributesClassToCheck,
  type CapacityToCheck,
  validateAttributesClass,
  validateAttributesClassUpdate,
  validateCapacity,
  validateCapacityUpdate,
} from "./storage-others.ts";
import { validateStorageClass, validateStorageClassUpdate, validateVolume, validateVolumeUpdate } from "./volume.ts";
import {
  type Counts,
  checkDaemonSetStatus,
  checkDeploymentStatus,
  checkReplicaSetStatus,
  checkStatefulSetStatus,
} from "./workload-statuses.ts";
import {
  type ControllerToCheck,
  selectorStays,
  validateDaemonSet,
  validateDaemonSetUpdate,
  validateDeployment,
  validateReplicaSet,
  validateReplicationController,
  validateStoredTemplate,
  type WorkloadToCheck,
} from "./workloads.ts";
/** What the rules look at besides the objects. */
export interface Surroundings {
  readonly gates: Gates;
  readonly classes: StorageClasses;
}

export interface Rules<T> {
  /** Every error of a new object that has its defaults. */
  readonly create: (object: T) => FieldError[];
  readonly update: (old: T, next: T, around: Surroundings) => FieldError[];
  /** Every error of what is said in the status; left out where nobody looks at it. */
  readonly status?: (next: T, old: T) => FieldError[];
}

/** What may be made may also replace what is there. */
function same<T>(create: (object: T) => FieldError[]): Rules<T> {
  return { create, update: (_, next) => create(next) };
}

/** Whatever the schema takes may be made. */
function later(update: (old: JsonObject, next: JsonObject) => FieldError[]): Rules<JsonObject> {
  return { create: () => [], update };
}

/** A rule for what the status counts. */
function counting(check: (next: Counts, old: Counts) => FieldError[]) {
  return (next: { readonly status?: object }, old: { readonly status?: object }): FieldError[] =>
    check({ ...next.status }, { ...old.status });
}

const STATEFUL_SET: Rules<StatefulSet> = {
  create: validateStatefulSet,
  update: (old, next, { gates, classes }) => validateStatefulSetChange(old, next, gates, classes),
  status: counting(checkStatefulSetStatus),
};
const CLAIM: Rules<PersistentVolumeClaim> = {
  create: validateNewClaim,
  update: (old, next, { gates }) => validateChangedClaim(old, next, gates),
};
const VOLUME: Rules<PersistentVolume> = { create: validateVolume, update: validateVolumeUpdate };
const STORAGE_CLASS: Rules<StorageClass> = { create: validateStorageClass, update: validateStorageClassUpdate };
const SERVICE: Rules<ServiceToCheck & { readonly status?: ServiceStatus }> = {
  create: validateService,
  update: validateServiceUpdate,
  status: ({ status }) => checkServiceStatus(status?.loadBalancer?.ingress ?? []),
};
const CONFIG_MAP: Rules<DataToCheck> = { create: validateConfigMap, update: validateConfigMapUpdate };
const SECRET: Rules<DataToCheck> = { create: validateSecret, update: validateSecretUpdate };
const POD: Rules<PodToCheck> = { create: validateNewPod, update: validatePodUpdate };
const NODE: Rules<NodeToCheck> = { create: validateNode, update: validateNodeUpdate };
const QUOTA: Rules<QuotaToCheck & { readonly status?: QuotaStatus }> = {
  create: validateQuota,
  update: validateQuotaUpdate,
  status: ({ status }) => checkQuotaStatus(status ?? {}),
};
const LIMIT_RANGE: Rules<LimitRangeToCheck> = same(validateLimitRange);
const REVISION: Rules<RevisionToCheck> = { create: validateRevision, update: validateRevisionUpdate };
const LEASE: Rules<LeaseToCheck> = same(validateLease);
const BUDGET: Rules<BudgetToCheck & { readonly status?: BudgetStatus }> = {
  ...same(validateBudget),
  status: ({ status }) => checkBudgetStatus(status ?? {}),
};
const ATTACHMENT: Rules<AttachmentToCheck> = { create: validateAttachment, update: validateAttachmentUpdate };
const DRIVER: Rules<DriverToCheck> = { create: validateDriver, update: validateDriverUpdate };
const CSI_NODE: Rules<CsiNodeToCheck> = { create: validateCsiNode, update: validateCsiNodeUpdate };
const ROLE: Rules<RoleToCheck> = same(validateRole);
const CLUSTER_ROLE: Rules<RoleToCheck> = same(validateClusterRole);
const ROLE_BINDING: Rules<BindingToCheck> = {
  create: validateRoleBinding,
  update: (old, next) => [...validateRoleBinding(next), ...validateRoleRefUpdate(old, next)],
};
const CLUSTER_ROLE_BINDING: Rules<BindingToCheck> = {
  create: validateClusterRoleBinding,
  update: (old, next) => [...validateClusterRoleBinding(next), ...validateRoleRefUpdate(old, next)],
};
const EVENT: Rules<JsonObject> = same(validateEvent);
const NEW_EVENT: Rules<JsonObject> = { create: validateNewEvent, update: validateNewEventUpdate };
const PRIORITY_CLASS: Rules<PriorityClassToCheck> = {
  create: validatePriorityClass,
  update: validatePriorityClassUpdate,
};
const CAPACITY: Rules<CapacityToCheck> = { create: validateCapacity, update: validateCapacityUpdate };
const ATTRIBUTES_CLASS: Rules<AttributesClassToCheck> = {
  create: validateAttributesClass,
  update: validateAttributesClassUpdate,
};
const SLICE: Rules<SliceToCheck> = { create: validateSlice, update: validateSliceUpdate };
const ENDPOINTS: Rules<EndpointsToCheck> = same(validateEndpoints);
const NAMESPACE: Rules<NamespaceToCheck> = {
  create: validateNamespace,
  update: () => [],
  status: ({ metadata, status }) =>
    checkNamespaceStatus(status?.phase ?? "", (metadata?.deletionTimestamp ?? "") !== ""),
};
const JOB: Rules<JobToCheck & JsonObject> = { create: validateJob, update: validateChangedJob };
const CRON_JOB: Rules<CronJobToCheck> = { create: validateCronJob, update: validateCronJobUpdate };
type Counting<T> = T & { readonly status?: object };
const DEPLOYMENT: Rules<Counting<WorkloadToCheck>> = {
  create: validateDeployment,
  update: selectorStays(validateDeployment),
  status: counting(checkDeploymentStatus),
};
const REPLICA_SET: Rules<Counting<WorkloadToCheck>> = {
  create: validateReplicaSet,
  update: selectorStays(validateReplicaSet),
  status: counting(checkReplicaSetStatus),
};
const DAEMON_SET: Rules<Counting<WorkloadToCheck>> = {
  create: validateDaemonSet,
  update: validateDaemonSetUpdate,
  status: counting(checkDaemonSetStatus),
};
const CONTROLLER: Rules<Counting<ControllerToCheck>> = {
  ...same(validateReplicationController),
  status: counting(checkReplicaSetStatus),
};
const POD_TEMPLATE: Rules<Parameters<typeof validateStoredTemplate>[0]> = same(validateStoredTemplate);

/**
 * By `apiVersion/Kind`; what is not here is looked at by its schema alone. The schemas have seen to it that objects have the
 * types that the rules are written for.
 */
export const RULES: ReadonlyMap<string, Rules<never>> = new Map<string, Rules<never>>([
  ["v1/ConfigMap", CONFIG_MAP],
  ["v1/Endpoints", ENDPOINTS],
  ["v1/Event", EVENT],
  ["v1/LimitRange", LIMIT_RANGE],
  ["v1/Namespace", NAMESPACE],
  ["v1/Node", NODE],
  ["v1/PersistentVolume", VOLUME],
  ["v1/PersistentVolumeClaim", CLAIM],
  ["v1/Pod", POD],
  ["v1/PodTemplate", POD_TEMPLATE],
  ["v1/ReplicationController", CONTROLLER],
  ["v1/ResourceQuota", QUOTA],
  ["v1/Secret", SECRET],
  ["v1/Service", SERVICE],
  ["apps/v1/ControllerRevision", REVISION],
  ["apps/v1/DaemonSet", DAEMON_SET],
  ["apps/v1/Deployment", DEPLOYMENT],
  ["apps/v1/ReplicaSet", REPLICA_SET],
  ["apps/v1/StatefulSet", STATEFUL_SET],
  ["apiregistration.k8s.io/v1/APIService", same(validateApiServiceName)],
  ["batch/v1/CronJob", CRON_JOB],
  ["batch/v1/Job", JOB],
  ["coordination.k8s.io/v1/Lease", LEASE],
  ["discovery.k8s.io/v1/EndpointSlice", SLICE],
  ["events.k8s.io/v1/Event", NEW_EVENT],
  ["networking.k8s.io/v1/IPAddress", later(immutable("spec.parentRef"))],
  ["networking.k8s.io/v1/ServiceCIDR", later(validateServiceCidrUpdate)],
  ["node.k8s.io/v1/RuntimeClass", later(immutable("handler"))],
  ["policy/v1/PodDisruptionBudget", BUDGET],
  ["rbac.authorization.k8s.io/v1/Role", ROLE],
  ["rbac.authorization.k8s.io/v1/ClusterRole", CLUSTER_ROLE],
  ["rbac.authorization.k8s.io/v1/RoleBinding", ROLE_BINDING],
  ["rbac.authorization.k8s.io/v1/ClusterRoleBinding", CLUSTER_ROLE_BINDING],
  ["resource.k8s.io/v1/ResourceClaim", later(immutable("spec"))],
  ["resource.k8s.io/v1/ResourceClaimTemplate", later(immutable("spec"))],
  ["resource.k8s.io/v1/ResourceSlice", later(immutable("spec.pool.name", "spec.driver", "spec.nodeName"))],
  ["scheduling.k8s.io/v1/PriorityClass", PRIORITY_CLASS],
  ["storage.k8s.io/v1/CSIDriver", DRIVER],
  ["storage.k8s.io/v1/CSINode", CSI_NODE],
  ["storage.k8s.io/v1/CSIStorageCapacity", CAPACITY],
  ["storage.k8s.io/v1/StorageClass", STORAGE_CLASS],
  ["storage.k8s.io/v1/VolumeAttachment", ATTACHMENT],
  ["storage.k8s.io/v1/VolumeAttributesClass", ATTRIBUTES_CLASS],
  ["admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding", bindingRules("Mutating")],
  ["admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding", bindingRules("Validating")],
]);
