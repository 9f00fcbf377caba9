/**
 * Whether a user may do something, by the roles and bindings of the cluster (upstream plugin/pkg/auth/authorizer/rbac).
 * Rules only allow: what none of them allows is refused.
 */

export interface User {
  readonly name: string;
  readonly groups: readonly string[];
}

/** What is asked: an object of the API, or a path that is none. */
export type Attempt =
  | {
      readonly verb: string;
      /** Undefined: a kind of the whole cluster, or all namespaces. */
      readonly namespace: string | undefined;
      readonly group: string;
      /** The plural, with its subresource: `pods`, `pods/eviction`. */
      readonly resource: string;
      /** Undefined: the collection. */
      readonly name: string | undefined;
    }
  | { readonly verb: string; readonly path: string };

export interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export interface Role {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly Rule[] | null;
}

export interface Binding {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly subjects?: readonly { readonly kind: string; readonly name: string; readonly namespace?: string }[] | null;
  readonly roleRef: { readonly kind: string; readonly name: string };
}

/** The roles and bindings, as they are at this moment. */
export interface Roles {
  clusterRole(name: string): Role | undefined;
  role(namespace: string, name: string): Role | undefined;
  clusterBindings(): Iterable<Binding>;
  bindings(namespace: string): Iterable<Binding>;
}

/** Members of this group may do everything, whatever the roles say. */
const MASTERS = "system:masters";

export function mayDo(user: User, attempt: Attempt, roles: Roles): boolean {
  if (user.groups.includes(MASTERS)) return true;
  for (const binding of roles.clusterBindings()) {
    if (isBound(user, binding) && allows(roles.clusterRole(binding.roleRef.name), attempt)) return true;
  }
  if (!("resource" in attempt) || attempt.namespace === undefined) return false;
  for (const binding of roles.bindings(attempt.namespace)) {
    if (!isBound(user, binding)) continue;
    const { kind, name } = binding.roleRef;
    const role = kind === "ClusterRole" ? roles.clusterRole(name) : roles.role(attempt.namespace, name);
    if (allows(role, attempt)) return true;
  }
  return false;
}

function isBound(user: User, { subjects, metadata }: Binding): boolean {
  return (subjects ?? []).some(({ kind, name, namespace }) => {
    switch (kind) {
      case "User":
        return user.name === name;
      case "Group":
        return user.groups.includes(name);
      case "ServiceAccount": {
        const of = namespace || metadata.namespace;
        return of !== undefined && user.name === `system:serviceaccount:${of}:${name}`;
      }
      default:
        return false;
    }
  });
}

function allows(role: Role | undefined, attempt: Attempt): boolean {
  return (role?.rules ?? []).some((rule) => {
    if (!rule.verbs.includes("*") && !rule.verbs.includes(attempt.verb)) return false;
    return "resource" in attempt ? allowsResource(rule, attempt) : allowsPath(rule, attempt.path);
  });
}

function allowsResource(rule: Rule, { group, resource, name }: Extract<Attempt, { resource: string }>): boolean {
  const { apiGroups = [], resources = [], resourceNames = [] } = rule;
  if (!apiGroups.includes("*") && !apiGroups.includes(group)) return false;
  const [, subresource] = resource.split("/");
  const named =
    resources.includes("*") ||
    resources.includes(resource) ||
    (subresource !== undefined && resources.includes(`*/${subresource}`));
  // A rule for certain names says nothing about collections, where no name is asked for.
  return named && (resourceNames.length === 0 || (name !== undefined && resourceNames.includes(name)));
}

function allowsPath({ nonResourceURLs = [] }: Rule, path: string): boolean {
  return nonResourceURLs.some(
    (url) => url === "*" || url === path || (url.endsWith("*") && path.startsWith(url.replace(/\*+$/, ""))),
  );
}

/** The refusal's words, as kubectl prints them. */
export function forbiddenMessage(user: User, attempt: Attempt): string {
  const who = `User ${JSON.stringify(user.name)}`;
  if (!("resource" in attempt)) return `forbidden: ${who} cannot ${attempt.verb} path ${JSON.stringify(attempt.path)}`;
  const { verb, namespace, group, resource, name } = attempt;
  const [plural = ""] = resource.split("/");
  const object = group === "" ? plural : `${plural}.${group}`;
  const subject = name === undefined ? `${object} is forbidden` : `${object} ${JSON.stringify(name)} is forbidden`;
  const where = namespace === undefined ? "at the cluster scope" : `in the namespace ${JSON.stringify(namespace)}`;
  const what = `resource ${JSON.stringify(resource)} in API group ${JSON.stringify(group)}`;
  return `${subject}: ${who} cannot ${verb} ${what} ${where}`;
}
