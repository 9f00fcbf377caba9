/** Which nodes a pod wants, and which neighbours (upstream validateAffinity and validateTopologySpreadConstraints). */
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../../../admission/verdict.ts";
import type { LabelSelector } from "../../../../core/types.ts";
import { labelValueErrors } from "../../selectors/label-syntax.ts";
import { checkOperator, checkQualifiedName, checkSelector, NO_OPERATOR } from "../checks.ts";
import { dnsLabel, dnsSubdomain } from "../names.ts";
import { keyOfParts } from "../repeated.ts";

interface Requirement {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

interface NodeTerm {
  readonly matchExpressions?: readonly Requirement[];
  readonly matchFields?: readonly Requirement[];
}

export interface NodeSelector {
  readonly nodeSelectorTerms?: readonly NodeTerm[] | null;
}

interface PodTerm {
  readonly labelSelector?: LabelSelector;
  readonly namespaceSelector?: LabelSelector;
  readonly namespaces?: readonly string[];
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
  readonly topologyKey?: string;
}

interface PodAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
    readonly weight?: number;
    readonly podAffinityTerm?: PodTerm;
  }[];
}

export interface Affinity {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
    readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
      readonly weight?: number;
      readonly preference?: NodeTerm;
    }[];
  };
  readonly podAffinity?: PodAffinity;
  readonly podAntiAffinity?: PodAffinity;
}

export interface SpreadConstraint {
  readonly maxSkew?: number;
  readonly topologyKey?: string;
  readonly whenUnsatisfiable?: string;
  readonly labelSelector?: LabelSelector;
  readonly minDomains?: number;
  readonly nodeAffinityPolicy?: string;
  readonly nodeTaintsPolicy?: string;
  readonly matchLabelKeys?: readonly string[];
}

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

export function checkAffinity({ nodeAffinity, podAffinity, podAntiAffinity }: Affinity, path: string): FieldError[] {
  const wanted = nodeAffinity?.[REQUIRED];
  return [
    ...(wanted === undefined ? [] : checkNodeSelector(wanted, `${path}.nodeAffinity.${REQUIRED}`)),
    ...(nodeAffinity?.[PREFERRED] ?? []).flatMap(({ weight, preference = {} }, index) => {
      const at = `${path}.nodeAffinity.${PREFERRED}[${index}]`;
      return [...checkWeight(weight, at), ...checkNodeTerm(preference, false, `${at}.preference`)];
    }),
    ...(podAffinity === undefined ? [] : checkPodAffinity(podAffinity, `${path}.podAffinity`)),
    ...(podAntiAffinity === undefined ? [] : checkPodAffinity(podAntiAffinity, `${path}.podAntiAffinity`)),
  ];
}

function checkWeight(weight = 0, path: string): FieldError[] {
  return weight > 0 && weight <= 100 ? [] : [invalid(`${path}.weight`, weight, "must be in the range 1-100")];
}

/** Of pods that must be there, and of volumes. */
export function checkNodeSelector({ nodeSelectorTerms }: NodeSelector, path: string): FieldError[] {
  const terms = nodeSelectorTerms ?? [];
  const at = `${path}.nodeSelectorTerms`;
  if (terms.length === 0) return [required(at, "must have at least one node selector term")];
  return terms.flatMap((term, index) => checkNodeTerm(term, true, `${at}[${index}]`));
}

/** `checksValues`: what is only preferred may ask for values that no label has. */
function checkNodeTerm({ matchExpressions, matchFields }: NodeTerm, checksValues: boolean, path: string): FieldError[] {
  return [
    ...(matchExpressions ?? []).flatMap((each, index) =>
      checkNodeRequirement(each, checksValues, `${path}.matchExpressions[${index}]`),
    ),
    ...(matchFields ?? []).flatMap((each, index) => checkNodeField(each, `${path}.matchFields[${index}]`)),
  ];
}

function checkNodeRequirement(requirement: Requirement, checksValues: boolean, path: string): FieldError[] {
  const { key, values = [] } = requirement;
  return [
    ...checkNodeOperator(requirement, path),
    ...checkQualifiedName(key, `${path}.key`),
    ...(checksValues ? values : []).flatMap((value, index) =>
      labelValueErrors(value).map((problem) => invalid(`${path}.values[${index}]`, value, problem)),
    ),
  ];
}

/** Nodes have labels that are numbers: of these there are two more operators. */
function checkNodeOperator({ operator = "", values = [] }: Requirement, path: string): FieldError[] {
  if (operator !== "Gt" && operator !== "Lt") return checkOperator(operator, values, path);
  if (values.length === 1) return [];
  return [required(`${path}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
}

function checkNodeField({ key = "", operator = "", values = [] }: Requirement, path: string): FieldError[] {
  const one = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
  const known = operator === "In" || operator === "NotIn";
  return [
    ...(known && values.length !== 1 ? [required(`${path}.values`, one)] : []),
    ...(known ? [] : [invalid(`${path}.operator`, operator, NO_OPERATOR)]),
    ...(key === "metadata.name"
      ? values.flatMap((value, index) =>
          dnsSubdomain(value).map((problem) => invalid(`${path}.values[${index}]`, value, problem)),
        )
      : [invalid(`${path}.key`, key, "not a valid field selector key")]),
  ];
}

function checkPodAffinity(affinity: PodAffinity, path: string): FieldError[] {
  return [
    ...(affinity[REQUIRED] ?? []).flatMap((term, index) => checkPodTerm(term, `${path}.${REQUIRED}[${index}]`)),
    ...(affinity[PREFERRED] ?? []).flatMap(({ weight, podAffinityTerm = {} }, index) => {
      const at = `${path}.${PREFERRED}[${index}]`;
      return [...checkWeight(weight, at), ...checkPodTerm(podAffinityTerm, `${at}.podAffinityTerm`)];
    }),
  ];
}

function checkPodTerm(term: PodTerm, path: string): FieldError[] {
  return [
    ...checkSelector(term.labelSelector, `${path}.labelSelector`),
    ...checkSelector(term.namespaceSelector, `${path}.namespaceSelector`),
    ...(term.namespaces ?? []).flatMap((name) =>
      dnsLabel(name).map((problem) => invalid(`${path}.namespace`, name, problem)),
    ),
    ...checkLabelKeys(term.matchLabelKeys ?? [], term.labelSelector, `${path}.matchLabelKeys`),
    ...checkLabelKeys(term.mismatchLabelKeys ?? [], term.labelSelector, `${path}.mismatchLabelKeys`),
    ...checkBothKeys(term, path),
    ...((term.topologyKey ?? "") === "" ? [required(`${path}.topologyKey`, "can not be empty")] : []),
    ...checkQualifiedName(term.topologyKey, `${path}.topologyKey`),
  ];
}

function checkLabelKeys(keys: readonly string[], selector: LabelSelector | undefined, path: string): FieldError[] {
  if (keys.length === 0) return [];
  if (selector === undefined) return [forbidden(path, "must not be specified when labelSelector is not set")];
  return keys.flatMap((key, index) => checkQualifiedName(key, `${path}[${index}]`));
}

function checkBothKeys({ matchLabelKeys = [], mismatchLabelKeys = [] }: PodTerm, path: string): FieldError[] {
  const others = new Set(mismatchLabelKeys);
  const why = "exists in both matchLabelKeys and mismatchLabelKeys";
  return matchLabelKeys.flatMap((key, index) =>
    others.has(key) ? [invalid(`${path}.matchLabelKeys[${index}]`, key, why)] : [],
  );
}

const ACTIONS = ["DoNotSchedule", "ScheduleAnyway"];
const POLICIES = ["Honor", "Ignore"];

export function checkSpread(constraints: readonly SpreadConstraint[], path: string): FieldError[] {
  const last = new Map(constraints.map((constraint, index) => [keyOfSpread(constraint), index]));
  return constraints.flatMap((constraint, index) => {
    const { maxSkew = 0, topologyKey = "", whenUnsatisfiable: action = "", minDomains } = constraint;
    const at = `${path}[${index}]`;
    return [
      ...(maxSkew > 0 ? [] : [invalid(`${at}.maxSkew`, maxSkew, "must be greater than zero")]),
      ...(topologyKey === "" ? [required(`${at}.topologyKey`, "can not be empty")] : []),
      ...(ACTIONS.includes(action) ? [] : [notSupported(`${at}.whenUnsatisfiable`, action, ACTIONS)]),
      ...((last.get(keyOfSpread(constraint)) ?? index) > index
        ? [duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, `{${topologyKey}, ${action}}`)]
        : []),
      ...(minDomains === undefined ? [] : checkDomains(minDomains, action, `${at}.minDomains`)),
      ...(["nodeAffinityPolicy", "nodeTaintsPolicy"] as const).flatMap((field) => {
        const policy = constraint[field];
        return policy === undefined || POLICIES.includes(policy)
          ? []
          : [notSupported(`${at}.${field}`, policy, POLICIES)];
      }),
      ...checkLabelKeys(constraint.matchLabelKeys ?? [], constraint.labelSelector, `${at}.matchLabelKeys`),
      ...checkSelector(constraint.labelSelector, `${at}.labelSelector`),
    ];
  });
}

function keyOfSpread({ topologyKey, whenUnsatisfiable }: SpreadConstraint): string {
  return keyOfParts(topologyKey ?? "", whenUnsatisfiable ?? "");
}

function checkDomains(count: number, action: string, path: string): FieldError[] {
  const why = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
  return [
    ...(count > 0 ? [] : [invalid(path, count, "must be greater than zero")]),
    ...(action === "DoNotSchedule" ? [] : [invalid(path, count, why)]),
  ];
}
