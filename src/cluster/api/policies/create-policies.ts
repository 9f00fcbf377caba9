/**
 * Admission policies: rules in CEL that the server itself carries out. MutatingAdmissionPolicies change what is to be stored,
 * ValidatingAdmissionPolicies refuse it.
 */
import type { AdmissionPlugin, AdmissionRequest } from "../admission/plugin.ts";
import type { Course, Reinvocable } from "../admission/reinvocation.ts";
import { REVIEW_KINDS } from "../auth/review-kinds.ts";
import type { Kind } from "../kinds/kind.ts";
import { paramAccess } from "./authorize.ts";
import type { Changing } from "./change.ts";
import { engine } from "./lazy-engine.ts";
import { type BoundPolicy, POLICY_GROUP } from "./policy.ts";
import { createPolicyList } from "./policy-list.ts";
import type { Compiling } from "./when-compiled.ts";

export type PolicyOptions = Changing & Compiling;

export interface Policies {
  readonly mutating: Reinvocable;
  readonly validating: AdmissionPlugin;
  /** Whether who writes a policy or a binding may read its params. */
  readonly params: AdmissionPlugin;
  /** To come before all that look at policies and bindings themselves, when one is written. */
  readonly ready: AdmissionPlugin;
}

export function createPolicies(options: PolicyOptions): Policies {
  const mutating = createPolicyList(options.objects, "Mutating");
  const validating = createPolicyList(options.objects, "Validating");
  const policiesFor = (list: () => readonly BoundPolicy[], { resource }: AdmissionRequest): readonly BoundPolicy[] =>
    isExempt(resource.kind) ? [] : list();

  return {
    mutating: {
      begin(request) {
        const policies = policiesFor(mutating, request);
        if (policies.length === 0) return undefined;
        let course: Course | undefined;
        return (now, round) =>
          engine.use(({ beginChange, whenCompiled }) =>
            whenCompiled(policies, now, options, () => {
              course ??= beginChange(policies, options);
              return course(now, round);
            }),
          );
      },
    },
    validating: {
      name: "ValidatingAdmissionPolicy",
      validate(request) {
        const policies = policiesFor(validating, request);
        if (policies.length === 0) return;
        return engine.use(({ judge, whenCompiled }) =>
          whenCompiled(policies, request, options, () => judge(policies, request, options)),
        );
      },
    },
    params: paramAccess(options),
    ready: {
      name: "PolicyEngine",
      mutate: ({ resource, object }) => (isPolicy(resource.kind) ? engine.use(() => object) : object),
    },
  };
}

const POLICY = /^(?:Mutating|Validating)AdmissionPolicy(?:Binding)?$/;

function isPolicy({ group, kind }: Kind): boolean {
  return group === POLICY_GROUP && POLICY.test(kind);
}

const REVIEW_GROUPS: ReadonlySet<string> = new Set(REVIEW_KINDS.map(({ group }) => group));

/** No policy counts for policies: a wrong one could not be taken away again. Nor for questions, which change nothing. */
function isExempt(kind: Kind): boolean {
  return isPolicy(kind) || REVIEW_GROUPS.has(kind.group);
}
