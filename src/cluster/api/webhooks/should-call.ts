/** Whether a webhook is called for a request: its rules and selectors name it, and its conditions are met. */
import type { AdmissionRequest } from "../admission/plugin.ts";
import { forbid } from "../admission/request.ts";
import type { Authorizer } from "../auth/authorizer.ts";
import type { Expression } from "../expressions/expression.ts";
import { expressions } from "../expressions/lazy-expressions.ts";
import type { Kind } from "../kinds/kind.ts";
import type { Hook } from "./hook.ts";
import { type Matching, matchRequest } from "./match.ts";

export interface Calling extends Matching {
  readonly authorizer: Authorizer;
}

/** Compiled once per version of what they stand in. */
const known = new WeakMap<Hook["conditions"], readonly Expression[]>();

/**
 * The kind in whose version it wants to see the request; undefined when it is not to be called. Throws, or rejects with, 404 when
 * a selector asks for a namespace that is not there, and 403 when nobody knows whether conditions are met and its failurePolicy
 * says so.
 */
export function shouldCall(
  hook: Hook,
  request: AdmissionRequest,
  calling: Calling,
): Kind | undefined | Promise<Kind | undefined> {
  const kind = matchRequest(hook, request, calling);
  const { conditions } = hook;
  if (kind === undefined || conditions.length === 0) return kind;
  return expressions.use(({ compileConditions, meetsConditions, sceneOf }) => {
    const compiled = known.get(conditions) ?? compileConditions(conditions);
    known.set(conditions, compiled);
    const verdict = meetsConditions(compiled, sceneOf(request, kind, calling));
    if (verdict.kind === "failed" && !hook.failsOpen) throw forbid(request, verdict.message);
    return verdict.kind === "met" ? kind : undefined;
  });
}
