/** What people may do, by the roles and bindings that are stored at the moment they ask. */
import { type Entry, prefixOf } from "../../store/index.ts";
import type { JsonObject } from "../json.ts";
import { type Kind, resourceName } from "../kinds/kind.ts";
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
  const decideNow: Authorizer["decide"] = (user, attempt) => decide(user, attempt, rolesNow());
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

/** The index of the current roles. Entries stay the same objects while they are current: comparing them tells what changed. */
function indexOf(objects: ObjectStore): () => RoleIndex {
  const { store } = objects;
  const kinds = [CLUSTER_ROLE, ROLE, CLUSTER_ROLE_BINDING, ROLE_BINDING] as const;
  const entriesOf = (kind: Kind): readonly Entry[] => store.list({ prefix: prefixOf(resourceName(kind)) }).entries;
  let revision = -1;
  let known: readonly (readonly Entry[])[] = [];
  let index = indexRoles({ clusterRoles: [], roles: [], clusterRoleBindings: [], roleBindings: [] });

  return () => {
    if (store.revision === revision) return index;
    const current = kinds.map(entriesOf);
    revision = store.revision;
    if (current.length === known.length && current.every((entries, at) => sameEntries(entries, known[at] ?? []))) {
      return index;
    }
    known = current;
    const [clusterRoles, roles, clusterRoleBindings, roleBindings] = current.map((entries) =>
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

function sameEntries(a: readonly Entry[], b: readonly Entry[]): boolean {
  return a.length === b.length && a.every((entry, at) => entry === b[at]);
}

/** What is stored fits its schema: it was held to it when it was written. */
function asRoles(objects: readonly JsonObject[] = []): readonly Role[] {
  return objects as unknown as readonly Role[];
}

function asBindings(objects: readonly JsonObject[] = []): readonly Binding[] {
  return objects as unknown as readonly Binding[];
}
