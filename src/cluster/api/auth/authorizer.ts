/** What people may do, by the roles and bindings that are stored at the moment they ask. */
import { type Entry, prefixOf } from "../../store/index.ts";
import type { JsonObject } from "../json.ts";
import { resourceName } from "../kinds/kind.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import type { User } from "./identity.ts";
import { type Attempt, type Decision, decide, forbidden, type Rule, reasonOf } from "./rbac.ts";
import { type Binding, indexRoles, type Role, type RoleIndex, type RoleRef } from "./role-index.ts";
import { CLUSTER_ROLE, CLUSTER_ROLE_BINDING, ROLE, ROLE_BINDING } from "./stored-kinds.ts";

export interface Authorizer {
  decide(user: User, attempt: Attempt): Decision;
  /** Throws 403 in upstream's words when the user may not. */
  require(user: User, attempt: Attempt): void;
  /** Every rule that the user holds in a namespace, or (undefined) for the whole cluster. */
  rulesFor(user: User, namespace: string | undefined): HeldRules;
  /** The rules of a role; undefined when it is not there. `namespace` is that of the binding. */
  rulesOf(ref: RoleRef, namespace: string | undefined): readonly Rule[] | undefined;
}

export interface HeldRules {
  readonly rules: readonly Rule[];
  /** Roles that are bound and not there. */
  readonly missing: readonly string[];
}

/**
 * Reads what is stored, nothing else: a binding counts for the next request behind it. Roles are arranged anew only when one
 * of them was written.
 */
export function createAuthorizer(objects: ObjectStore): Authorizer {
  const rolesNow = indexOf(objects);
  // Looked at only when somebody asks for them: whoever may do everything does not.
  const roles: Parameters<typeof decide>[2] = { grants: (user, namespace) => rolesNow().grants(user, namespace) };
  const decideNow: Authorizer["decide"] = (user, attempt) => decide(user, attempt, roles);
  return {
    decide: decideNow,
    require(user, attempt) {
      const decision = decideNow(user, attempt);
      if (!decision.allowed) throw forbidden(user, attempt, reasonOf(user, decision));
    },
    rulesFor(user, namespace) {
      const grants = [...rolesNow().grants(user, namespace)];
      return {
        rules: grants.flatMap(({ rules = [] }) => rules),
        missing: grants.flatMap((grant) => (grant.rules === undefined ? [grant.missing] : [])),
      };
    },
    rulesOf: (ref, namespace) => rolesNow().rulesOf(ref, namespace),
  };
}

/** The index of the current roles. An entry stays the same object while it is current: looking it up tells whether it is. */
function indexOf(objects: ObjectStore): () => RoleIndex {
  const { store } = objects;
  const prefixes = [CLUSTER_ROLE, ROLE, CLUSTER_ROLE_BINDING, ROLE_BINDING].map((kind) => prefixOf(resourceName(kind)));
  let revision = -1;
  let known: readonly (readonly Entry[])[] = [];
  let index = indexRoles({ clusterRoles: [], roles: [], clusterRoleBindings: [], roleBindings: [] });

  const isCurrent = (entries: readonly Entry[], prefix: string): boolean =>
    entries.length === store.count(prefix) && entries.every((entry) => store.get(entry.key) === entry);

  return () => {
    if (store.revision === revision) return index;
    revision = store.revision;
    if (prefixes.every((prefix, at) => isCurrent(known[at] ?? [], prefix))) return index;
    known = prefixes.map((prefix) => store.list({ prefix }).entries);
    const [clusterRoles, roles, clusterRoleBindings, roleBindings] = known.map((entries) =>
      entries.map((entry) => objects.read(entry)),
    );
    index = indexRoles({
      clusterRoles: asRoles(clusterRoles),
      roles: asRoles(roles),
      clusterRoleBindings: asBindings(clusterRoleBindings),
      roleBindings: asBindings(roleBindings),
    });
    return index;
  };
}

/** What is stored fits its schema: it was held to it when it was written. */
function asRoles(objects: readonly JsonObject[] = []): readonly Role[] {
  return objects as unknown as readonly Role[];
}

function asBindings(objects: readonly JsonObject[] = []): readonly Binding[] {
  return objects as unknown as readonly Binding[];
}
