/** Nothing is made in a namespace that is not there, or that is going; a few namespaces never go. */
import type { KubeObject } from "../../../core/types.ts";
import { resourceName } from "../kinds/kind.ts";
import { notFound } from "../lifecycle/refusals.ts";
import { isOfKind, type KnownKind } from "./known-kind.ts";
import type { Lookup } from "./lookup.ts";
import type { AdmissionPlugin, WriteAdmission } from "./plugin.ts";
import { forbid, isAbout } from "./request.ts";

const IMMORTAL: ReadonlySet<string> = new Set(["default", "kube-system", "kube-public"]);

/** They are about permissions: a refusal would tell which namespaces there are. */
const ACCESS_REVIEWS = "localsubjectaccessreviews.authorization.k8s.io";

interface Namespace extends KubeObject {
  readonly status?: { readonly phase?: string };
}

const NAMESPACE: KnownKind<Namespace> = { apiVersion: "v1", kind: "Namespace" };

/** Upstream apiserver/pkg/admission/plugin/namespace/lifecycle. */
export function namespaceLifecycle(lookup: Lookup): AdmissionPlugin {
  return {
    name: "NamespaceLifecycle",

    mutate(request) {
      checkNamespace(lookup, request);
      return request.object;
    },

    validate(request) {
      if (request.operation !== "DELETE" || !isAbout(request, NAMESPACE)) return;
      if (IMMORTAL.has(request.name)) throw forbid(request, "this namespace may not be deleted");
    },
  };
}

function checkNamespace(lookup: Lookup, request: WriteAdmission): void {
  const { namespace, resource, operation } = request;
  if (namespace === undefined || isOfKind(resource.kind, NAMESPACE)) return;
  if (resourceName(resource.kind) === ACCESS_REVIEWS) return;
  const found = lookup.one(NAMESPACE, undefined, namespace);
  if (found === undefined) {
    throw notFound({ group: "", plural: "namespaces" }, namespace);
  }
  if (operation !== "CREATE" || found.status?.phase !== "Terminating") return;
  throw forbid(request, `unable to create new content in namespace ${namespace} because it is being terminated`, [
    {
      reason: "NamespaceTerminating",
      message: `namespace ${namespace} is being terminated`,
      field: "metadata.namespace",
    },
  ]);
}
