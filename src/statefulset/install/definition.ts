/**
 * The definition of the record (`VolumeExpansion`), as a cluster is told of it.
 *
 * The saved set is neither pruned nor read as an embedded object: what an API server does not know of its metadata would
 * be lost then, and it must come out as it went in.
 */

import { choice, conditions, definitionOf, ROLLOUT, type Schema, text } from "./schema.ts";

const SPEC: Schema = {
  type: "object",
  required: ["statefulSetName"],
  properties: {
    statefulSetName: { type: "string", minLength: 1, description: "The set that grows; the record has the same name." },
    claims: {
      type: "array",
      description: "What is wanted, as the set's annotation outgrow.dev/claims says it. Written by the controller.",
      items: {
        type: "object",
        required: ["template", "storage"],
        properties: { template: text("The claim template's name."), storage: text("The size, for example 200Gi.") },
      },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["template"],
    },
    rollout: {
      ...ROLLOUT,
      properties: {
        ...ROLLOUT.properties,
        goOnDespite: {
          type: "array",
          items: { type: "string" },
          "x-kubernetes-list-type": "set",
          description: "Names of claims whose failure is known and no longer stops the others.",
        },
      },
    },
    restartPods: choice(
      "WhenNeeded: pods are evicted, one at a time, where the driver grows only volumes that are not in use.",
      "Never",
      "WhenNeeded",
    ),
    beyondReplicas: choice("Whether claims that scaling down left behind grow, too.", "Leave", "Grow"),
    evenIfOwned: {
      type: "boolean",
      description: "Go on although a controller owns the set and may take the change of the template back.",
    },
    wishedBy: {
      type: "object",
      description: "The custom resource whose sizes these are: claims is the wish then.",
      required: ["kind", "name"],
      properties: {
        source: text("The ExpansionSource; none when its operator says them itself."),
        kind: text("The resource's kind."),
        name: text("The resource's name; it is in the same namespace."),
      },
    },
    recreatedBy: choice(
      "Who creates the set again after it was deleted to change its template; an operator has a minute to do so.",
      "Outgrow",
      "Operator",
    ),
  },
};

const ROWS: Schema = {
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["name"],
  items: {
    type: "object",
    required: ["name", "from", "to", "capacity", "state", "message"],
    properties: {
      name: text("The claim."),
      from: text("What it had when this growth began; empty when it did not exist."),
      to: text("What it is to have."),
      capacity: text("What it has."),
      state: choice(
        "How far it is.",
        "Pending",
        "Growing",
        "Recovering",
        "Waiting",
        "Done",
        "Left",
        "Failed",
        "Blocked",
      ),
      message: text("What it waits for, or what is in its way and the way out."),
    },
  },
};

const STATUS: Schema = {
  type: "object",
  properties: {
    observedGeneration: { type: "integer", format: "int64" },
    phase: choice("How far the growth is.", "Checking", "Growing", "Restarting", "UpdatingTemplate", "Done", "Stopped"),
    done: text("How many of the set's claims have their size, as 2/3."),
    claims: ROWS,
    conditions: conditions("Ready, Progressing and Stalled; each says why, and Stalled what somebody has to do."),
    savedStatefulSet: {
      type: "object",
      description: "The set as it was last seen, only while it is being re-created: the set is brought back from here.",
      "x-kubernetes-preserve-unknown-fields": true,
    },
  },
};

const COLUMNS: readonly Schema[] = [
  { name: "Set", type: "string", jsonPath: ".spec.statefulSetName" },
  { name: "Phase", type: "string", jsonPath: ".status.phase" },
  { name: "Done", type: "string", jsonPath: ".status.done", description: "Claims that have their size" },
  { name: "Message", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].message' },
  { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
];

export const VOLUME_EXPANSION_DEFINITION = definitionOf({
  kind: "VolumeExpansion",
  scope: "Namespaced",
  shortName: "vx",
  description: "The growth of one StatefulSet's volumes: its progress, and how it is to be done.",
  columns: COLUMNS,
  spec: SPEC,
  status: STATUS,
});
