/** What may be said of the requests that a policy or a binding is for (upstream validateMatchResources). */
import { duplicate, type FieldError, invalid, notSupported } from "../../../admission/verdict.ts";
import { checkSelector } from "../validation/checks.ts";
import { pathSegment } from "../validation/names.ts";
import { repeated } from "../validation/repeated.ts";
import type { HookRule } from "../webhooks/hook.ts";
import { checkRule } from "../webhooks/validate-rule.ts";
import type { MatchResources } from "./policy.ts";

const MATCH_POLICIES = ["Equivalent", "Exact"];
/** A deletion has nothing to change. */
const MUTATING_OPERATIONS = ["*", "CONNECT", "CREATE", "UPDATE"];

/** It has its defaults. */
export function checkMatch(match: MatchResources | undefined, path: string): FieldError[] {
  if (match === undefined) return [];
  const { matchPolicy = "" } = match;
  const rules = (name: "resourceRules" | "excludeResourceRules"): FieldError[] =>
    (match[name] ?? []).flatMap((rule, index) => checkNamedRule(rule, `${path}.${name}[${index}]`));
  return [
    ...(MATCH_POLICIES.includes(matchPolicy) ? [] : [notSupported(`${path}.matchPolicy`, matchPolicy, MATCH_POLICIES)]),
    ...checkSelector(match.namespaceSelector, `${path}.namespaceSelector`),
    ...checkSelector(match.objectSelector, `${path}.objectSelector`),
    ...rules("resourceRules"),
    ...rules("excludeResourceRules"),
  ];
}

function checkNamedRule(rule: HookRule, path: string): FieldError[] {
  const names = rule.resourceNames ?? [];
  const again = repeated(names, (name) => name);
  const errors = names.flatMap((name, index) => {
    const at = `${path}.resourceNames[${index}]`;
    return [
      ...pathSegment(name).map((message) => invalid(at, name, message)),
      ...(again.has(index) ? [duplicate(at, name)] : []),
    ];
  });
  return [...errors, ...checkRule(rule, path)];
}

/** For a mutating policy or its binding, behind all else that is wrong with the match. */
export function checkMutatingOperations(match: MatchResources | undefined, path: string): FieldError[] {
  return (match?.resourceRules ?? []).flatMap(({ operations = [] }) =>
    operations
      .filter((operation) => !MUTATING_OPERATIONS.includes(operation))
      .map((operation) => notSupported(`${path}.resourceRules.operations`, operation, MUTATING_OPERATIONS)),
  );
}
