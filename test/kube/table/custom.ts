/** A custom resource with columns of every type and path, and objects that fit them or do not. */

import type { PrinterColumn } from "../../../src/cluster/api/table/custom-printer.ts";
import type { Definition } from "../custom-kinds.ts";

export const GROUP = "table.example.com";

export const COLUMNS: readonly PrinterColumn[] = [
  { name: "Text", type: "string", jsonPath: ".spec.value" },
  { name: "Whole", type: "integer", format: "int32", jsonPath: ".spec.value" },
  { name: "Number", type: "number", jsonPath: ".spec.value" },
  { name: "Truth", type: "boolean", jsonPath: ".spec.value" },
  { name: "Moment", type: "date", description: "When it was", jsonPath: ".spec.value" },
  { name: "Ready", type: "string", priority: 1, jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: "Single Quotes", type: "string", jsonPath: ".status.conditions[?(@.type=='Ready')].reason" },
  { name: "Wrong Sign", type: "string", jsonPath: ".status.conditions[?(@.type='Ready')].status" },
  { name: "Unlike", type: "string", jsonPath: '.status.conditions[?(@.type!="Ready")].type' },
  { name: "Has Reason", type: "string", jsonPath: ".status.conditions[?(@.reason)].type" },
  { name: "Above", type: "string", jsonPath: ".spec.list[?(@>2)]" },
  { name: "First", type: "string", jsonPath: ".spec.list[0]" },
  { name: "Last", type: "string", jsonPath: ".spec.list[-1]" },
  { name: "Second Half", type: "string", jsonPath: ".spec.list[2:4]" },
  { name: "All", type: "string", jsonPath: ".spec.list[*]" },
  { name: "Any", type: "string", jsonPath: ".spec.single.*" },
  { name: "Dotted", type: "string", jsonPath: ".metadata.labels.example\\.com/tier" },
  { name: "Bracketed", type: "string", jsonPath: ".metadata.labels['example\\.com/tier']" },
  { name: "Either", type: "string", jsonPath: ".spec.list[3,0]" },
  { name: "Either Key", type: "string", jsonPath: ".spec['nothing', 'value']" },
  { name: "Anywhere", type: "string", jsonPath: "..reason" },
  { name: "Whole Spec", type: "string", jsonPath: ".spec" },
  { name: "Unreadable", type: "string", jsonPath: ".spec[abc]" },
  { name: "After", type: "string", jsonPath: ".spec.value" },
];

const condition = (type: string, status: string, more: object = {}) => ({ type, status, ...more });
const labels = { "example.com/tier": "gold" };

export const OBJECTS: readonly object[] = [
  { metadata: { name: "empty" } },
  { metadata: { name: "text", labels }, spec: { value: "<a & b>" } },
  { metadata: { name: "whole" }, spec: { value: 42 } },
  { metadata: { name: "broken" }, spec: { value: 2.75 } },
  { metadata: { name: "tiny" }, spec: { value: 0.00001 } },
  { metadata: { name: "large" }, spec: { value: 1.5e15 } },
  { metadata: { name: "truth" }, spec: { value: true } },
  { metadata: { name: "moment" }, spec: { value: "2025-01-02T03:04:05Z" } },
  { metadata: { name: "blank" }, spec: { value: "" } },
  { metadata: { name: "null" }, spec: { value: null } },
  {
    metadata: { name: "list" },
    spec: { value: [1, "<b>", { z: 1, a: null }], list: [1, 2, 3, 4], single: { a: "x" } },
  },
  { metadata: { name: "short-list" }, spec: { list: [3] } },
  { metadata: { name: "no-list" }, spec: { list: "text" } },
  { metadata: { name: "empty-list" }, spec: { list: [] } },
  { metadata: { name: "mixed-list" }, spec: { list: ["a", 3] } },
  { metadata: { name: "numbers" }, spec: { value: { "10": 1, "9": 2 } } },
  {
    metadata: { name: "conditions" },
    status: {
      conditions: [
        condition("Stalled", "False"),
        condition("Ready", "True", { reason: "Grown" }),
        condition("X", "True"),
      ],
    },
  },
];

/** What no integer column can hold. */
export const BEYOND = { metadata: { name: "beyond" }, spec: { value: 1.5e300 } };

/** Definition of a kind that takes any fields; without columns it has none of its own. */
export function definition(
  plural: string,
  kind: string,
  additionalPrinterColumns: readonly PrinterColumn[],
): Definition {
  const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: "Namespaced",
      names: { plural, kind },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { spec: anything, status: anything } } },
          subresources: { scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" } },
          additionalPrinterColumns,
        },
      ],
    },
  };
}
