/**
 * Whether a user may do something, by the roles and bindings of the cluster (upstream plugin/pkg/auth/authorizer/rbac).
 * Rules only allow: what none of them allows is refused.
 */
import { aggregate } from "../../../admission/verdict.ts";
import { StatusError, type StatusSubject } from "../status-error.ts";
import { MASTERS, type User } from "./identity.ts";
import { describeGrant, type Grant, type RoleIndex } from "./role-index.ts";

export type { User } from "./identity.ts";

/** What is asked: an object of the API, or a path that is none. */
export type Attempt = ResourceAttempt | PathAttempt;

export interface ResourceAttempt {
  readonly verb: string;
  /** Undefined: a kind of the whole cluster, or all namespaces. */
  readonly namespace: string | undefined;
  readonly group: string;
  /** The plural, with its subresource: `pods`, `pods/eviction`. */
  readonly resource: string;
  /** Undefined: the collection. */
  readonly name: string | undefined;
}

export interface PathAttempt {
  readonly verb: string;
  readonly path: string;
}

export interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export type Decision =
  /** `by` is missing for members of system:masters, who need no rule. */
  | { readonly allowed: true; readonly by?: Grant }
  /** `missing`: what roles could not be looked at, since they are not there. */
  | { readonly allowed: false; readonly missing: readonly string[] };

/** Whether one of the user's rules allows it, or the user needs none. */
export function decide(user: User, attempt: Attempt, roles: Pick<RoleIndex, "grants">): Decision {
  if (user.groups.includes(MASTERS)) return { allowed: true };
  const missing: string[] = [];
  const namespace = "resource" in attempt ? attempt.namespace : undefined;
  for (const grant of roles.grants(user, namespace)) {
    if (grant.rules === undefined) missing.push(grant.missing);
    else if (grant.rules.some((rule) => ruleAllows(rule, attempt))) return { allowed: true, by: grant };
  }
  return { allowed: false, missing };
}

/** Why, in upstream's words; empty where it says nothing. */
export function reasonOf(user: User, decision: Decision): string {
  if (decision.allowed) {
    return decision.by === undefined ? "" : `RBAC: allowed by ${describeGrant(user, decision.by)}`;
  }
  return decision.missing.length === 0 ? "" : `RBAC: ${aggregate(decision.missing)}`;
}

export function ruleAllows(rule: Rule, attempt: Attempt): boolean {
  if (!rule.verbs.includes("*") && !rule.verbs.includes(attempt.verb)) return false;
  return "resource" in attempt ? allowsResource(rule, attempt) : allowsPath(rule, attempt.path);
}

function allowsResource(rule: Rule, { group, resource, name }: ResourceAttempt): boolean {
  const { apiGroups = [], resources = [], resourceNames = [] } = rule;
  if (!apiGroups.includes("*") && !apiGroups.includes(group)) return false;
  const slash = resource.indexOf("/");
  const named =
    resources.includes("*") ||
    resources.includes(resource) ||
    (slash !== -1 && resources.includes(`*${resource.slice(slash)}`));
  // A rule for certain names says nothing about collections, where no name is asked for.
  return named && (resourceNames.length === 0 || (name !== undefined && resourceNames.includes(name)));
}

function allowsPath({ nonResourceURLs = [] }: Rule, path: string): boolean {
  return nonResourceURLs.some((url) => url === "*" || url === path || isUnder(url, path));
}

/** Whether a URL of a rule ends in `*` and the path begins with what stands before. */
export function isUnder(url: string, path: string): boolean {
  return url.endsWith("*") && path.startsWith(url.replace(/\*+$/, ""));
}

/** 403 in upstream's words. `reason` is what the decision gives, or more. */
export function forbidden(user: User, attempt: Attempt, reason = ""): StatusError {
  const message = forbiddenMessage(user, attempt);
  return new StatusError(403, "Forbidden", reason === "" ? message : `${message}: ${reason}`, [], subjectOf(attempt));
}

function subjectOf(attempt: Attempt): StatusSubject {
  if (!("resource" in attempt)) return {};
  const { group, resource, name = "" } = attempt;
  const [kind = ""] = resource.split("/");
  return { name, group, kind };
}

/** The refusal's words, as kubectl prints them. */
export function forbiddenMessage(user: User, attempt: Attempt): string {
  if (!("resource" in attempt)) return `forbidden: ${cannot(user, attempt, `path ${JSON.stringify(attempt.path)}`)}`;
  const { namespace, group, resource, name } = attempt;
  const [plural = ""] = resource.split("/");
  const object = group === "" ? plural : `${plural}.${group}`;
  const subject = name === undefined ? `${object} is forbidden` : `${object} ${JSON.stringify(name)} is forbidden`;
  const where = namespace === undefined ? "at the cluster scope" : `in the namespace ${JSON.stringify(namespace)}`;
  const what = `resource ${JSON.stringify(resource)} in API group ${JSON.stringify(group)} ${where}`;
  return `${subject}: ${cannot(user, attempt, what)}`;
}

/** Upstream takes care that no browser reads a refusal as HTML. */
function cannot(user: User, { verb }: Attempt, what: string): string {
  const text = `User ${JSON.stringify(user.name)} cannot ${verb} ${what}`;
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
