/**
 * Nobody gives away what they do not hold (upstream pkg/registry/rbac): who writes a role must hold all of its rules, who
 * writes a binding all rules of its role, unless a rule lets them `escalate` roles or `bind` that one.
 */
import { semanticallyEqual } from "../../../core/semantic-equal.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../admission/plugin.ts";
import { get, isList, isObject, type JsonObject } from "../json.ts";
import { textOf, withMetadata } from "../lifecycle/metadata.ts";
import { forbiddenObject, notFound } from "../lifecycle/refusals.ts";
import type { Authorizer } from "./authorizer.ts";
import { goQuoteList } from "./go-quote.ts";
import { MASTERS, type User } from "./identity.ts";
import type { Rule } from "./rbac.ts";
import type { RoleRef } from "./role-index.ts";
import { describeRules, uncovered } from "./rule-cover.ts";

const GROUP = "rbac.authorization.k8s.io";

const EVERYTHING: readonly Rule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];

/** Refuses with 403; a binding to a role that is not there, by somebody who may not bind it, with 404. */
export function escalationCheck(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: "RBACEscalation",
    validate(request) {
      const { kind } = request.resource;
      if (kind.group !== GROUP || request.object === undefined || request.user.groups.includes(MASTERS)) return;
      if (onlyForGarbageCollection(request.old, request.object)) return;
      switch (kind.kind) {
        case "Role":
        case "ClusterRole":
          return checkRole(authorizer, request, request.object);
        case "RoleBinding":
        case "ClusterRoleBinding":
          return checkBinding(authorizer, request, request.object);
      }
    },
  };
}

function checkRole(authorizer: Authorizer, request: AdmissionRequest, role: JsonObject): void {
  const { user, namespace, operation, resource } = request;
  const escalate = {
    verb: "escalate",
    group: GROUP,
    resource: resource.kind.plural,
    namespace,
    // A create names its object in the body; rules for names are about the path.
    name: operation === "CREATE" ? undefined : request.name,
  };
  if (authorizer.decide(user, escalate).allowed) return;
  const refuse = (why: string) => forbiddenObject(resource.kind, textOf(role, "name"), why);
  const why = whyNotHeld(authorizer, user, namespace, rulesIn(role));
  if (why !== undefined) throw refuse(why);
  // Such a role gathers the rules of others, whatever they are and will be.
  if (!aggregates(role) && !aggregates(request.old)) return;
  if (whyNotHeld(authorizer, user, namespace, EVERYTHING) !== undefined) {
    throw refuse("must have cluster-admin privileges to use the aggregationRule");
  }
}

function checkBinding(
  authorizer: Authorizer,
  { user, namespace, resource }: AdmissionRequest,
  binding: JsonObject,
): void {
  const { kind } = resource;
  const ref = roleRefOf(binding);
  const bind = {
    verb: "bind",
    group: GROUP,
    resource: ref.kind === "Role" ? "roles" : "clusterroles",
    namespace,
    name: ref.name,
  };
  if (authorizer.decide(user, bind).allowed) return;
  const rules = authorizer.rulesOf(ref, namespace);
  // Upstream names the resource of the binding and the name of the role.
  if (rules === undefined) throw notFound(kind, ref.name);
  const why = whyNotHeld(authorizer, user, namespace, rules);
  if (why !== undefined) throw forbiddenObject(kind, textOf(binding, "name"), why);
}

function whyNotHeld(
  authorizer: Authorizer,
  user: User,
  namespace: string | undefined,
  wanted: readonly Rule[],
): string | undefined {
  const { rules, missing } = authorizer.rulesFor(user, namespace);
  const lacking = uncovered(rules, wanted);
  if (lacking.length === 0) return undefined;
  const errors = missing.length === 0 ? "" : `; resolution errors: [${missing.join(" ")}]`;
  return (
    `user ${JSON.stringify(user.name)} (groups=${goQuoteList(user.groups)}) is attempting to grant RBAC permissions ` +
    `not currently held:\n${describeRules(lacking)}${errors}`
  );
}

/** Whoever may only take away finalizers and owners, so that an object can go, gives nothing away. */
function onlyForGarbageCollection(old: JsonObject | undefined, next: JsonObject): boolean {
  if (old === undefined) return false;
  const kept = { ownerReferences: undefined, finalizers: undefined, managedFields: undefined };
  return semanticallyEqual(withMetadata(old, kept), withMetadata(next, kept));
}

function rulesIn(role: JsonObject): readonly Rule[] {
  const rules = get(role, "rules");
  return isList(rules) ? (rules as unknown as readonly Rule[]) : [];
}

function aggregates(role: JsonObject | undefined): boolean {
  const rule = role === undefined ? undefined : get(role, "aggregationRule");
  const selectors = isObject(rule) ? get(rule, "clusterRoleSelectors") : undefined;
  return isList(selectors) && selectors.length > 0;
}

function roleRefOf(binding: JsonObject): RoleRef {
  const ref = get(binding, "roleRef");
  const text = (key: string) => {
    const value = isObject(ref) ? get(ref, key) : undefined;
    return typeof value === "string" ? value : "";
  };
  return { kind: text("kind"), name: text("name") };
}
