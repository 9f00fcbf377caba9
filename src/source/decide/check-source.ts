/**
 * Everything that is wrong with a source, by field and with the way out. The definition of the kind refuses most of it when it is
 * written, on servers that evaluate its rules; the controller asks here again before it follows a source.
 */
import { type FieldError, forbidden, invalid, notSupported, required } from "../../admission/verdict.ts";
import type { Rollout } from "../../statefulset/types.ts";
import type { ExpansionSourceSpec } from "../types.ts";
import { checkFollowers, followsSets } from "./check-followers.ts";
import { checkPath } from "./check-path.ts";
import { goesThroughList } from "./path.ts";

/** All errors at once; none when the source can be followed. The spec has the types that its schema demands. */
export function checkSource(spec: ExpansionSourceSpec): FieldError[] {
  return [
    ...checkResource(spec.resource),
    ...checkFollowers(spec),
    ...checkCondition(spec),
    ...checkPaused(spec),
    ...checkChoice("spec.grownBy", spec.grownBy, ["Outgrow", "Operator"]),
    ...checkChoice("spec.recreatedBy", spec.recreatedBy, ["Outgrow", "Operator"]),
    ...checkChoice("spec.restartPods", spec.restartPods, ["Never", "WhenNeeded"]),
    ...checkRollout(spec.rollout),
    ...checkUseless(spec),
  ];
}

const DOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/;
const LABEL = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;
const KIND = /^[A-Za-z][A-Za-z0-9]{0,62}$/;

function checkResource({ group, version, kind, plural }: ExpansionSourceSpec["resource"]): FieldError[] {
  const errors: FieldError[] = [];
  const at = (field: string) => `spec.resource.${field}`;
  if (group === "apps" && kind === "StatefulSet") {
    errors.push(forbidden("spec.resource", "StatefulSets are followed without a source: edit the size in the set"));
  } else if (group === "outgrow.dev") {
    errors.push(forbidden(at("group"), "these kinds are Outgrow's own, and no sizes are written in them by people"));
  } else if (!DOMAIN.test(group)) {
    errors.push(
      invalid(at("group"), group, "only custom resources can be a source; their group is a domain, as moco.cybozu.com"),
    );
  }
  if (!LABEL.test(version)) errors.push(invalid(at("version"), version, "write it as v1 or v1beta2"));
  if (!KIND.test(kind)) errors.push(invalid(at("kind"), kind, "write it as in a manifest, for example MySQLCluster"));
  if (!LABEL.test(plural)) {
    errors.push(invalid(at("plural"), plural, "write it as kubectl api-resources lists it, for example mysqlclusters"));
  }
  return errors;
}

/** As Kubernetes has it for the type of a condition: a name, with the domain of whoever defined it in front or not. */
const CONDITION = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

function checkCondition({ condition, conditionsPath }: ExpansionSourceSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (condition !== undefined && (!CONDITION.test(condition) || condition.length > 316)) {
    errors.push(invalid("spec.condition", condition, "write the type of a condition, for example VolumeResized"));
  }
  if (conditionsPath === undefined) return errors;
  const field = "spec.conditionsPath";
  if (condition === undefined) errors.push(required("spec.condition", "the type of the condition to report there"));
  const checked = checkPath(field, conditionsPath);
  const [first, ...rest] = checked.path ?? [];
  if (checked.path === undefined) return [...errors, ...checked.errors];
  const inStatus = first?.kind === "key" && first.key === "status" && rest.length > 0;
  if (!inStatus || rest.some(({ kind }) => kind !== "key")) {
    errors.push(invalid(field, conditionsPath, "conditions are reported in a list of the status: .status.conditions"));
  }
  return errors;
}

function checkPaused({ paused }: ExpansionSourceSpec): FieldError[] {
  if (paused === undefined) return [];
  const { path, errors } = checkPath("spec.paused.path", paused.path);
  if (path === undefined || !goesThroughList(path)) return [...errors];
  return [invalid("spec.paused.path", paused.path, "[*] leads to many places; name the one that pauses the resource")];
}

function checkChoice(field: string, value: string | undefined, choices: readonly string[]): FieldError[] {
  return value === undefined || choices.includes(value) ? [] : [notSupported(field, value, choices)];
}

function checkRollout({ mode, maxConcurrent, canary, onFailure, goOnDespite }: Rollout = {}): FieldError[] {
  const count = (name: string, value: number | undefined, least: number) =>
    value === undefined || (Number.isInteger(value) && value >= least)
      ? []
      : [invalid(`spec.rollout.${name}`, value, `should be a whole number, ${least} or more`)];
  return [
    ...checkChoice("spec.rollout.mode", mode, ["Parallel", "OneByOne"]),
    ...count("maxConcurrent", maxConcurrent, 1),
    ...count("canary", canary, 0),
    ...checkChoice("spec.rollout.onFailure", onFailure, ["Stop", "Continue"]),
    ...(goOnDespite === undefined
      ? []
      : [forbidden("spec.rollout.goOnDespite", "names claims of one set; write it into that set's VolumeExpansion")]),
  ];
}

/** What would be silently without effect. */
function checkUseless(spec: ExpansionSourceSpec): FieldError[] {
  if (followsSets(spec)) return [];
  return (["recreatedBy", "rollout", "restartPods"] as const)
    .filter((field) => spec[field] !== undefined)
    .map((field) =>
      forbidden(`spec.${field}`, "is about StatefulSets; claims that are selected by label just grow, all at once"),
    );
}
