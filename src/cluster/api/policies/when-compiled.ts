/** Policies are compiled when a request first comes to them. A large one leaves room for others meanwhile. */
import type { AdmissionRequest } from "../admission/plugin.ts";
import { type Matching, matchRequest } from "../webhooks/match.ts";
import { compilePolicy, isCompiled } from "./compile-policy.ts";
import type { BoundPolicy } from "./policy.ts";

export interface Compiling extends Matching {
  /** Lets others have their turn. */
  readonly turn: () => Promise<void>;
}

/** Does it when all policies that the request comes to are compiled: at once where they are, or are small. */
export function whenCompiled<T>(
  policies: readonly BoundPolicy[],
  request: AdmissionRequest,
  compiling: Compiling,
  act: () => T | Promise<T>,
): T | Promise<T> {
  const waiting = policies.flatMap(({ policy }) => {
    if (isCompiled(policy) || matchRequest(policy.match, request, compiling) === undefined) return [];
    return compilePolicy(policy, compiling.turn) ?? [];
  });
  return waiting.length === 0 ? act() : Promise.all(waiting).then(act);
}
