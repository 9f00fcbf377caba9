/**
 * Whoever has policies look at objects must be able to read those: a message could tell what is in them (upstream
 * pkg/registry/admissionregistration, the authz.go of each kind).
 */
import { forbidden } from "../../../admission/verdict.ts";
import { semanticallyEqual } from "../../../core/semantic-equal.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../admission/plugin.ts";
import type { Authorizer } from "../auth/authorizer.ts";
import { type Identity, MASTERS } from "../auth/identity.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { refuseInvalid } from "../handlers/refusal.ts";
import type { JsonObject } from "../json.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { bindingSpec, type ParamKind, POLICY_GROUP, policySpec } from "./policy.ts";

export interface ParamAccess {
  readonly objects: ObjectStore;
  readonly catalog: Catalog;
  readonly authorizer: Authorizer;
}

/** Refuses with 422, as upstream: it looks at it as a part of the object. */
export function paramAccess(access: ParamAccess): AdmissionPlugin {
  return {
    name: "PolicyParams",
    validate(request) {
      const { resource, object, subresource, user } = request;
      if (resource.kind.group !== POLICY_GROUP || object === undefined || subresource !== undefined) return;
      if (user.groups.includes(MASTERS)) return;
      switch (resource.kind.kind) {
        case "MutatingAdmissionPolicy":
        case "ValidatingAdmissionPolicy":
          return refuse(request, "spec.paramKind", whyNoPolicy(access, request, object));
        case "MutatingAdmissionPolicyBinding":
        case "ValidatingAdmissionPolicyBinding":
          return refuse(request, "spec.paramRef", whyNoBinding(access, request, object));
      }
    },
  };
}

function refuse({ resource, name }: AdmissionRequest, path: string, why: string | undefined): void {
  refuseInvalid(resource.kind, name, why === undefined ? [] : [forbidden(path, why)]);
}

function whyNoPolicy(access: ParamAccess, { user, old }: AdmissionRequest, policy: JsonObject): string | undefined {
  const { paramKind } = policySpec(policy);
  if (paramKind === undefined) return undefined;
  if (old !== undefined && semanticallyEqual(policySpec(old).paramKind, paramKind)) return undefined;
  const attempt = { ...whichOf(paramKind, access), verb: "get", name: "*", namespace: "*" };
  if (access.authorizer.decide(user, attempt).allowed) return undefined;
  const { kind = "", apiVersion = "" } = paramKind;
  return `user ${goUser(user)} must have "get" permission on all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`;
}

function whyNoBinding(access: ParamAccess, request: AdmissionRequest, binding: JsonObject): string | undefined {
  const { user, old, resource } = request;
  const { paramRef, policyName = "" } = bindingSpec(binding);
  if (paramRef === undefined) return undefined;
  const before = old === undefined ? undefined : bindingSpec(old);
  if (before?.policyName === policyName && semanticallyEqual(before.paramRef, paramRef)) return undefined;

  const { name = "", namespace = "" } = paramRef;
  const verb = name === "" ? "list" : "get";
  const policy = policyOf(access, resource.kind.kind, policyName);
  const paramKind = policy === undefined ? undefined : policySpec(policy).paramKind;
  const which = paramKind === undefined ? ANYTHING : whichOf(paramKind, access);
  const attempt = { ...which, verb, name: name || undefined, namespace: namespace || undefined };
  if (access.authorizer.decide(user, attempt).allowed) return undefined;
  const who = goUser(user);
  const everything = `to determine minimum required permissions and user ${who} does not have "${verb}" permission for all groups, versions and resources`;
  if (policy === undefined) return `unable to get policy ${policyName} ${everything}`;
  if (which.resource === "*" && paramKind !== undefined) {
    return `unable to resolve paramKind &{${paramKind.apiVersion} ${paramKind.kind}} ${everything}`;
  }
  return `user ${who} does not have "${verb}" permission on the object referenced by paramRef`;
}

/** What nobody knows may be anything. */
const ANYTHING = { group: "*", resource: "*" };

function whichOf(
  { apiVersion = "", kind = "" }: ParamKind,
  { catalog }: ParamAccess,
): { readonly group: string; readonly resource: string } {
  const found = catalog.findKind(apiVersion, kind)?.kind;
  if (found !== undefined) return { group: found.group, resource: found.plural };
  return { group: apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "", resource: "*" };
}

function policyOf({ objects, catalog }: ParamAccess, bindingKind: string, name: string): JsonObject | undefined {
  const resource = catalog.findKind(`${POLICY_GROUP}/v1`, bindingKind.replace(/Binding$/, ""));
  return resource === undefined ? undefined : objects.find(resource.kind, undefined, name);
}

/** `%v` of who asks. */
function goUser({ name, groups, uid = "", extra = {} }: AdmissionRequest["user"] & Partial<Identity>): string {
  const more = Object.entries(extra).map(([key, values]) => `${key}:[${values.join(" ")}]`);
  return `&{${name} ${uid} [${groups.join(" ")}] map[${more.sort().join(" ")}]}`;
}
