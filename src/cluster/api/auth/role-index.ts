/** Roles and bindings, arranged so that what somebody was given is found without looking at what others were given. */
import { accountUser, type User } from "./identity.ts";
import type { Rule } from "./rbac.ts";

export interface Role {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly Rule[] | null;
}

export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

export interface RoleRef {
  readonly kind: string;
  readonly name: string;
}

export interface Binding {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly subjects?: readonly Subject[] | null;
  readonly roleRef: RoleRef;
}

/** Everything that RBAC is made of, as it is at one moment. */
export interface RoleObjects {
  readonly clusterRoles: readonly Role[];
  readonly roles: readonly Role[];
  readonly clusterRoleBindings: readonly Binding[];
  readonly roleBindings: readonly Binding[];
}

/** A binding that is somebody's, and the rules that it gives; none when its role is not there, which `missing` tells. */
export type Grant = { readonly binding: Binding } & (
  | { readonly rules: readonly Rule[] }
  | { readonly rules: undefined; readonly missing: string }
);

export interface RoleIndex {
  /** What the user was given for the whole cluster and, if one is named, in the namespace. Each binding once. */
  grants(user: User, namespace: string | undefined): Iterable<Grant>;
  /** The rules of a role; undefined when it is not there. `namespace` is that of the binding. */
  rulesOf(ref: RoleRef, namespace: string | undefined): readonly Rule[] | undefined;
}

/** Grants by the name of a user (ServiceAccounts are users) and by the name of a group. */
interface Scope {
  readonly users: Map<string, Grant[]>;
  readonly groups: Map<string, Grant[]>;
}

/** Bindings come out in the order in which they are given. */
export function indexRoles({ clusterRoles, roles, clusterRoleBindings, roleBindings }: RoleObjects): RoleIndex {
  const clusterRules = new Map(clusterRoles.map(({ metadata, rules }) => [metadata.name, rules ?? []]));
  const localRules = new Map(
    roles.map(({ metadata, rules }) => [localKey(metadata.namespace, metadata.name), rules ?? []]),
  );
  const rulesOf: RoleIndex["rulesOf"] = ({ kind, name }, namespace) => {
    if (kind === "ClusterRole") return clusterRules.get(name);
    return kind === "Role" ? localRules.get(localKey(namespace, name)) : undefined;
  };
  const grantOf = (binding: Binding): Grant => {
    const { roleRef, metadata } = binding;
    const rules = rulesOf(roleRef, metadata.namespace);
    return rules === undefined ? { binding, rules, missing: missingRole(roleRef) } : { binding, rules };
  };

  const everywhere = newScope();
  const namespaces = new Map<string, Scope>();
  for (const binding of clusterRoleBindings) addGrant(everywhere, grantOf(binding));
  for (const binding of roleBindings) {
    const { namespace = "" } = binding.metadata;
    const scope = namespaces.get(namespace) ?? newScope();
    namespaces.set(namespace, scope);
    addGrant(scope, grantOf(binding));
  }

  return {
    rulesOf,
    *grants(user, namespace) {
      yield* grantsIn(everywhere, user);
      const local = namespace === undefined ? undefined : namespaces.get(namespace);
      if (local !== undefined) yield* grantsIn(local, user);
    },
  };
}

/** `ClusterRoleBinding "a" of ClusterRole "b" to Group "c"`: the first subject that is the user. */
export function describeGrant(user: User, { binding }: Grant): string {
  const { metadata, roleRef, subjects } = binding;
  const { name, namespace } = metadata;
  const kind = namespace === undefined ? "ClusterRoleBinding" : "RoleBinding";
  const own = JSON.stringify(namespace === undefined ? name : `${name}/${namespace}`);
  const subject = subjects?.find((each) => isSubject(user, each, namespace));
  const whom = subject === undefined ? "" : ` to ${subject.kind} ${JSON.stringify(subjectName(subject, namespace))}`;
  return `${kind} ${own} of ${roleRef.kind} ${JSON.stringify(roleRef.name)}${whom}`;
}

function subjectName({ kind, name, namespace }: Subject, bindingNamespace = ""): string {
  return kind === "ServiceAccount" ? `${name}/${namespace || bindingNamespace}` : name;
}

function isSubject(user: User, subject: Subject, namespace: string | undefined): boolean {
  return subject.kind === "Group" ? user.groups.includes(subject.name) : userOf(subject, namespace) === user.name;
}

/** The user that a subject names; undefined for a group, and for an account of no namespace. */
function userOf({ kind, name, namespace }: Subject, bindingNamespace: string | undefined): string | undefined {
  if (kind === "User") return name;
  const of = namespace || bindingNamespace;
  return kind === "ServiceAccount" && of !== undefined ? accountUser({ namespace: of, name }) : undefined;
}

function newScope(): Scope {
  return { users: new Map(), groups: new Map() };
}

function addGrant({ users, groups }: Scope, grant: Grant): void {
  const { subjects, metadata } = grant.binding;
  for (const subject of subjects ?? []) {
    if (subject.kind === "Group") addOnce(groups, subject.name, grant);
    const user = userOf(subject, metadata.namespace);
    if (user !== undefined) addOnce(users, user, grant);
  }
}

function addOnce(grants: Map<string, Grant[]>, name: string, grant: Grant): void {
  const known = grants.get(name);
  if (known === undefined) grants.set(name, [grant]);
  else if (known.at(-1) !== grant) known.push(grant);
}

/** Whoever is in two groups may meet a binding twice. */
function grantsIn({ users, groups }: Scope, { name, groups: memberOf }: User): Iterable<Grant> {
  const found = new Set(users.get(name));
  for (const group of memberOf) for (const grant of groups.get(group) ?? []) found.add(grant);
  return found;
}

function localKey(namespace: string | undefined, name: string): string {
  return `${namespace ?? ""}/${name}`;
}

function missingRole({ kind, name }: RoleRef): string {
  const known = kind === "ClusterRole" || kind === "Role";
  return known
    ? `${kind.toLowerCase()}.rbac.authorization.k8s.io ${JSON.stringify(name)} not found`
    : `unsupported role reference kind: ${JSON.stringify(kind)}`;
}
