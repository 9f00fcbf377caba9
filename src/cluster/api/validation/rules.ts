/** The rules of each kind that has any: what may be made, and what may become of it. */
import { validateClaimUpdate } from "../../../admission/claim-update.ts";
import type { StorageClasses } from "../../../admission/storage-classes.ts";
import type { FieldError } from "../../../admission/verdict.ts";
import type { Gates } from "../../../core/gates.ts";
import type { PersistentVolume, PersistentVolumeClaim, StatefulSet, StorageClass } from "../../../core/types.ts";
import type { JsonObject } from "../json.ts";
import { validateWebhookConfiguration } from "../webhooks/validate-configuration.ts";
import { type BudgetToCheck, validateBudget } from "./budget.ts";
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
import { validateEvent, validateNewEvent, validateNewEventUpdate } from "./event.ts";
import { validateJobUpdate, validatePriorityClassUpdate } from "./immutable.ts";
import { type LimitRangeToCheck, validateLimitRange } from "./limit-range.ts";
import { type NodeToCheck, validateNode, validateNodeUpdate } from "./node.ts";
import { type PodSpecToCheck, validatePodSpec, validatePodSpecUpdate } from "./pod.ts";
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
  validateNewClaim,
  validateStorageClass,
  validateStorageClassUpdate,
  validateVolume,
  validateVolumeUpdate,
} from "./volume.ts";

/** What the rules look at besides the objects. */
export interface Surroundings {
  readonly gates: Gates;
  readonly classes: StorageClasses;
}

export interface Rules<T> {
  /** Every error of a new object that has its defaults. */
  readonly create: (object: T) => FieldError[];
  readonly update: (old: T, next: T, around: Surroundings) => FieldError[];
}

/** What may be made may also replace what is there. */
function same<T>(create: (object: T) => FieldError[]): Rules<T> {
  return { create, update: (_, next) => create(next) };
}

const STATEFUL_SET: Rules<StatefulSet> = {
  create: validateStatefulSet,
  update: (old, next, { gates, classes }) => validateStatefulSetChange(old, next, gates, classes),
};
const CLAIM: Rules<PersistentVolumeClaim> = {
  create: validateNewClaim,
  update: (old, next, { gates }) => validateClaimUpdate(old, next, gates),
};
const VOLUME: Rules<PersistentVolume> = { create: validateVolume, update: validateVolumeUpdate };
const STORAGE_CLASS: Rules<StorageClass> = { create: validateStorageClass, update: validateStorageClassUpdate };
const SERVICE: Rules<ServiceToCheck> = { create: validateService, update: validateServiceUpdate };
const CONFIG_MAP: Rules<DataToCheck> = { create: validateConfigMap, update: validateConfigMapUpdate };
const SECRET: Rules<DataToCheck> = { create: validateSecret, update: validateSecretUpdate };
const POD: Rules<{ readonly spec: PodSpecToCheck }> = {
  create: ({ spec }) => validatePodSpec(spec, "spec"),
  update: (old, next) => [...validatePodSpec(next.spec, "spec"), ...validatePodSpecUpdate(old.spec, next.spec)],
};
const NODE: Rules<NodeToCheck> = { create: validateNode, update: validateNodeUpdate };
const QUOTA: Rules<QuotaToCheck> = { create: validateQuota, update: validateQuotaUpdate };
const LIMIT_RANGE: Rules<LimitRangeToCheck> = same(validateLimitRange);
const REVISION: Rules<RevisionToCheck> = { create: validateRevision, update: validateRevisionUpdate };
const LEASE: Rules<LeaseToCheck> = same(validateLease);
const BUDGET: Rules<BudgetToCheck> = same(validateBudget);
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
const WEBHOOKS: Rules<JsonObject> = same(validateWebhookConfiguration);
const EVENT: Rules<JsonObject> = same(validateEvent);
const NEW_EVENT: Rules<JsonObject> = { create: validateNewEvent, update: validateNewEventUpdate };
const PRIORITY_CLASS: Rules<JsonObject> = { create: () => [], update: validatePriorityClassUpdate };
const JOB: Rules<JsonObject> = { create: () => [], update: validateJobUpdate };

/**
 * By `apiVersion/Kind`; what is not here is looked at by its schema alone. The schemas have seen to it that objects have the
 * types that the rules are written for.
 */
export const RULES: ReadonlyMap<string, Rules<never>> = new Map<string, Rules<never>>([
  ["v1/ConfigMap", CONFIG_MAP],
  ["v1/Event", EVENT],
  ["v1/LimitRange", LIMIT_RANGE],
  ["v1/Node", NODE],
  ["v1/PersistentVolume", VOLUME],
  ["v1/PersistentVolumeClaim", CLAIM],
  ["v1/Pod", POD],
  ["v1/ResourceQuota", QUOTA],
  ["v1/Secret", SECRET],
  ["v1/Service", SERVICE],
  ["apps/v1/ControllerRevision", REVISION],
  ["apps/v1/StatefulSet", STATEFUL_SET],
  ["batch/v1/Job", JOB],
  ["coordination.k8s.io/v1/Lease", LEASE],
  ["events.k8s.io/v1/Event", NEW_EVENT],
  ["policy/v1/PodDisruptionBudget", BUDGET],
  ["rbac.authorization.k8s.io/v1/Role", ROLE],
  ["rbac.authorization.k8s.io/v1/ClusterRole", CLUSTER_ROLE],
  ["rbac.authorization.k8s.io/v1/RoleBinding", ROLE_BINDING],
  ["rbac.authorization.k8s.io/v1/ClusterRoleBinding", CLUSTER_ROLE_BINDING],
  ["scheduling.k8s.io/v1/PriorityClass", PRIORITY_CLASS],
  ["storage.k8s.io/v1/CSIDriver", DRIVER],
  ["storage.k8s.io/v1/CSINode", CSI_NODE],
  ["storage.k8s.io/v1/StorageClass", STORAGE_CLASS],
  ["storage.k8s.io/v1/VolumeAttachment", ATTACHMENT],
  ["admissionregistration.k8s.io/v1/MutatingWebhookConfiguration", WEBHOOKS],
  ["admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration", WEBHOOKS],
]);
