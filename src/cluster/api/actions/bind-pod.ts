/** POST pods/NAME/binding, or bindings: a scheduler has chosen a node for a pod (upstream registry/core/pod/storage BindingREST). */
import { aggregate, type FieldError, fieldErrorText, notSupported, required } from "../../../admission/verdict.ts";
import { rowOf } from "../admission/lookup.ts";
import type { ApiContext } from "../handlers/context.ts";
import type { Action } from "../handlers/dispatch.ts";
import { get, type JsonObject } from "../json.ts";
import { metadataOf, textOf } from "../lifecycle/metadata.ts";
import { checkPreconditions } from "../lifecycle/update.ts";
import { rewrite } from "../objects/rewrite.ts";
import { badRequest, internalError, StatusError } from "../status-error.ts";
import { DONE, readActionBody } from "./body.ts";
import { objectAt, withCondition } from "./pod-condition.ts";

export const bindPod: Action = async (context, target, caller, body) => {
  const { object: binding, options } = readActionBody("v1", "Binding", caller, body);
  // The older endpoint is that of bindings themselves, which are named as their pods are.
  const name = target.name ?? textOf(binding, "name");
  if (textOf(binding, "name") !== name) throw badRequest("name in URL does not match name in Binding object");
  const wrong = errorsOf(binding);
  if (wrong.length > 0) throw internalError(aggregate(wrong.map(fieldErrorText)));
  const kind = rowOf(context.catalog, { apiVersion: "v1", kind: "Pod" });
  const assign = (pod: JsonObject): JsonObject => {
    checkPreconditions(kind, pod, { metadata: preconditions(binding) });
    return assigned(context, pod, binding);
  };
  if (options.dryRun) assign(context.objects.get(kind, target.namespace, name));
  else await rewrite(context.objects, kind, target.namespace, name, assign);
  return { code: 201, object: DONE };
};

function errorsOf(binding: JsonObject): FieldError[] {
  const target = objectAt(binding, "target");
  const kind = get(target, "kind") ?? "";
  return [
    ...(kind === "" || kind === "Node" ? [] : [notSupported("target.kind", kind, ["Node", "<empty>"])]),
    ...((get(target, "name") ?? "") === "" ? [required("target.name")] : []),
  ];
}

/** A binding that names a uid or a version means that pod and no other. */
function preconditions(binding: JsonObject): JsonObject {
  const { uid = "", resourceVersion = "" } = metadataOf(binding);
  return { uid, resourceVersion };
}

function assigned(context: ApiContext, pod: JsonObject, binding: JsonObject): JsonObject {
  const name = textOf(pod, "name");
  const spec = objectAt(pod, "spec");
  const node = get(spec, "nodeName") ?? "";
  if (textOf(pod, "deletionTimestamp") !== "") {
    throw conflict(name, `pod ${name} is being deleted, cannot be assigned to a host`);
  }
  if (node !== "") throw conflict(name, `pod ${name} is already assigned to node ${JSON.stringify(node)}`);
  const gates = get(spec, "schedulingGates");
  if (Array.isArray(gates) && gates.length > 0) throw conflict(name, `pod ${name} has non-empty .spec.schedulingGates`);

  const metadata = metadataOf(pod);
  const merged = (field: string): JsonObject => {
    const all = { ...objectAt(metadata, field), ...objectAt(metadataOf(binding), field) };
    return Object.keys(all).length === 0 ? {} : { [field]: all };
  };
  const bound = {
    ...pod,
    metadata: { ...metadata, ...merged("annotations"), ...merged("labels") },
    spec: { ...spec, nodeName: get(objectAt(binding, "target"), "name") ?? "" },
  };
  return withCondition(bound, { type: "PodScheduled" }, context.clock.now());
}

function conflict(name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on pods/binding ${JSON.stringify(name)}: ${why}`;
  return new StatusError(409, "Conflict", message, [], { name, kind: "pods/binding" });
}
