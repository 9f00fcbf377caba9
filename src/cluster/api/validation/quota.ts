/** ResourceQuotas (upstream pkg/apis/core/validation). */
import { type FieldError, invalid, required } from "../../../admission/verdict.ts";
import { Quantity } from "../../../core/quantity.ts";
import { labelKeyErrors } from "../selectors/label-syntax.ts";
import { COUNTED } from "./resources.ts";

interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export interface QuotaToCheck {
  readonly spec?: {
    readonly hard?: Readonly<Record<string, string>>;
    readonly scopes?: readonly string[];
    readonly scopeSelector?: { readonly matchExpressions?: readonly ScopeRequirement[] };
  };
}

const COMPUTE = ["cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"];
const STANDARD: ReadonlySet<string> = new Set([
  ...COUNTED,
  ...COMPUTE,
  "ephemeral-storage",
  "requests.storage",
  "requests.ephemeral-storage",
  "limits.ephemeral-storage",
]);
const POD_SCOPES = ["Terminating", "NotTerminating", "NotBestEffort", "PriorityClass", "CrossNamespacePodAffinity"];
const SCOPES: ReadonlySet<string> = new Set([...POD_SCOPES, "BestEffort", "VolumeAttributesClass"]);
const NOTHING = Quantity.bytes(0n);
const CONFLICTING = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
] as const;

export function validateQuota({ spec = {} }: QuotaToCheck): FieldError[] {
  const { hard = {}, scopes = [], scopeSelector } = spec;
  const names = Object.keys(hard).toSorted();
  return [
    ...checkQuotaAmounts(hard, "spec.hard"),
    ...scopes.flatMap((scope) => checkScope(scope, names, scopes)),
    ...conflicts(scopes, "spec.scopes", scopes),
    ...checkScopeSelector(scopeSelector?.matchExpressions ?? [], names, scopes),
  ];
}

/** What a quota is about stays; how much there may be changes. */
export function validateQuotaUpdate(old: QuotaToCheck, next: QuotaToCheck): FieldError[] {
  const sorted = ({ spec }: QuotaToCheck): string => [...new Set(spec?.scopes ?? [])].toSorted().join();
  return [
    ...validateQuota(next),
    ...(sorted(old) === sorted(next) ? [] : [invalid("spec.scopes", next.spec?.scopes ?? null, "field is immutable")]),
  ];
}

/** Amounts by what they are of, wherever a quota tells of them. */
export function checkQuotaAmounts(amounts: Readonly<Record<string, string>>, path: string): FieldError[] {
  return Object.entries(amounts).flatMap(([name, size]) => checkHard(name, size, `${path}[${name}]`));
}

function checkHard(name: string, size: string, path: string): FieldError[] {
  const amount = Quantity.parse(size);
  const qualified = labelKeyErrors(name);
  const plain = !name.includes("/");
  const hugePages = /^(requests\.)?hugepages-/.test(name);
  const standard = STANDARD.has(name) || hugePages;
  return [
    ...qualified.map((problem) => invalid(path, name, problem)),
    ...(qualified.length === 0 && plain && !standard && name !== "storage"
      ? [invalid(path, name, "must be a standard resource type or fully qualified")]
      : []),
    ...(plain && !standard ? [invalid(path, name, "must be a standard resource for quota")] : []),
    ...(amount.lessThan(NOTHING) ? [invalid(path, size, "must be greater than or equal to 0")] : []),
    ...(COUNTED.has(name) && !amount.equals(amount.roundUp()) ? [invalid(path, size, "must be an integer")] : []),
  ];
}

function fits(scope: string, name: string): boolean {
  if (!STANDARD.has(name)) return true;
  if (POD_SCOPES.includes(scope)) return name === "pods" || COMPUTE.includes(name);
  if (scope === "BestEffort") return name === "pods";
  if (scope === "VolumeAttributesClass") return name === "persistentvolumeclaims" || name === "requests.storage";
  return true;
}

function checkScope(scope: string, names: readonly string[], scopes: readonly string[]): FieldError[] {
  return [
    ...(SCOPES.has(scope) ? [] : [invalid("spec.scopes", scopes, "unsupported scope")]),
    ...names
      .filter((name) => !fits(scope, name))
      .map(() => invalid("spec.scopes", scopes, "unsupported scope applied to resource")),
  ];
}

function conflicts(scopes: readonly string[], path: string, shown: readonly string[]): FieldError[] {
  return CONFLICTING.filter((pair) => pair.every((scope) => scopes.includes(scope))).map(() =>
    invalid(path, shown, "conflicting scopes"),
  );
}

const MUST_EXIST =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

function checkScopeSelector(
  requirements: readonly ScopeRequirement[],
  names: readonly string[],
  scopes: readonly string[],
): FieldError[] {
  const path = "spec.scopeSelector.matchExpressions";
  const errors = requirements.flatMap(({ scopeName, operator, values = [] }) => [
    ...(SCOPES.has(scopeName) ? [] : [invalid(`${path}.scopeName`, scopeName, "unsupported scope")]),
    ...names
      .filter((name) => !fits(scopeName, name))
      .map(() => invalid(path, internalSelector(requirements), "unsupported scope applied to resource")),
    ...(SCOPES.has(scopeName) && !scopeName.endsWith("Class") && operator !== "Exists"
      ? [invalid(`${path}.operator`, operator, MUST_EXIST)]
      : []),
    ...checkValues(operator, values, path),
  ]);
  const named = requirements.map(({ scopeName }) => scopeName);
  return [...errors, ...conflicts(named, path, scopes)];
}

/** As the server holds it. */
function internalSelector(requirements: readonly ScopeRequirement[]): object {
  return {
    MatchExpressions: requirements.map(({ scopeName, operator, values }) => ({
      ScopeName: scopeName,
      Operator: operator,
      Values: values ?? null,
    })),
  };
}

function checkValues(operator: string, values: readonly string[], path: string): FieldError[] {
  switch (operator) {
    case "In":
    case "NotIn":
      return values.length > 0
        ? []
        : [
            required(
              `${path}.values`,
              "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
            ),
          ];
    case "Exists":
    case "DoesNotExist":
      return values.length === 0
        ? []
        : [
            invalid(
              `${path}.values`,
              values,
              "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
            ),
          ];
    default:
      return [invalid(`${path}.operator`, operator, "not a valid selector operator")];
  }
}
