/**
 * The condition `Ready` of a source itself: whether it is followed and, if not, what somebody has to do about it.
 *
 * | what is the case                                              | status  | reason        |
 * |---------------------------------------------------------------|---------|---------------|
 * | `checkSource` finds something wrong                           | False   | Invalid       |
 * | nobody has looked yet                                         | Unknown | Starting      |
 * | the API server has no such kind, or not in namespaces         | False   | KindNotServed |
 * | a right is missing                                            | False   | Forbidden     |
 * | some of its sets follow another source                        | False   | ClaimedTwice  |
 * | sizes are followed, but the condition cannot be reported      | False   | NotReported   |
 * | none of this                                                  | True    | Followed      |
 *
 * The first that applies is told. Messages have no counts and no times, so that the status is not written over and over. A controller
 * that is limited to namespaces speaks for those alone (shared-status.ts).
 */
import { aggregate, type FieldError, fieldErrorText } from "../../admission/verdict.ts";
import { toTimestamp } from "../../core/clock.ts";
import { semanticallyEqual } from "../../core/semantic-equal.ts";
import type { ExpansionSource, ExpansionSourceStatus } from "../types.ts";
import { type Conflict, conflictText } from "./claimed-twice.ts";
import { sumOf, type Verdict, verdictOf, withShares } from "./shared-status.ts";

/** A rule of a role (rbac.authorization.k8s.io/v1). */
interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

export interface SourceFacts {
  /** What `checkSource` found. */
  readonly errors: readonly FieldError[];
  /** Whether the API server has the kind; undefined as long as nobody knows. */
  readonly served: boolean | undefined;
  /** Those of `rulesForSource` that the API server said we do not have. */
  readonly missingRules: readonly Rule[];
  /** Those of `conflictsBetween` in which this source is refused. */
  readonly conflicts: readonly Conflict[];
  /** Why the condition cannot be reported, in a sentence: no status subresource, a schema without conditions. */
  readonly notReported: string | undefined;
  /** How many resources follow it now. */
  readonly resources: number;
  /** Where the controller is limited to namespaces: how many in each of them. Undefined: it looks at all. */
  readonly byNamespace?: ReadonlyMap<string, number> | undefined;
}

const READY = "Ready";

/**
 * The source with its status as it should be; the very same object when nothing would differ. The transition time moves only when
 * the status of the condition does.
 */
export function withReady(source: ExpansionSource, facts: SourceFacts, now: number): ExpansionSource {
  const others = (source.status?.conditions ?? []).filter(({ type }) => type !== READY);
  const old = source.status?.conditions?.find(({ type }) => type === READY);
  const { namespaces: before, ...rest } = source.status ?? {};
  const verdict = readyOf(source, facts);
  const shares = facts.byNamespace && withShares(before, verdict, facts.byNamespace);
  const { status, ...words } = shares === undefined ? verdict : verdictOf(shares);
  const since = (old?.status === status ? old.lastTransitionTime : undefined) ?? toTimestamp(now);
  const { generation } = source.metadata;
  const next: ExpansionSourceStatus = {
    ...rest,
    ...(generation !== undefined && { observedGeneration: generation }),
    resources: shares === undefined ? facts.resources : sumOf(shares),
    ...(shares !== undefined && { namespaces: shares }),
    conditions: [...others, { type: READY, status, ...words, lastTransitionTime: since }],
  };
  return semanticallyEqual(source.status, next) ? source : { ...source, status: next };
}

function readyOf(source: ExpansionSource, facts: SourceFacts): Verdict {
  const { errors, served, missingRules, conflicts, notReported } = facts;
  const { group, version, kind } = source.spec.resource;
  const no = (reason: string, message: string) => ({ status: "False", reason, message });
  if (errors.length > 0)
    return no("Invalid", `${aggregate(errors.map(fieldErrorText))}; nothing is followed until then`);
  if (served === undefined) return { status: "Unknown", reason: "Starting", message: `looking for ${kind}` };
  if (!served) {
    const way = "install its operator, or correct spec.resource; it is found by itself then";
    return no("KindNotServed", `the API server has no namespaced ${kind} in ${group}/${version}; ${way}`);
  }
  if (missingRules.length > 0) return no("Forbidden", forbiddenText(source, missingRules));
  if (conflicts.length > 0) return no("ClaimedTwice", conflictsText(conflicts));
  if (notReported !== undefined) return no("NotReported", `sizes are followed, but not reported: ${notReported}`);
  return { status: "True", reason: "Followed", message: `sizes of ${kind} are followed` };
}

/** What is missing, as a text that can be pasted into a role. */
function forbiddenText({ metadata, spec }: ExpansionSource, missing: readonly Rule[]): string {
  const verbs = missing.flatMap(({ resources, verbs }) => `${verbs.join(", ")} ${resources.join(", ")}`);
  const role = `kubectl get xs ${metadata.name} -o yaml | outgrow sources enable -f -`;
  return `the controller may not ${verbs.join(" and ")} of ${spec.resource.group}; ${role} gives it a role with rules: ${rulesText(missing)}`;
}

/** Rules on one line of YAML, to be pasted after `rules:` of a role. */
function rulesText(rules: readonly Rule[]): string {
  const list = (words: readonly string[]) => `[${words.map((word) => JSON.stringify(word)).join(", ")}]`;
  const texts = rules.map(
    ({ apiGroups, resources, verbs }) =>
      `{apiGroups: ${list(apiGroups)}, resources: ${list(resources)}, verbs: ${list(verbs)}}`,
  );
  return `[${texts.join(", ")}]`;
}

function conflictsText(conflicts: readonly Conflict[]): string {
  const [first = "", ...others] = conflicts.map(conflictText);
  const rest = others.length === 0 ? "" : "; there are others";
  return `${first}${rest}; delete one of the sources, or let them name different sets`;
}
