/** Jobs and CronJobs (upstream pkg/apis/batch/validation). */
import { type FieldError, invalid, notSupported, required, tooLong } from "../../../admission/verdict.ts";
import type { LabelSelector } from "../../../core/types.ts";
import type { JsonObject } from "../json.ts";
import { checkNotNegative, checkOneOf, checkSelector } from "./checks.ts";
import { scheduleProblem } from "./cron-schedule.ts";
import { validateJobUpdate } from "./immutable.ts";
import { type TemplateToCheck, validatePodTemplate } from "./pod.ts";
import { checkTemplateLabels } from "./workload-pods.ts";

interface JobSpec {
  readonly parallelism?: number;
  readonly completions?: number;
  readonly activeDeadlineSeconds?: number;
  readonly backoffLimit?: number;
  readonly ttlSecondsAfterFinished?: number;
  readonly backoffLimitPerIndex?: number;
  readonly maxFailedIndexes?: number;
  readonly managedBy?: string;
  readonly completionMode?: string;
  readonly podFailurePolicy?: object;
  readonly podReplacementPolicy?: string;
  readonly selector?: LabelSelector | null;
  readonly manualSelector?: boolean;
  readonly template?: TemplateToCheck;
}

export interface JobToCheck {
  readonly spec?: JobSpec;
}

const COUNTS = [
  "parallelism",
  "completions",
  "activeDeadlineSeconds",
  "backoffLimit",
  "ttlSecondsAfterFinished",
  "backoffLimitPerIndex",
  "maxFailedIndexes",
] as const;
const MODES = ["NonIndexed", "Indexed"];
const MAX_PARALLELISM = 100_000;
const MAX_MANAGER = 63;
const REPLACEMENTS = ["Failed", "TerminatingOrFailed"];

/** Every error of a new Job. That its selector was made for it is seen to elsewhere. */
export function validateJob({ spec = {} }: JobToCheck): FieldError[] {
  const { selector, template = {} } = spec;
  const { errors, isSelector } = checkTemplateLabels(selector, template.metadata?.labels, "");
  return [
    ...checkJobSpec(spec, "spec"),
    ...(selector ? checkSelector(selector, "spec.selector") : [required("spec.selector")]),
    ...(isSelector ? errors : []),
  ];
}

export function validateChangedJob(old: JsonObject, next: JsonObject): FieldError[] {
  return [...validateJob(next), ...validateJobUpdate(old, next)];
}

function checkJobSpec(spec: JobSpec, path: string): FieldError[] {
  return [
    ...COUNTS.flatMap((field) => checkNotNegative(spec[field], `${path}.${field}`)),
    ...(spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined
      ? [required(`${path}.backoffLimitPerIndex`, "when maxFailedIndexes is specified")]
      : []),
    ...(spec.managedBy === undefined ? [] : checkManager(spec.managedBy, `${path}.managedBy`)),
    ...checkMode(spec, path),
    ...checkReplacement(spec, `${path}.podReplacementPolicy`),
    ...validatePodTemplate(spec.template ?? {}, `${path}.template`),
    ...checkEnds(spec, `${path}.template.spec.restartPolicy`),
  ];
}

/** `example.com/controller` */
function checkManager(name: string, path: string): FieldError[] {
  const isPath = /^[^/]+\/.+$/.test(name);
  const rule = 'must be a domain-prefixed path (such as "acme.io/foo")';
  return [
    ...(name === "" ? [required(path)] : isPath ? [] : [invalid(path, name, rule)]),
    ...(Buffer.byteLength(name) > MAX_MANAGER ? [tooLong(path, MAX_MANAGER)] : []),
  ];
}

function checkMode(spec: JobSpec, path: string): FieldError[] {
  const { completionMode: mode, completions, parallelism = 0 } = spec;
  if (mode !== "Indexed") {
    return [
      ...(mode === undefined || MODES.includes(mode) ? [] : [notSupported(`${path}.completionMode`, mode, MODES)]),
      ...(mode === undefined || mode === "NonIndexed"
        ? (["backoffLimitPerIndex", "maxFailedIndexes"] as const)
            .filter((field) => spec[field] !== undefined)
            .map((field) => invalid(`${path}.${field}`, spec[field], "requires indexed completion mode"))
        : []),
    ];
  }
  const tooWide = `must be less than or equal to ${MAX_PARALLELISM} when completion mode is Indexed`;
  const { maxFailedIndexes } = spec;
  return [
    ...(completions === undefined ? [required(`${path}.completions`, "when completion mode is Indexed")] : []),
    ...(parallelism > MAX_PARALLELISM ? [invalid(`${path}.parallelism`, parallelism, tooWide)] : []),
    ...(completions !== undefined && maxFailedIndexes !== undefined && maxFailedIndexes > completions
      ? [invalid(`${path}.maxFailedIndexes`, maxFailedIndexes, "must be less than or equal to completions")]
      : []),
  ];
}

function checkReplacement({ podReplacementPolicy: policy, podFailurePolicy }: JobSpec, path: string): FieldError[] {
  const supported = podFailurePolicy === undefined ? REPLACEMENTS : ["Failed"];
  return policy === undefined || supported.includes(policy) ? [] : [notSupported(path, policy, supported)];
}

/** What is to end is not started again for ever. */
function checkEnds({ template, podFailurePolicy }: JobSpec, path: string): FieldError[] {
  const policy = template?.spec?.restartPolicy ?? "";
  if (policy === "" || policy === "Always") return [required(path, 'valid values: "OnFailure", "Never"')];
  if (policy !== "OnFailure" && policy !== "Never") return [notSupported(path, policy, ["OnFailure", "Never"])];
  if (podFailurePolicy === undefined || policy === "Never") return [];
  return [invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}

export interface CronJobToCheck {
  readonly metadata?: { readonly name?: string };
  readonly spec?: {
    readonly schedule?: string;
    readonly timeZone?: string;
    readonly startingDeadlineSeconds?: number;
    readonly concurrencyPolicy?: string;
    readonly successfulJobsHistoryLimit?: number;
    readonly failedJobsHistoryLimit?: number;
    readonly jobTemplate?: { readonly spec?: JobSpec };
  };
}

const CONCURRENCY = ["Allow", "Forbid", "Replace"];
/** Jobs are called like it, with eleven characters more. */
const MAX_NAME = 52;

export function validateCronJob(cronJob: CronJobToCheck): FieldError[] {
  const name = cronJob.metadata?.name ?? "";
  const isLong = Buffer.byteLength(name) > MAX_NAME;
  return [
    ...checkCronJob(cronJob, undefined),
    ...(isLong ? [invalid("metadata.name", name, `must be no more than ${MAX_NAME} characters`)] : []),
  ];
}

export function validateCronJobUpdate(old: CronJobToCheck, next: CronJobToCheck): FieldError[] {
  return checkCronJob(next, old);
}

function checkCronJob({ spec = {} }: CronJobToCheck, old: CronJobToCheck | undefined): FieldError[] {
  const job = spec.jobTemplate?.spec ?? {};
  const at = "spec.jobTemplate.spec";
  return [
    ...checkSchedule(spec, old?.spec?.schedule ?? ""),
    ...checkNotNegative(spec.startingDeadlineSeconds, "spec.startingDeadlineSeconds"),
    ...(old !== undefined && old.spec?.timeZone === spec.timeZone ? [] : checkZone(spec.timeZone)),
    ...checkOneOf(spec.concurrencyPolicy, CONCURRENCY, "spec.concurrencyPolicy"),
    ...checkJobSpec(job, at),
    ...(job.selector ? [invalid(`${at}.selector`, job.selector, "`selector` will be auto-generated")] : []),
    ...(job.manualSelector === true ? [notSupported(`${at}.manualSelector`, true, ["nil", "false"])] : []),
    ...checkNotNegative(spec.successfulJobsHistoryLimit, "spec.successfulJobsHistoryLimit"),
    ...checkNotNegative(spec.failedJobsHistoryLimit, "spec.failedJobsHistoryLimit"),
  ];
}

type CronSpec = NonNullable<CronJobToCheck["spec"]>;

function checkSchedule({ schedule = "", timeZone }: CronSpec, before: string): FieldError[] {
  const path = "spec.schedule";
  if (schedule === "") return [required(path)];
  const problem = scheduleProblem(schedule);
  const mayName = before.includes("TZ");
  const names = schedule.includes("TZ");
  return [
    ...(problem === undefined ? [] : [invalid(path, schedule, problem)]),
    ...(names && mayName && timeZone !== undefined
      ? [invalid(path, schedule, "cannot use both timeZone field and TZ or CRON_TZ in schedule")]
      : []),
    ...(names && !mayName
      ? [invalid(path, schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead")]
      : []),
  ];
}

function checkZone(zone: string | undefined): FieldError[] {
  const path = "spec.timeZone";
  if (zone === undefined) return [];
  if (zone === "") return [invalid(path, zone, "timeZone must be nil or non-empty string")];
  const local = "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
  return [
    ...(zone.toLowerCase() === "local" ? [invalid(path, zone, local)] : []),
    ...(isZone(zone) ? [] : [invalid(path, zone, `unknown time zone ${zone}`)]),
  ];
}

function isZone(zone: string): boolean {
  if (!/^[A-Za-z0-9_+-]+(?:\/[A-Za-z0-9_+-]+)*$/.test(zone)) return false;
  try {
    void new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return zone === "Local";
  }
}
