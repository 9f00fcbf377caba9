/**
 * What is particular to a few kinds when they are written or deleted, as a table: the rest is the same for all. Each is pure.
 */
import { validateClaimStatusUpdate } from "../../../admission/claim-status-update.ts";
import type { FieldError } from "../../../admission/verdict.ts";
import { toTimestamp } from "../../../core/clock.ts";
import type { Gates } from "../../../core/gates.ts";
import type { PersistentVolumeClaim } from "../../../core/types.ts";
import { prepareClaim } from "../admission/prepare-claim.ts";
import { prepareSigningRequest, prepareSigningRequestUpdate } from "../admission/prepare-signing-request.ts";
import { prepareVolume } from "../admission/prepare-volume.ts";
import type { Identity } from "../auth/identity.ts";
import {
  holdDefinition,
  prepareDefinition,
  validateDefinitionStatus,
  validateInSteps,
  warningsOf,
} from "../crd/index.ts";
import { withGeneratedSelector, withTemplateGeneration } from "../defaults/workload-marks.ts";
import { get, isList, isObject, type Json, type JsonObject } from "../json.ts";
import { groupVersionOf, type Kind } from "../kinds/kind.ts";
import { metadataOf, textOf, withMetadata } from "../lifecycle/metadata.ts";
import { oncePer } from "../once-per.ts";
import { policyErrors } from "../policies/index.ts";
import type { Steps } from "../steps.ts";
import { type PodWithEphemeral, validateEphemeralContainers } from "../validation/ephemeral-containers.ts";
import { type ServiceToWarn, warningsOfService } from "../validation/service-warnings.ts";
import { validateSigningRequestStatus } from "../validation/signing-request.ts";
import {
  type ClaimToWarn,
  type PodToWarn,
  type SetToWarn,
  type VolumeToWarn,
  warningsOfClaim,
  warningsOfPod,
  warningsOfSet,
  warningsOfVolume,
} from "../validation/warnings.ts";
import { validateWebhookConfiguration } from "../webhooks/validate-configuration.ts";

/** What a strategy knows beside the objects. */
export interface Around {
  readonly gates: Gates;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Who asks. */
  readonly user: Identity;
}

export interface Strategy {
  /** The object as it is to be created, with its defaults and its first status. */
  readonly prepareCreate?: (object: JsonObject, around: Around) => JsonObject;
  /** Every error beyond those of the kind's own rules in `validation`; `old` is what it replaces. */
  readonly validate?: (next: JsonObject, old: JsonObject | undefined) => Steps<FieldError[]>;
  /** What to tell the client about an object that is fine. */
  readonly warnings?: (next: JsonObject, old: JsonObject | undefined) => readonly string[];
  /** The object that is to replace `stored`; the halves of another endpoint are kept already. */
  readonly prepareUpdate?: (
    stored: JsonObject,
    next: JsonObject,
    subresource: string | undefined,
    around: Around,
  ) => JsonObject;
  /** Every error of an update through another endpoint than the object's own. */
  readonly validateSubresource?: (
    stored: JsonObject,
    next: JsonObject,
    subresource: string,
    gates: Gates,
  ) => FieldError[];
  /** The object that is marked as being deleted. */
  readonly prepareDelete?: (marked: JsonObject) => JsonObject;
  /** Something beside the finalizers of its metadata holds the object back when it is deleted. */
  readonly isHeld?: (object: JsonObject) => boolean;
  /** What to tell whoever deletes it without a word about its dependents. */
  readonly deletionWarning?: string;
}

const NONE: Strategy = {};

/** The claim's fields that requests may not touch are reset as the rule core says. */
const CLAIM: Strategy = {
  prepareCreate: (claim, { gates }) => prepareClaim(undefined, claim, undefined, gates),
  prepareUpdate: (stored, next, subresource, { gates }) => prepareClaim(stored, next, subresource, gates),
  validateSubresource: (stored, next, _, gates) => validateClaimStatusUpdate(...claims(stored, next), gates),
  warnings: (next) => warningsOfClaim(next as unknown as ClaimToWarn),
};

/** The server notes when a volume came into its phase. */
const VOLUME: Strategy = {
  prepareCreate: (volume, { now }) => prepareVolume(undefined, volume, now),
  prepareUpdate: (stored, next, subresource, { now }) =>
    subresource === "status" ? prepareVolume(stored, next, now) : next,
  warnings: (next) => warningsOfVolume(next as unknown as VolumeToWarn),
};

const POD: Strategy = {
  // Containers are added to a pod through an endpoint of their own, which writes nothing else.
  prepareUpdate: (stored, next, subresource) =>
    subresource === "ephemeralcontainers" ? withEphemeralContainers(stored, next) : next,
  validateSubresource: (stored, next, subresource) =>
    subresource === "ephemeralcontainers" ? validateEphemeralContainers(...pods(stored, next)) : [],
  warnings: (next, old) => (old === undefined ? warningsOfPod(next as unknown as PodToWarn) : []),
};
const SERVICE: Strategy = { warnings: (next) => warningsOfService(next as unknown as ServiceToWarn) };
const STATEFUL_SET: Strategy = {
  warnings: (next, old) => warningsOfSet(next as unknown as SetToWarn, old as unknown as SetToWarn | undefined),
};

/** Through the status, neither the labels of a Deployment nor any metadata of attachments and policies is written. */
const DEPLOYMENT: Strategy = {
  prepareUpdate: (stored, next, subresource) =>
    subresource === "status" ? withMetadata(next, { labels: get(metadataOf(stored), "labels") }) : next,
};
const STATUS_ALONE: Strategy = {
  prepareUpdate: (stored, next, subresource) =>
    subresource === "status"
      ? withMetadata(
          { ...next, metadata: metadataOf(stored) },
          { managedFields: get(metadataOf(next), "managedFields") },
        )
      : next,
};

/** Where policies and webhooks come from files, which ours do not, their names end so. */
const STATIC_SUFFIX = ".static.k8s.io";
const REGISTERED: Strategy = {
  warnings: (next) =>
    textOf(next, "name").endsWith(STATIC_SUFFIX)
      ? [
          `metadata.name: names ending with "${STATIC_SUFFIX}" are reserved for static manifest-based configurations and cannot be managed via the API`,
        ]
      : [],
};

const WEBHOOKS: Strategy = { ...REGISTERED, validate: validateWebhookConfiguration };

const DAEMON_SET: Strategy = {
  prepareCreate: (set) => withTemplateGeneration(set, undefined),
  prepareUpdate: (stored, next, subresource) =>
    subresource === undefined ? withTemplateGeneration(next, stored) : next,
};

const JOB: Strategy = {
  prepareCreate: withGeneratedSelector,
  deletionWarning:
    "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
};

/** A namespace stays until everything in it is gone: then whoever saw to that takes its own finalizer off the spec. */
const NAMESPACE: Strategy = {
  prepareUpdate(stored, next, subresource) {
    if (subresource === "finalize") return withSpec(stored, specOf(next));
    return withSpec(next, { ...specOf(next), finalizers: [...finalizersOfSpec(stored)] });
  },
  prepareDelete: (marked) => ({ ...marked, status: { ...statusOf(marked), phase: "Terminating" } }),
  isHeld: (namespace) => finalizersOfSpec(namespace).length > 0,
};

/** A definition stays until the last of its objects is gone. */
const DEFINITION: Strategy = {
  prepareCreate: (definition) => prepareDefinition(definition, undefined),
  prepareUpdate: (stored, next, subresource) => (subresource === undefined ? prepareDefinition(next, stored) : next),
  validate: validateInSteps,
  validateSubresource: (_, next) => validateDefinitionStatus(next),
  warnings: warningsOf,
  prepareDelete: holdDefinition,
  isHeld: (definition) => textOf(definition, "deletionTimestamp") === "",
};

const SIGNING_REQUEST: Strategy = {
  prepareCreate: (request, { user }) => prepareSigningRequest(request, user),
  prepareUpdate: (stored, next, subresource, { now }) => prepareSigningRequestUpdate(stored, next, subresource, now),
  validateSubresource: validateSigningRequestStatus,
};

/** What this server serves itself is there at once. */
const API_SERVICE: Strategy = {
  ...STATUS_ALONE,
  prepareCreate: (service, { now }) =>
    isObject(get(specOf(service), "service")) ? service : { ...service, status: { conditions: [servedHere(now)] } },
};

function servedHere(now: number): JsonObject {
  return {
    type: "Available",
    status: "True",
    lastTransitionTime: toTimestamp(now),
    reason: "Local",
    message: "Local APIServices are always available",
  };
}

function withEphemeralContainers(stored: JsonObject, next: JsonObject): JsonObject {
  const { ephemeralContainers: _, ...spec } = specOf(stored);
  const added = get(specOf(next), "ephemeralContainers");
  const managedFields = get(metadataOf(next), "managedFields");
  return withMetadata(
    { ...stored, spec: added === undefined ? spec : { ...spec, ephemeralContainers: added } },
    { managedFields },
  );
}

/** The schemas have seen to it that they are pods. */
function pods(...objects: [JsonObject, JsonObject]): [PodWithEphemeral, PodWithEphemeral] {
  return objects as unknown as [PodWithEphemeral, PodWithEphemeral];
}

/** The schemas have seen to it that they are claims. */
function claims(...objects: [JsonObject, JsonObject]): [PersistentVolumeClaim, PersistentVolumeClaim] {
  return objects as unknown as [PersistentVolumeClaim, PersistentVolumeClaim];
}

const STRATEGIES: ReadonlyMap<string, Strategy> = new Map([
  ["v1/PersistentVolumeClaim", CLAIM],
  ["v1/PersistentVolume", VOLUME],
  ["v1/Pod", POD],
  ["v1/Service", SERVICE],
  ["apps/v1/StatefulSet", STATEFUL_SET],
  ["apps/v1/DaemonSet", DAEMON_SET],
  ["apps/v1/Deployment", DEPLOYMENT],
  ["admissionregistration.k8s.io/v1/MutatingAdmissionPolicy", { ...REGISTERED, validate: policyErrors("Mutating") }],
  ["admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding", REGISTERED],
  ["admissionregistration.k8s.io/v1/MutatingWebhookConfiguration", WEBHOOKS],
  [
    "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy",
    { ...STATUS_ALONE, ...REGISTERED, validate: policyErrors("Validating") },
  ],
  ["admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding", REGISTERED],
  ["admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration", WEBHOOKS],
  ["storage.k8s.io/v1/VolumeAttachment", STATUS_ALONE],
  ["apiregistration.k8s.io/v1/APIService", API_SERVICE],
  ["certificates.k8s.io/v1/CertificateSigningRequest", SIGNING_REQUEST],
  ["flowcontrol.apiserver.k8s.io/v1/FlowSchema", STATUS_ALONE],
  ["flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration", STATUS_ALONE],
  ["networking.k8s.io/v1/ServiceCIDR", STATUS_ALONE],
  ["resource.k8s.io/v1/ResourceClaim", STATUS_ALONE],
  ["batch/v1/Job", JOB],
  ["v1/Namespace", NAMESPACE],
  ["apiextensions.k8s.io/v1/CustomResourceDefinition", DEFINITION],
]);

export const strategyOf: (kind: Kind) => Strategy = oncePer(
  (kind) => STRATEGIES.get(`${groupVersionOf(kind)}/${kind.kind}`) ?? NONE,
);

function specOf(object: JsonObject): JsonObject {
  const spec = get(object, "spec");
  return isObject(spec) ? spec : {};
}

function statusOf(object: JsonObject): JsonObject {
  const status = get(object, "status");
  return isObject(status) ? status : {};
}

function withSpec(object: JsonObject, spec: JsonObject): JsonObject {
  const finalizers = get(spec, "finalizers");
  if (!isList(finalizers) || finalizers.length > 0) return { ...object, spec };
  const { finalizers: _, ...rest } = spec;
  return { ...object, spec: rest };
}

function finalizersOfSpec(namespace: JsonObject): readonly Json[] {
  const finalizers = get(specOf(namespace), "finalizers");
  return isList(finalizers) ? finalizers : [];
}
