/** Definitions to test with. */

import { withDefaults } from "../../defaults/defaults.ts";
import type { JsonObject } from "../../json.ts";
import { canonicalObject } from "../../protobuf/canonical.ts";
import { prepareDefinition } from "../definition/prepare.ts";

export const GROUP = "example.com";

/** A definition as it is stored first: one version, `v1`, whose objects have a size. */
export function newDefinition(plural: string, kind: string, spec: JsonObject = {}, names: JsonObject = {}): JsonObject {
  const sent = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${GROUP}` },
    spec: { group: GROUP, scope: "Namespaced", names: { plural, kind, ...names }, versions: [version("v1")], ...spec },
  };
  return prepareDefinition(canonicalObject(withDefaults(sent)), undefined);
}

export function version(name: string, more: JsonObject = {}): JsonObject {
  const size = { type: "integer", default: 1 };
  const spec = { type: "object", properties: { size } };
  return {
    name,
    served: true,
    storage: name === "v1",
    schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
    ...more,
  };
}
