import { describe, expect, test } from "vitest";
import { fieldErrorText } from "../../admission/verdict.ts";
import type { ExpansionSourceSpec } from "../types.ts";
import { checkSource } from "./check-source.ts";

const resource = { group: "moco.cybozu.com", version: "v1beta2", kind: "MySQLCluster", plural: "mysqlclusters" };
const moco = {
  resource,
  claimTemplatesPath: ".spec.volumeClaimTemplates",
  statefulSetName: "moco-{name}",
  condition: "VolumeResized",
} satisfies ExpansionSourceSpec;
const errors = (spec: object) => checkSource({ resource, ...spec }).map(fieldErrorText);

describe("nothing is wrong with", () => {
  const claim = { template: "data", path: ".spec.storage.size" };
  test.each<[string, object]>([
    ["the source of design: MOCO", moco],
    ["sizes that stand alone", { claims: [claim], statefulSetName: "{name}" }],
    ["a set per claim", { claims: [{ ...claim, statefulSetName: "{name}-db" }] }],
    ["claims by label", { claims: [claim], claimSelector: { matchLabels: { "cnpg.io/cluster": "{name}" } } }],
    [
      "a set per item of a list",
      { claimTemplatesPath: ".spec.nodeSets[*].volumeClaimTemplates", statefulSetName: "{name}-es-{item.name}" },
    ],
    [
      "a template per item of a list",
      { claims: [{ template: "data-{item.id}", path: ".spec.volumes[*].size" }], statefulSetName: "{name}" },
    ],
    [
      "labels per item of a list",
      {
        claims: [
          {
            template: "tablespace-{item.name}",
            path: ".spec.tablespaces[*].storage.size",
            claimSelector: { matchLabels: { cluster: "{name}", tablespace: "{item.name}" } },
          },
        ],
      },
    ],
    ["two places for one size", { claims: [claim, { ...claim, path: ".spec.size" }], statefulSetName: "{name}" }],
    ["a lower-case kind", { ...moco, resource: { ...resource, kind: "postgresql" } }],
    [
      "everything",
      {
        ...moco,
        conditionsPath: ".status.deep.conditions",
        paused: { path: '.metadata.annotations["a/b"]', equals: "true" },
        grownBy: "Outgrow",
        recreatedBy: "Operator",
        rollout: { mode: "OneByOne", maxConcurrent: 1, canary: 0, onFailure: "Stop" },
        restartPods: "WhenNeeded",
      },
    ],
  ])("%s", (_, spec) => {
    expect(errors(spec)).toEqual([]);
  });
});

describe("refused, by field and with the way out", () => {
  const claim = { template: "data", path: ".spec.storage.size" };
  const byLabel = { claimSelector: { matchLabels: { cluster: "{name}" } } };

  test.each<[string, object, string[]]>([
    [
      "conditions outside the status",
      { ...moco, conditionsPath: ".spec.conditions" },
      [
        'spec.conditionsPath: Invalid value: ".spec.conditions": conditions are reported in a list of the status: .status.conditions',
      ],
    ],
    [
      "conditions in a list on the way",
      { ...moco, conditionsPath: ".status.nodes[0].conditions" },
      [
        'spec.conditionsPath: Invalid value: ".status.nodes[0].conditions": conditions are reported in a list of the status: .status.conditions',
      ],
    ],
    [
      "a place for a condition that has no type",
      { ...moco, condition: undefined, conditionsPath: ".status.conditions" },
      ["spec.condition: Required value: the type of the condition to report there"],
    ],
    [
      "a condition that cannot be one",
      { ...moco, condition: "Volume Resized" },
      ['spec.condition: Invalid value: "Volume Resized": write the type of a condition, for example VolumeResized'],
    ],
    [
      "many pauses",
      { ...moco, paused: { path: ".spec.sets[*].paused" } },
      [
        'spec.paused.path: Invalid value: ".spec.sets[*].paused": [*] leads to many places; name the one that pauses the resource',
      ],
    ],
    [
      "words that are no choice",
      { ...moco, grownBy: "Me", recreatedBy: "You", restartPods: "Always" },
      [
        'spec.grownBy: Unsupported value: "Me": supported values: "Outgrow", "Operator"',
        'spec.recreatedBy: Unsupported value: "You": supported values: "Outgrow", "Operator"',
        'spec.restartPods: Unsupported value: "Always": supported values: "Never", "WhenNeeded"',
      ],
    ],
    [
      "a rollout that a record would refuse",
      {
        ...moco,
        rollout: { mode: "Slow", maxConcurrent: 0, canary: -1, onFailure: "Cry", goOnDespite: ["data-db-0"] },
      },
      [
        'spec.rollout.mode: Unsupported value: "Slow": supported values: "Parallel", "OneByOne"',
        "spec.rollout.maxConcurrent: Invalid value: 0: should be a whole number, 1 or more",
        "spec.rollout.canary: Invalid value: -1: should be a whole number, 0 or more",
        'spec.rollout.onFailure: Unsupported value: "Cry": supported values: "Stop", "Continue"',
        "spec.rollout.goOnDespite: Forbidden: names claims of one set; write it into that set's VolumeExpansion",
      ],
    ],
    [
      "what is about sets, where there are none",
      { claims: [claim], ...byLabel, recreatedBy: "Operator", rollout: {}, restartPods: "Never" },
      ["recreatedBy", "rollout", "restartPods"].map(
        (field) =>
          `spec.${field}: Forbidden: is about StatefulSets; claims that are selected by label just grow, all at once`,
      ),
    ],
  ])("%s", (_, spec, expected) => {
    expect(errors(spec)).toEqual(expected);
  });

  test.each<[string, object, string[]]>([
    [
      "StatefulSets",
      { group: "apps", version: "v1", kind: "StatefulSet", plural: "statefulsets" },
      ["spec.resource: Forbidden: StatefulSets are followed without a source: edit the size in the set"],
    ],
    [
      "our own kinds",
      { group: "outgrow.dev", version: "v1alpha1", kind: "VolumeExpansion", plural: "volumeexpansions" },
      ["spec.resource.group: Forbidden: these kinds are Outgrow's own, and no sizes are written in them by people"],
    ],
    [
      "kinds of the core group",
      { group: "", version: "v1", kind: "Pod", plural: "pods" },
      [
        'spec.resource.group: Invalid value: "": only custom resources can be a source; their group is a domain, as moco.cybozu.com',
      ],
    ],
    [
      "words that cannot name a kind",
      { group: "example.com", version: "V1", kind: "my sql", plural: "MySQLClusters" },
      [
        'spec.resource.version: Invalid value: "V1": write it as v1 or v1beta2',
        'spec.resource.kind: Invalid value: "my sql": write it as in a manifest, for example MySQLCluster',
        'spec.resource.plural: Invalid value: "MySQLClusters": write it as kubectl api-resources lists it, for example mysqlclusters',
      ],
    ],
  ])("as a source: %s", (_, kind, expected) => {
    expect(errors({ ...moco, resource: kind })).toEqual(expected);
  });

  test("everything that is wrong is told at once", () => {
    expect(errors({ resource: { ...resource, version: "" }, paused: { path: "x" }, grownBy: "Me" })).toHaveLength(4);
  });
});
