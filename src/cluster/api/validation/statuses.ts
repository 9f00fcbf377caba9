/** What controllers say of objects, where the server looks at it. */
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
} from "../../../admission/verdict.ts";
import { checkAddress, checkName, checkNotNegative, checkQualifiedName } from "./checks.ts";
import { dnsSubdomain } from "./names.ts";
import { checkQuotaAmounts } from "./quota.ts";
import { repeated } from "./repeated.ts";

export interface Condition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string | null;
  readonly observedGeneration?: number;
}

const STATUSES = ["False", "True", "Unknown"];
const REASON = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
const REASON_SHAPE = new RegExp(`^${REASON}$`);
const REASON_RULE =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', " +
  `and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or ` +
  `'ReasonA:ReasonB', regex used for validation is '${REASON}')`;
const MAX_REASON = 1024;
const MAX_MESSAGE = 32 * 2 ** 10;

/** Conditions of the form that all kinds since 1.19 have (upstream ValidateConditions). */
export function checkConditions(conditions: readonly Condition[], path: string): FieldError[] {
  const again = repeated(conditions, ({ type }) => type ?? "");
  return conditions.flatMap((condition, index) => {
    const { type = "", status = "", reason = "", message = "", observedGeneration = 0 } = condition;
    const at = `${path}[${index}]`;
    return [
      ...(again.has(index) ? [duplicate(`${at}.type`, type)] : []),
      ...checkQualifiedName(type, `${at}.type`),
      ...(STATUSES.includes(status) ? [] : [notSupported(`${at}.status`, status, STATUSES)]),
      ...(observedGeneration < 0
        ? [invalid(`${at}.observedGeneration`, observedGeneration, "must be greater than or equal to zero")]
        : []),
      ...(condition.lastTransitionTime ? [] : [required(`${at}.lastTransitionTime`)]),
      ...(reason === "" ? [required(`${at}.reason`)] : checkReason(reason, `${at}.reason`)),
      ...(Buffer.byteLength(message) > MAX_MESSAGE ? [tooLong(`${at}.message`, MAX_MESSAGE)] : []),
    ];
  });
}

function checkReason(reason: string, path: string): FieldError[] {
  const isLong = Buffer.byteLength(reason) > MAX_REASON;
  return [
    ...(isLong || REASON_SHAPE.test(reason) ? [] : [invalid(path, reason, REASON_RULE)]),
    ...(isLong ? [tooLong(path, MAX_REASON)] : []),
  ];
}

export interface BudgetStatus {
  readonly conditions?: readonly Condition[];
  readonly disruptionsAllowed?: number;
  readonly currentHealthy?: number;
  readonly desiredHealthy?: number;
  readonly expectedPods?: number;
}

export function checkBudgetStatus(status: BudgetStatus): FieldError[] {
  return [
    ...checkConditions(status.conditions ?? [], "status.conditions"),
    ...(["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"] as const).flatMap((field) =>
      checkNotNegative(status[field], `status.${field}`),
    ),
  ];
}

/** The spelling is upstream's. */
export function checkNamespaceStatus(phase: string, isDeleted: boolean): FieldError[] {
  const path = "status.Phase";
  if (isDeleted) {
    return phase === "Terminating"
      ? []
      : [invalid(path, phase, "may only be 'Terminating' if `deletionTimestamp` is not empty")];
  }
  return phase === "Active" ? [] : [invalid(path, phase, "may only be 'Active' if `deletionTimestamp` is empty")];
}

export interface QuotaStatus {
  readonly hard?: Readonly<Record<string, string>>;
  readonly used?: Readonly<Record<string, string>>;
}

export function checkQuotaStatus({ hard, used }: QuotaStatus): FieldError[] {
  return [...checkQuotaAmounts(hard ?? {}, "status.hard"), ...checkQuotaAmounts(used ?? {}, "status.used")];
}

interface Ingress {
  readonly ip?: string;
  readonly ipMode?: string;
  readonly hostname?: string;
}

export interface ServiceStatus {
  readonly loadBalancer?: { readonly ingress?: readonly Ingress[] };
}

const IP_MODES = ["Proxy", "VIP"];

/** Where a balancer is reached. */
export function checkServiceStatus(ingress: readonly Ingress[]): FieldError[] {
  return ingress.flatMap(({ ip = "", ipMode, hostname = "" }, index) => {
    const path = `status.loadBalancer.ingress[${index}]`;
    return [
      ...(ip === "" ? [] : checkAddress(ip, `${path}.ip`)),
      ...(ip === "" && ipMode !== undefined
        ? [forbidden(`${path}.ipMode`, "may not be specified when `ip` is not set")]
        : []),
      ...(ip !== "" && ipMode !== undefined && !IP_MODES.includes(ipMode)
        ? [notSupported(`${path}.ipMode`, ipMode, IP_MODES)]
        : []),
      ...checkName(hostname, dnsSubdomain, `${path}.hostname`),
    ];
  });
}
