/**
 * Whether some rules give all that others give (upstream component-helpers auth/rbac/validation/policy_comparator.go). Rules
 * are taken apart down to one verb, resource and name; each such part must be covered by one rule.
 */
import { goQuoteList } from "./go-quote.ts";
import { isUnder, type Rule } from "./rbac.ts";

/** The parts of `wanted` that no rule of `held` covers. Empty: all of it is held. */
export function uncovered(held: readonly Rule[], wanted: readonly Rule[]): Rule[] {
  return wanted.flatMap(partsOf).filter((part) => !held.some((rule) => covers(rule, part)));
}

function partsOf({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: Rule): Rule[] {
  const names = resourceNames.length === 0 ? [undefined] : resourceNames;
  const ofResources = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) =>
        names.map((name) => ({
          verbs: [verb],
          apiGroups: [group],
          resources: [resource],
          ...(name === undefined ? {} : { resourceNames: [name] }),
        })),
      ),
    ),
  );
  const ofPaths = nonResourceURLs.flatMap((url) => verbs.map((verb) => ({ verbs: [verb], nonResourceURLs: [url] })));
  return [...ofResources, ...ofPaths];
}

function covers(rule: Rule, part: Rule): boolean {
  return (
    hasAll(rule.verbs, part.verbs) &&
    hasAll(rule.apiGroups, part.apiGroups) &&
    (part.resources ?? []).every((resource) => coversResource(rule.resources ?? [], resource)) &&
    coversNames(rule.resourceNames ?? [], part.resourceNames ?? []) &&
    (part.nonResourceURLs ?? []).every((path) =>
      (rule.nonResourceURLs ?? []).some((url) => url === path || isUnder(url, path)),
    )
  );
}

function hasAll(held: readonly string[] = [], wanted: readonly string[] = []): boolean {
  return held.includes("*") || wanted.every((each) => held.includes(each));
}

function coversResource(held: readonly string[], resource: string): boolean {
  if (held.includes("*") || held.includes(resource)) return true;
  const slash = resource.indexOf("/");
  return slash !== -1 && held.includes(`*${resource.slice(slash)}`);
}

/** A rule for all names covers one for some, never the other way round. */
function coversNames(held: readonly string[], wanted: readonly string[]): boolean {
  if (held.length === 0) return true;
  return wanted.length > 0 && wanted.every((name) => held.includes(name));
}

/** The parts as upstream shows them: verbs of one resource together, one rule per line, sorted. */
export function describeRules(parts: readonly Rule[]): string {
  return [...new Set(compact(parts).map(ruleText))].toSorted().join("\n");
}

function compact(parts: readonly Rule[]): Rule[] {
  const byResource = new Map<string, Rule>();
  const others: Rule[] = [];
  for (const part of parts) {
    if (part.nonResourceURLs !== undefined) {
      others.push(part);
      continue;
    }
    const key = JSON.stringify([part.apiGroups, part.resources, part.resourceNames]);
    const known = byResource.get(key);
    byResource.set(key, known === undefined ? part : { ...known, verbs: [...known.verbs, ...part.verbs] });
  }
  return [...others, ...byResource.values()];
}

function ruleText({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: Rule): string {
  const fields = [
    ["APIGroups", apiGroups],
    ["Resources", resources],
    ["NonResourceURLs", nonResourceURLs],
    ["ResourceNames", resourceNames],
    ["Verbs", verbs],
  ] as const;
  const shown = fields.flatMap(([name, values = []]) =>
    values.length === 0 ? [] : [`${name}:${goQuoteList(values)}`],
  );
  return `{${shown.join(", ")}}`;
}
