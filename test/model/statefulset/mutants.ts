/**
 * Rules that are wrong on purpose. A checker that cannot fail proves nothing: each of these must be caught. Most are
 * mistakes that others have shipped; the rest take away one of our own safeguards.
 */
import type { Pod, StatefulSet } from "../../../src/core/types.ts";
import type { ClaimPlan } from "../../../src/statefulset/decide/plan-claims.ts";
import type { RecreateFacts, RecreateStep } from "../../../src/statefulset/decide/recreate-step.ts";
import { suspendPolicy } from "../../../src/statefulset/decide/retention-policy.ts";
import { RECREATE_FINALIZER, withFinalizer, withoutFinalizer } from "../../../src/statefulset/decide/saved-set.ts";
import { RULES, type StatefulSetRules } from "./rules.ts";

export interface StatefulSetMutant {
  readonly name: string;
  readonly description: string;
  /** Where the shortest story of how it is noticed begins. */
  readonly scene: string;
  readonly rules: StatefulSetRules;
}

/** The step that the right rule takes, exchanged for a wrong one. */
function stepping(change: (step: RecreateStep, facts: RecreateFacts) => RecreateStep): StatefulSetRules {
  return { ...RULES, recreateStep: (facts) => change(RULES.recreateStep(facts), facts) };
}

/** The right rule, misled about what there is. */
function seeing(change: (facts: RecreateFacts) => RecreateFacts): StatefulSetRules {
  return { ...RULES, recreateStep: (facts) => RULES.recreateStep(change(facts)) };
}

function planning(change: (plan: ClaimPlan) => ClaimPlan): StatefulSetRules {
  return { ...RULES, planClaims: (facts) => RULES.planClaims(facts).map(change) };
}

const NO_DEPENDENTS = { claims: [], pods: [], revisions: [] } as const;

function isGoing(set: StatefulSet | undefined): boolean {
  return set?.metadata.deletionTimestamp !== undefined;
}

function asObserved(set: StatefulSet): StatefulSet {
  return { ...set, status: { ...set.status, observedGeneration: set.metadata.generation ?? 0 } };
}

function asRunning(pod: Pod): Pod {
  const { deletionTimestamp: _, finalizers: __, ...metadata } = pod.metadata;
  return { ...pod, metadata };
}

function deleting({ set }: RecreateFacts): RecreateStep {
  const { uid = "", resourceVersion = "" } = set?.metadata ?? {};
  return { kind: "delete", propagationPolicy: "Orphan", preconditions: { uid, resourceVersion } };
}

export const STATEFULSET_MUTANTS: readonly StatefulSetMutant[] = [
  {
    name: "policy-left-unsafe",
    description: "the set is deleted without making its retention policy safe first",
    scene: "whenDeleted",
    rules: {
      ...RULES,
      recreateStep: (facts) => {
        const { set, record } = facts;
        if (set === undefined || isGoing(set)) return RULES.recreateStep(facts);
        const saved = record.saved && suspendPolicy(record.saved);
        const step = RULES.recreateStep({
          ...facts,
          set: suspendPolicy(set),
          record: { ...record, saved },
          claims: [],
        });
        return step.kind === "save" ? { ...step, set } : step;
      },
    },
  },
  {
    name: "policy-not-observed",
    description: "the set is deleted before the StatefulSet controller has seen that the policy is safe",
    scene: "retain",
    rules: {
      ...RULES,
      templateWay: (facts) => RULES.templateWay({ ...facts, set: asObserved(facts.set) }),
    },
  },
  {
    name: "delete-before-save",
    description: "the set is deleted before it is saved in the journal",
    scene: "retain",
    rules: stepping((step, facts) => (step.kind === "save" && !isGoing(facts.set) ? deleting(facts) : step)),
  },
  {
    name: "journal-cleared-early",
    description: "the journal is cleared when the set is gone, before it is created again",
    scene: "retain",
    rules: stepping((step) => (step.kind === "create" ? { kind: "clear", reason: "the set is gone" } : step)),
  },
  {
    name: "journal-unguarded",
    description: "the record that holds the journal can be deleted at any time",
    scene: "retain",
    rules: seeing((facts) => ({ ...facts, record: { ...facts.record, guarded: facts.set !== undefined } })),
  },
  {
    name: "older-replicas",
    description: "what changes while the set is going is not saved, so it comes back with an older number of replicas",
    scene: "retain",
    rules: stepping((step, { set }) => {
      if (step.kind !== "save" || set === undefined || !isGoing(set)) return step;
      return { kind: "release", before: set, after: { ...set, metadata: { ...set.metadata, finalizers: [] } } };
    }),
  },
  {
    name: "no-finalizer",
    description: "nothing holds the set while it goes, so that nobody can look again",
    scene: "retain",
    rules: {
      ...RULES,
      recreateStep: (facts) => {
        const { set, way } = facts;
        const isHeld = set !== undefined && way?.kind === "re-create";
        const step = RULES.recreateStep(isHeld ? { ...facts, set: withFinalizer(set, RECREATE_FINALIZER) } : facts);
        if (step.kind !== "create") return step;
        return { ...step, object: withoutFinalizer(step.object, RECREATE_FINALIZER) };
      },
    },
  },
  {
    name: "delete-unconditionally",
    description: "the set is deleted whatever it has become since the decision",
    scene: "retain",
    rules: stepping((step) =>
      step.kind === "delete" ? { ...step, preconditions: {} as typeof step.preconditions } : step,
    ),
  },
  {
    name: "background-deletion",
    description: "the set is deleted with its dependents, and nobody looks whether they still refer to it",
    scene: "retain",
    rules: {
      ...RULES,
      recreateStep: (facts) => {
        const step = RULES.recreateStep(isGoing(facts.set) ? { ...facts, ...NO_DEPENDENTS } : facts);
        return step.kind === "delete" ? { ...step, propagationPolicy: "Background" as "Orphan" } : step;
      },
    },
  },
  {
    name: "collector-trusted",
    description: "nobody looks for references that the garbage collector did not see",
    scene: "retain",
    rules: seeing((facts) => (isGoing(facts.set) ? { ...facts, ...NO_DEPENDENTS } : facts)),
  },
  {
    name: "policy-back-early",
    description: "the retention policy comes back before the new set has adopted its pods",
    scene: "whenScaled",
    rules: seeing((facts) => (facts.way?.kind === "re-create" || isGoing(facts.set) ? facts : { ...facts, pods: [] })),
  },
  {
    name: "policy-never-back",
    description: "the retention policy stays suspended",
    scene: "retain",
    rules: stepping((step) => (step.kind === "restore" ? { kind: "nothing" } : step)),
  },
  {
    name: "rollout-ignored",
    description: "the set is re-created in the middle of an update of its pods",
    scene: "retain",
    rules: {
      ...RULES,
      templateWay: (facts) => {
        const way = RULES.templateWay(facts);
        const isOnlyRollout = way.kind === "wait" && way.holds.every(({ id }) => id === "rollout");
        return isOnlyRollout ? { kind: "re-create", sizes: way.sizes } : way;
      },
    },
  },
  {
    name: "restart-ignored",
    description: "the set is re-created in the middle of a restart of its pods",
    scene: "restarts",
    rules: {
      ...RULES,
      templateWay: (facts) => RULES.templateWay({ ...facts, restarting: false, pods: facts.pods.map(asRunning) }),
    },
  },
  {
    name: "restart-in-between",
    description: "a pod is restarted in the middle of a re-creation of its set",
    scene: "restarts",
    rules: {
      ...RULES,
      restartStep: (facts) => RULES.restartStep({ ...facts, set: withoutFinalizer(facts.set, RECREATE_FINALIZER) }),
    },
  },
  {
    name: "any-set-will-do",
    description: "a set that somebody else creates in the gap is taken for ours, whatever its template says",
    scene: "retain",
    rules: stepping((step) => (step.kind === "hand-on-wish" ? { kind: "clear", reason: "the set is there" } : step)),
  },
  {
    name: "operator-trusted",
    description: "a set that its operator is to create again is waited for, for ever",
    scene: "operator",
    rules: stepping((step, { recreatedBy }) =>
      step.kind === "create" && recreatedBy === "Operator" ? { kind: "nothing" } : step,
    ),
  },
  {
    name: "operators-set-will-do",
    description: "what a custom resource wants is forgotten when its operator has created the set again",
    scene: "retain",
    rules: {
      ...RULES,
      templateWay: (facts) =>
        facts.set.metadata.uid !== "set-1" && facts.set.metadata.finalizers?.length === 0
          ? { kind: "up-to-date" }
          : RULES.templateWay(facts),
    },
  },
  {
    name: "template-stands-for-claims",
    description: "claims are only looked at while the template differs from the wish",
    scene: "edits",
    rules: {
      ...RULES,
      planClaims: (facts) =>
        facts.desired.every(({ size, templateSize }) => size.equals(templateSize)) ? [] : RULES.planClaims(facts),
    },
  },
  {
    name: "waits-for-ready-pods",
    description: "claims grow only while all pods are ready, which they are not on a full disk",
    scene: "full disks",
    rules: {
      ...RULES,
      planClaims: (facts) =>
        facts.set.status?.readyReplicas === facts.set.spec.replicas ? RULES.planClaims(facts) : [],
    },
  },
  {
    name: "lowered-while-growing",
    description: "a claim that asks for more than is wanted is lowered while that may still succeed",
    scene: "edits",
    rules: planning((plan) =>
      plan.kind === "waiting" && plan.from.moreThan(plan.to) ? { ...plan, kind: "recover" } : plan,
    ),
  },
  {
    name: "larger-claims-lowered",
    description: "a claim that is larger than wanted is made smaller",
    scene: "second thoughts",
    rules: planning((plan) => (plan.kind === "leave" && plan.inRange ? { ...plan, kind: "recover" } : plan)),
  },
];
