/** What MutatingAdmissionPolicies make of a request (upstream policy/{generic/policy_dispatcher,mutating/dispatcher}.go). */
import { messageOf } from "../../../core/errors.ts";
import type { WriteAdmission } from "../admission/plugin.ts";
import { type Course, createReinvocations } from "../admission/reinvocation.ts";
import type { Resource } from "../catalog/resource.ts";
import { meetsConditions } from "../expressions/conditions.ts";
import { namespaceOf, sceneOf } from "../expressions/scene.ts";
import { isObject, type Json, type JsonObject, jsonEqual } from "../json.ts";
import { groupVersionOf, type Kind } from "../kinds/kind.ts";
import { textOf } from "../lifecycle/metadata.ts";
import { kindType } from "../schema/schema.ts";
import { badRequest } from "../status-error.ts";
import { isNamespace, matchRequest } from "../webhooks/match.ts";
import { internal } from "../webhooks/refusal.ts";
import { inVersion } from "../webhooks/review.ts";
import { compiledPolicy } from "./compile-policy.ts";
import type { Judging } from "./judge.ts";
import { MutationFailed, mutated } from "./mutation.ts";
import { Misconfigured, paramResource, paramsFor } from "./params.ts";
import type { Binding, BoundPolicy, Policy } from "./policy.ts";
import { type Denial, deniedByMutation } from "./refusal.ts";

export interface Changing extends Judging {
  /** An object in the form of its kind. Throws an error that says why it cannot be one. */
  readonly decode: (resource: Resource, object: JsonObject) => JsonObject;
  /** The object with its defaults. */
  readonly complete: (resource: Resource, object: JsonObject) => JsonObject;
}

/** A policy to be carried out, with one of its bindings and one of its params. */
interface Invocation {
  readonly id: string;
  readonly policy: Policy;
  readonly binding: Binding;
  readonly kind: Kind;
  readonly params: JsonObject | undefined;
}

/** Throws `StatusError`. */
export function beginChange(policies: readonly BoundPolicy[], changing: Changing): Course {
  const again = createReinvocations();
  let left: JsonObject | undefined;
  return (request, round) => {
    const denials: Denial[] = [];
    let { object } = request;
    if (round === "second" && object !== left) again.objectChanged();
    for (const invocation of invocationsFor(policies, request, changing, denials)) {
      const wanted = round === "first" || again.wanted(invocation.id);
      const changed = carryOut(invocation, { ...request, object }, wanted, changing, denials);
      if (changed === undefined) continue;
      if (changed !== object) again.objectChanged();
      object = changed;
      if (invocation.policy.spec.reinvocationPolicy === "IfNeeded") again.called(invocation.id);
    }
    const [first, ...more] = denials;
    if (first !== undefined) throw deniedByMutation(request, [first, ...more]);
    left = object;
    return object;
  };
}

/** All that the request as it comes in is for. */
function invocationsFor(
  policies: readonly BoundPolicy[],
  request: WriteAdmission,
  changing: Changing,
  denials: Denial[],
): readonly Invocation[] {
  const denied = (policy: Policy, binding: Binding | undefined, error: Misconfigured): void => {
    if (policy.failsOpen) return;
    const what = binding === undefined ? "policy" : "binding";
    const message = `failed to configure ${what}: ${error.message}`;
    denials.push({ policy: policy.name, binding: binding?.name, message, reason: "" });
  };
  return policies.flatMap(({ policy, bindings }) => {
    const kind = matchRequest(policy.match, request, changing);
    if (kind === undefined) return [];
    const resource = orMisconfigured(() => ({ found: paramResource(policy, changing) }));
    if (resource instanceof Misconfigured) {
      denied(policy, undefined, resource);
      return [];
    }
    return bindings.flatMap((binding) => {
      if (binding.match !== undefined && matchRequest(binding.match, request, changing) === undefined) return [];
      const params = orMisconfigured(() => paramsFor(resource.found, binding, request.namespace, changing));
      if (!(params instanceof Misconfigured)) {
        return params.map((each) => ({ id: idOf(policy, binding, each), policy, binding, kind, params: each }));
      }
      denied(policy, binding, params);
      return [];
    });
  });
}

function orMisconfigured<T>(act: () => T): T | Misconfigured {
  try {
    return act();
  } catch (error) {
    if (error instanceof Misconfigured) return error;
    throw error;
  }
}

function idOf({ name }: Policy, binding: Binding, params: JsonObject | undefined): string {
  const param = params === undefined ? "" : `${textOf(params, "namespace")}/${textOf(params, "name")}`;
  return `${name} ${binding.name} ${param}`;
}

/**
 * The object as the policy has it, the given one when nothing changed; undefined when it was not to be called after all. What
 * fails is noted as its failurePolicy says, and the next mutation has its turn.
 */
function carryOut(
  { policy, binding, kind, params }: Invocation,
  request: WriteAdmission,
  wanted: boolean,
  changing: Changing,
  denials: Denial[],
): JsonObject | undefined {
  const { variables, conditions, mutations } = compiledPolicy(policy);
  const failed = (message: string): void => {
    if (!policy.failsOpen) denials.push({ policy: policy.name, binding: binding.name, message, reason: "Invalid" });
  };
  const scene = { ...sceneOf(request, kind, changing), namespace: namespaceOf(request, changing), params };
  const verdict = meetsConditions(conditions, scene, variables);
  if (verdict.kind === "failed") failed(verdict.message);
  if (verdict.kind !== "met" || !wanted) return undefined;
  let { object } = request;
  for (const mutation of mutations) {
    try {
      const shown = inVersion(object, request.resource.kind, kind);
      object = changed({ ...request, object }, kind, changing, (type) =>
        mutated(mutation, shown, type, { ...scene, object: shown }, variables),
      );
      changing.metrics.mutated(policy.name, binding.name);
    } catch (error) {
      changing.metrics.mutated(policy.name, binding.name, messageOf(error));
      if (!(error instanceof MutationFailed)) throw error;
      failed(error.message);
    }
  }
  return object;
}

/** The object with a mutation made: read as if it had been sent, with its defaults; the given one when that is the same. */
function changed(
  { object, resource, subresource, namespace }: WriteAdmission,
  kind: Kind,
  { catalog, decode, complete }: Changing,
  mutate: (type: NonNullable<ReturnType<typeof kindType>>) => Json,
): JsonObject {
  const speaks = resource.kind.subresources.find((each) => each.name === subresource)?.speaks;
  // A Scale or an Eviction is no object of the resource: it has no defaults.
  if (speaks !== undefined) {
    const made = mutate(kindType(groupVersionOf(speaks), speaks.kind) ?? "any");
    return isObject(made) && !jsonEqual(object, made) ? made : object;
  }
  const matched = catalog.find(kind.group, kind.version, kind.plural) ?? resource;
  const made = mutate(matched.custom?.type ?? kindType(groupVersionOf(kind), kind.kind) ?? "any");
  if (!isObject(made)) throw internal("the mutation leaves no object");
  if (!isNamespace(resource.kind) && textOf(made, "namespace") !== (namespace ?? "")) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  try {
    const decoded = decode(matched, made);
    const completed = complete(resource, inVersion(decoded, kind, resource.kind));
    return jsonEqual(object, completed) ? object : completed;
  } catch (error) {
    throw internal(messageOf(error));
  }
}
