/** MutatingWebhookConfigurations and ValidatingWebhookConfigurations: upstream pkg/apis/admissionregistration/validation. */
import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from "../../../admission/verdict.ts";
import { get, type JsonObject } from "../json.ts";
import { checkSelector } from "../validation/checks.ts";
import { dnsSubdomain } from "../validation/names.ts";
import type { WebhookSpec } from "./hook.ts";
import { checkClientConfig } from "./validate-client.ts";
import { checkRule } from "./validate-rule.ts";

const REVIEW_VERSIONS = ["v1", "v1beta1"];
const FAILURE_POLICIES = ["Fail", "Ignore"];
const MATCH_POLICIES = ["Equivalent", "Exact"];
const SIDE_EFFECTS = ["None", "NoneOnDryRun"];
const REINVOCATION_POLICIES = ["IfNeeded", "Never"];

/**
 * Every error of a configuration that has its defaults, in Kubernetes' order; its metadata is looked at elsewhere. For both
 * kinds, and for create and update alike: what was refused once is never stored.
 */
export function validateWebhookConfiguration(next: JsonObject): FieldError[] {
  const webhooks = (get(next, "webhooks") ?? []) as unknown as readonly WebhookSpec[];
  const seen = new Set<string>();
  return webhooks.flatMap((webhook, index) => {
    const path = `webhooks[${index}]`;
    const again = webhook.name !== "" && seen.has(webhook.name);
    seen.add(webhook.name);
    return [
      ...checkWebhook(webhook, path),
      ...checkReviewVersions(webhook.admissionReviewVersions ?? [], `${path}.admissionReviewVersions`),
      ...(again ? [duplicate(`${path}.name`, webhook.name)] : []),
    ];
  });
}

function checkWebhook(webhook: WebhookSpec, path: string): FieldError[] {
  const { sideEffects, timeoutSeconds: timeout } = webhook;
  return [
    ...checkQualifiedName(webhook.name, `${path}.name`),
    ...(webhook.rules ?? []).flatMap((rule, index) => checkRule(rule, `${path}.rules[${index}]`)),
    ...checkWord(webhook.failurePolicy, FAILURE_POLICIES, `${path}.failurePolicy`),
    ...checkWord(webhook.matchPolicy, MATCH_POLICIES, `${path}.matchPolicy`),
    ...(sideEffects === undefined || sideEffects === null
      ? [required(`${path}.sideEffects`, `must specify one of ${SIDE_EFFECTS.join(", ")}`)]
      : checkWord(sideEffects, SIDE_EFFECTS, `${path}.sideEffects`)),
    ...(timeout === undefined || (timeout >= 1 && timeout <= 30)
      ? []
      : [invalid(`${path}.timeoutSeconds`, timeout, "the timeout value must be between 1 and 30 seconds")]),
    ...checkSelector(webhook.namespaceSelector, `${path}.namespaceSelector`),
    ...checkSelector(webhook.objectSelector, `${path}.objectSelector`),
    ...checkWord(webhook.reinvocationPolicy, REINVOCATION_POLICIES, `${path}.reinvocationPolicy`),
    ...checkClientConfig(webhook.clientConfig, `${path}.clientConfig`),
    ...checkNoConditions(webhook.matchConditions ?? [], `${path}.matchConditions`),
  ];
}

/** Whether a webhook is called would depend on them, and guessing is wrong either way: better to say so at once. */
function checkNoConditions(conditions: readonly unknown[], path: string): FieldError[] {
  if (conditions.length === 0) return [];
  return [forbidden(path, "CEL is not evaluated by this API server; use rules, namespaceSelector and objectSelector")];
}

function checkWord(value: string | undefined, supported: readonly string[], path: string): FieldError[] {
  return value === undefined || supported.includes(value) ? [] : [notSupported(path, value, supported)];
}

function checkQualifiedName(name: string, path: string): FieldError[] {
  if (name === "") return [required(path)];
  const wrong = dnsSubdomain(name);
  if (wrong.length > 0) return [invalid(path, name, wrong.join(","))];
  if (name.split(".").length >= 3) return [];
  return [invalid(path, name, "should be a domain with at least three segments separated by dots")];
}

const DNS1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
const DNS1035_SHAPE = new RegExp(`^${DNS1035}$`);
const DNS1035_RULE =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and " +
  `end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '${DNS1035}')`;

function checkReviewVersions(versions: readonly string[], path: string): FieldError[] {
  if (versions.length === 0) return [required(path, `must specify one of ${REVIEW_VERSIONS.join(", ")}`)];
  const errors = versions.flatMap((version, index) => {
    if (versions.indexOf(version) < index) return [invalid(`${path}[${index}]`, version, "duplicate version")];
    return [
      ...(version.length > 63 ? ["must be no more than 63 characters"] : []),
      ...(DNS1035_SHAPE.test(version) ? [] : [DNS1035_RULE]),
    ].map((message) => invalid(`${path}[${index}]`, version, message));
  });
  if (versions.some((version) => REVIEW_VERSIONS.includes(version))) return errors;
  return [...errors, invalid(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(", ")}`)];
}
