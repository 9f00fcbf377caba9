/** AdmissionReview: the question that a webhook is asked (upstream admission/plugin/webhook/request/admissionreview.go). */
import type { AdmissionRequest } from "../admission/plugin.ts";
import type { Identity } from "../auth/identity.ts";
import { get, type JsonObject } from "../json.ts";
import { groupVersionOf, type Kind } from "../kinds/kind.ts";
import { isNamespace } from "./match.ts";

export interface ReviewQuestion {
  /** What the answer must repeat. */
  readonly uid: string;
  readonly version: "v1" | "v1beta1";
  /** The kind in whose version the webhook is asked. */
  readonly kind: Kind;
}

export function admissionReview(request: AdmissionRequest, { uid, version, kind }: ReviewQuestion): JsonObject {
  const { resource } = request;
  const { options, ...about } = requestInVersion(request, kind);
  return {
    kind: "AdmissionReview",
    apiVersion: `admission.k8s.io/${version}`,
    request: {
      uid,
      ...about,
      object: inVersion(request.object, resource.kind, kind) ?? null,
      oldObject: inVersion(request.old, resource.kind, kind) ?? null,
      options: options ?? null,
    },
  };
}

/** All about the request but the objects, as webhooks and policies are told: in the version of this kind. */
export function requestInVersion(request: AdmissionRequest, kind: Kind): JsonObject {
  const { resource, subresource, operation, name, dryRun } = request;
  const namespace = isNamespace(resource.kind) ? name : request.namespace;
  return {
    kind: spokenKind(kind, subresource),
    resource: resourceOf(kind),
    ...(subresource === undefined ? {} : { subResource: subresource }),
    requestKind: spokenKind(resource.kind, subresource),
    requestResource: resourceOf(resource.kind),
    ...(subresource === undefined ? {} : { requestSubResource: subresource }),
    ...(name === "" ? {} : { name }),
    ...(namespace === undefined || namespace === "" ? {} : { namespace }),
    operation,
    userInfo: userInfo(request.user),
    dryRun,
    options: optionsOf(request),
  };
}

function userInfo({ name, groups, uid = "", extra = {} }: AdmissionRequest["user"] & Partial<Identity>): JsonObject {
  return {
    username: name,
    ...(uid === "" ? {} : { uid }),
    groups,
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

/** An object of one version in the words of another: all versions of a resource have the same fields here. */
export function inVersion<T extends JsonObject | undefined>(object: T, from: Kind, to: Kind): T | JsonObject {
  if (object === undefined || from === to || get(object, "apiVersion") !== groupVersionOf(from)) return object;
  return { ...object, apiVersion: groupVersionOf(to) };
}

function spokenKind(kind: Kind, subresource: string | undefined): JsonObject {
  const spoken = kind.subresources.find(({ name }) => name === subresource)?.speaks ?? kind;
  return { group: spoken.group, version: spoken.version, kind: spoken.kind };
}

function resourceOf({ group, version, plural }: Kind): JsonObject {
  return { group, version, resource: plural };
}

const OPTIONS = { CREATE: "CreateOptions", UPDATE: "UpdateOptions", DELETE: "DeleteOptions" } as const;

/** What the client gave is told with its type; a patch says itself that it is one. */
function optionsOf({ options, operation }: AdmissionRequest): JsonObject {
  return { kind: OPTIONS[operation], ...options, apiVersion: "meta.k8s.io/v1" };
}
