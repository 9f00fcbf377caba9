/** Roles and bindings (upstream pkg/apis/rbac/validation). */
import { type FieldError, invalid, notSupported, required } from "../../../admission/verdict.ts";
import type { LabelSelector } from "../../../core/types.ts";
import { labelKeyErrors } from "../selectors/label-syntax.ts";
import { checkName, checkSelector } from "./checks.ts";
import { dnsSubdomain, pathSegment } from "./names.ts";

const GROUP = "rbac.authorization.k8s.io";

interface Rule {
  readonly verbs?: readonly string[] | null;
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export interface RoleToCheck {
  readonly rules?: readonly Rule[] | null;
  /** Of a ClusterRole. */
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly LabelSelector[] };
}

interface Subject {
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly apiGroup?: string;
}

export interface BindingToCheck {
  readonly roleRef: { readonly apiGroup?: string; readonly kind?: string; readonly name?: string };
  readonly subjects?: readonly Subject[];
}

export function validateRole({ rules }: RoleToCheck): FieldError[] {
  return (rules ?? []).flatMap((rule, index) => checkRule(rule, true, `rules[${index}]`));
}

export function validateClusterRole({ rules, aggregationRule }: RoleToCheck): FieldError[] {
  const path = "aggregationRule.clusterRoleSelectors";
  const selectors = aggregationRule?.clusterRoleSelectors ?? [];
  const none = "at least one clusterRoleSelector required if aggregationRule is non-nil";
  return [
    ...(rules ?? []).flatMap((rule, index) => checkRule(rule, false, `rules[${index}]`)),
    ...(aggregationRule !== undefined && selectors.length === 0 ? [required(path, none)] : []),
    ...selectors.flatMap((selector, index) => checkAggregated(selector, `${path}[${index}]`)),
  ];
}

/** What is wrong with a selector is said twice: by its parts, and as a whole that shows nothing. */
function checkAggregated(selector: LabelSelector, path: string): FieldError[] {
  const errors = checkSelector(selector, path);
  const unreadable = Object.keys(selector.matchLabels ?? {}).some((key) => labelKeyErrors(key).length > 0);
  return unreadable ? [...errors, invalid(path, null, "invalid label selector.")] : errors;
}

function checkRule(rule: Rule, namespaced: boolean, path: string): FieldError[] {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const errors = (verbs ?? []).length > 0 ? [] : [required(`${path}.verbs`, "verbs must contain at least one value")];
  if (nonResourceURLs.length > 0) {
    const refuse = (why: string): void => void errors.push(invalid(`${path}.nonResourceURLs`, nonResourceURLs, why));
    if (namespaced) refuse("namespaced rules cannot apply to non-resource URLs");
    if (apiGroups.length + resources.length + resourceNames.length > 0) {
      refuse("rules cannot apply to both regular resources and non-resource URLs");
    }
    return errors;
  }
  return [
    ...errors,
    ...(apiGroups.length > 0
      ? []
      : [required(`${path}.apiGroups`, "resource rules must supply at least one api group")]),
    ...(resources.length > 0
      ? []
      : [required(`${path}.resources`, "resource rules must supply at least one resource")]),
  ];
}

export function validateRoleBinding(binding: BindingToCheck): FieldError[] {
  return checkBinding(binding, ["Role", "ClusterRole"], true);
}

export function validateClusterRoleBinding(binding: BindingToCheck): FieldError[] {
  return checkBinding(binding, ["ClusterRole"], false);
}

/** Whom a binding binds may change; to what, never. The reference is shown as the server holds it. */
export function validateRoleRefUpdate({ roleRef: old }: BindingToCheck, { roleRef }: BindingToCheck): FieldError[] {
  const { apiGroup: APIGroup = "", kind: Kind = "", name: Name = "" } = roleRef;
  const same = old.apiGroup === roleRef.apiGroup && old.kind === roleRef.kind && old.name === roleRef.name;
  return same ? [] : [invalid("roleRef", { APIGroup, Kind, Name }, "cannot change roleRef")];
}

function checkBinding(
  { roleRef, subjects }: BindingToCheck,
  kinds: readonly string[],
  namespaced: boolean,
): FieldError[] {
  const { apiGroup = "", kind = "", name = "" } = roleRef;
  return [
    ...(apiGroup === GROUP ? [] : [notSupported("roleRef.apiGroup", apiGroup, [GROUP])]),
    ...(kinds.includes(kind) ? [] : [notSupported("roleRef.kind", kind, kinds)]),
    ...(name === "" ? [required("roleRef.name")] : checkName(name, pathSegment, "roleRef.name")),
    ...(subjects ?? []).flatMap((subject, index) => checkSubject(subject, namespaced, `subjects[${index}]`)),
  ];
}

function checkSubject(subject: Subject, namespaced: boolean, path: string): FieldError[] {
  const { kind = "", name = "", namespace = "", apiGroup = "" } = subject;
  const errors = name === "" ? [required(`${path}.name`)] : [];
  switch (kind) {
    case "ServiceAccount":
      return [
        ...errors,
        ...checkName(name, dnsSubdomain, `${path}.name`),
        ...(apiGroup === "" ? [] : [notSupported(`${path}.apiGroup`, apiGroup, [""])]),
        ...(namespaced || namespace !== "" ? [] : [required(`${path}.namespace`)]),
      ];
    case "User":
    case "Group":
      return [...errors, ...(apiGroup === GROUP ? [] : [notSupported(`${path}.apiGroup`, apiGroup, [GROUP])])];
    default:
      return [...errors, notSupported(`${path}.kind`, kind, ["ServiceAccount", "User", "Group"])];
  }
}
