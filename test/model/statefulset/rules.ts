/** The rules under test: the very functions of src/statefulset/decide. A mutant replaces one of them. */
import { planClaims } from "../../../src/statefulset/decide/plan-claims.ts";
import { recreateStep } from "../../../src/statefulset/decide/recreate-step.ts";
import { restartStep } from "../../../src/statefulset/decide/restart-step.ts";
import { rolloutStep } from "../../../src/statefulset/decide/rollout.ts";
import { templateWay } from "../../../src/statefulset/decide/template-way.ts";

export interface StatefulSetRules {
  readonly planClaims: typeof planClaims;
  readonly rolloutStep: typeof rolloutStep;
  readonly restartStep: typeof restartStep;
  readonly templateWay: typeof templateWay;
  readonly recreateStep: typeof recreateStep;
}

export const RULES: StatefulSetRules = { planClaims, rolloutStep, restartStep, templateWay, recreateStep };
