/** MutatingWebhookConfigurations and ValidatingWebhookConfigurations: upstream pkg/apis/admissionregistration/validation. */
import { duplicate, type FieldError, invalid, notSupported, required } from "../../../admission/verdict.ts";
import type { NamedExpression } from "../expressions/expression.ts";
import { expressions } from "../expressions/lazy-expressions.ts";
import { get, type JsonObject } from "../json.ts";
import type { Steps } from "../steps.ts";
import { checkSelector } from "../validation/checks.ts";
import { dnsLabel1035, dnsSubdomain } from "../validation/names.ts";
import { repeated } from "../validation/repeated.ts";
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
 * kinds, and for create and update alike: what was refused once is never stored. Each webhook is a step, and each of its conditions.
 */
export function* validateWebhookConfiguration(next: JsonObject): Steps<FieldError[]> {
  const webhooks = (get(next, "webhooks") ?? []) as unknown as readonly WebhookSpec[];
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  for (const [index, webhook] of webhooks.entries()) {
    const path = `webhooks[${index}]`;
    const again = webhook.name !== "" && seen.has(webhook.name);
    seen.add(webhook.name);
    errors.push(
      ...checkWebhook(webhook, path),
      ...(yield* checkConditions(webhook.matchConditions ?? [], `${path}.matchConditions`)),
      ...checkReviewVersions(webhook.admissionReviewVersions ?? [], `${path}.admissionReviewVersions`),
      ...(again ? [duplicate(`${path}.name`, webhook.name)] : []),
    );
    yield WEBHOOK_EFFORT;
  }
  return errors;
}

/** What it is to look at a webhook, as a step among others. */
const WEBHOOK_EFFORT = 2 ** 8;

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
  ];
}

/** The plugin `ready` has seen to it that CEL is loaded where there are any. */
function* checkConditions(conditions: readonly NamedExpression[], path: string): Steps<FieldError[]> {
  return conditions.length === 0 ? [] : yield* expressions.loaded().checkConditions(conditions, false, path);
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

function checkReviewVersions(versions: readonly string[], path: string): FieldError[] {
  if (versions.length === 0) return [required(path, `must specify one of ${REVIEW_VERSIONS.join(", ")}`)];
  const again = repeated(versions, (version) => version);
  const errors = versions.flatMap((version, index) => {
    if (again.has(index)) return [invalid(`${path}[${index}]`, version, "duplicate version")];
    return dnsLabel1035(version).map((message) => invalid(`${path}[${index}]`, version, message));
  });
  if (versions.some((version) => REVIEW_VERSIONS.includes(version))) return errors;
  return [...errors, invalid(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(", ")}`)];
}
