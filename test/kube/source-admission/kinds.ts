/** Three kinds of custom resources as operators have them: templates in a list, a size alone, and a list of lists. */

import type { ClaimTemplate, KubeObject, StatefulSet } from "../../../src/core/types.ts";
import type { ExpansionSource } from "../../../src/source/types.ts";
import type { Definition } from "../custom-kinds.ts";
import { aSet, aTemplate } from "../policies/set.ts";

export const GROUP = "operators.example.com";

export interface Kind {
  readonly kind: string;
  readonly plural: string;
  readonly source: ExpansionSource;
}

function aKind(kind: string, rest: Omit<ExpansionSource["spec"], "resource">): Kind {
  const plural = `${kind.toLowerCase()}s`;
  const resource = { group: GROUP, version: "v1", kind, plural };
  return { kind, plural, source: { metadata: { name: kind.toLowerCase() }, spec: { resource, ...rest } } };
}

export const DATABASE = aKind("Database", {
  claimTemplatesPath: ".spec.volumeClaimTemplates",
  statefulSetName: "moco-{name}",
});
export const STORE = aKind("Store", {
  claims: [{ template: "data", path: ".spec.storage.size" }],
  statefulSetSelector: {
    matchLabels: { store: "{name}" },
    matchExpressions: [{ key: "old", operator: "DoesNotExist" }],
  },
});
export const SEARCH = aKind("Search", {
  claimTemplatesPath: ".spec.nodeSets[*].volumeClaimTemplates",
  statefulSetName: "{name}-{item.name}",
});
/** One that grows its volumes itself, and is left to judge for itself. */
export const VAULT = aKind("Vault", {
  claims: [{ template: "data", path: ".spec.size" }],
  statefulSetName: "{name}",
  grownBy: "Operator",
});

export const KINDS: readonly Kind[] = [DATABASE, STORE, SEARCH, VAULT];

export function definitionOf({ kind, plural }: Kind): Definition {
  const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const size = { "x-kubernetes-int-or-string": true };
  const requests = { type: "object", additionalProperties: size };
  const resources = { type: "object", properties: { requests, limits: requests } };
  const claimSpec = { ...open, properties: { resources } };
  const template = { ...open, properties: { metadata: open, spec: claimSpec } };
  const templates = { type: "array", items: template };
  const nodeSet = { ...open, properties: { name: { type: "string" }, volumeClaimTemplates: templates } };
  const properties = {
    volumeClaimTemplates: templates,
    storage: { type: "object", properties: { size } },
    nodeSets: { type: "array", items: nodeSet },
    size,
    replicas: { type: "integer" },
  };
  const schema = {
    openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties }, status: open } },
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: "Namespaced",
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [{ name: "v1", served: true, storage: true, subresources: { status: {} }, schema }],
    },
  };
}

export interface Custom extends KubeObject {
  spec: object;
}

export function aResource({ kind }: Kind, name: string, spec: object): Custom {
  return { apiVersion: `${GROUP}/v1`, kind, metadata: { name }, spec };
}

/** A template of a resource: `data` of 10Gi of a class that grows, unless told otherwise. */
export function template(
  storage: string | number = "10Gi",
  change: Partial<ClaimTemplate["spec"]> = {},
): ClaimTemplate {
  const { metadata, spec } = aTemplate("data", String(storage));
  return { metadata, spec: { ...spec, resources: { requests: { storage: storage as string } }, ...change } };
}

export function aFollower(name: string, storage: string, labels: Record<string, string> = {}): StatefulSet {
  const set = aSet({ templates: [template(storage)] });
  return { ...set, metadata: { ...set.metadata, name, labels } };
}
