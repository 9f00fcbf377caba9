import { describe, expect, test } from "vitest";
import { fieldErrorText } from "../../admission/verdict.ts";
import { checkSource } from "./check-source.ts";

const resource = { group: "moco.cybozu.com", version: "v1beta2", kind: "MySQLCluster", plural: "mysqlclusters" };
const moco = { claimTemplatesPath: ".spec.volumeClaimTemplates", statefulSetName: "moco-{name}" };
const errors = (spec: object) => checkSource({ resource, ...spec }).map(fieldErrorText);

describe("refused, because sizes or followers are not told, by field and with the way out", () => {
  const claim = { template: "data", path: ".spec.storage.size" };
  const named = { statefulSetName: "{name}" };
  const byLabel = { claimSelector: { matchLabels: { cluster: "{name}" } } };

  test.each<[string, object, string[]]>([
    [
      "no place for sizes",
      named,
      ["spec.claimTemplatesPath: Required value: where the list of claim templates stands; or claims, for sizes alone"],
    ],
    [
      "two",
      { ...moco, claims: [claim] },
      ["spec.claims: Forbidden: sizes stand in a list of templates or alone; leave out this or claimTemplatesPath"],
    ],
    [
      "nobody who follows",
      { claimTemplatesPath: ".spec.templates" },
      ["spec.statefulSetName: Required value: the set that follows; or statefulSetSelector or claimSelector"],
    ],
    [
      "nobody who follows one of the claims",
      {
        claims: [
          { ...claim, ...named },
          { ...claim, template: "wal" },
        ],
      },
      ["spec.claims[1].statefulSetName: Required value: the set that follows; or statefulSetSelector or claimSelector"],
    ],
    [
      "several who follow",
      { claims: [claim], ...named, ...byLabel },
      [
        "spec.claimSelector: Forbidden: only one of statefulSetName, statefulSetSelector or claimSelector says who follows",
      ],
    ],
    [
      "several who follow one of the claims",
      { claims: [{ ...claim, ...named, ...byLabel }] },
      [
        "spec.claims[0].claimSelector: Forbidden: only one of statefulSetName, statefulSetSelector or claimSelector says who follows",
      ],
    ],
    [
      "claim templates by label",
      { claimTemplatesPath: ".spec.templates", ...byLabel },
      [
        "spec.claimSelector: Forbidden: labels do not tell which claim is of which template; name each size in claims, with its own claimSelector",
      ],
    ],
    [
      "two sizes for the same claims",
      { claims: [claim, { template: "wal", path: ".spec.wal" }], ...byLabel },
      [
        'spec.claims[1].template: Invalid value: "wal": the same claims have "data"; each size needs a claimSelector of its own',
      ],
    ],
    [
      "a place twice",
      { claims: [claim, claim], ...named },
      ['spec.claims[1].path: Duplicate value: ".spec.storage.size"'],
    ],
    [
      "a bad path, with the position",
      { ...moco, claimTemplatesPath: ".spec..templates" },
      [
        'spec.claimTemplatesPath: Invalid value: ".spec..templates": at position 6: after this dot a field\'s name should stand; a name with other letters is written ["like.this"]',
      ],
    ],
    [
      "a placeholder that nothing fills",
      { ...moco, statefulSetName: "moco-{nme}" },
      [
        'spec.statefulSetName: Invalid value: "moco-{nme}": nothing fills {nme}; there are {name}, {namespace} and, where a path goes through a list with [*], {item.FIELD}',
      ],
    ],
    [
      "half a placeholder",
      { ...moco, statefulSetName: "moco-{name" },
      ['spec.statefulSetName: Invalid value: "moco-{name": has a brace without its partner'],
    ],
    [
      "an item without a list",
      { ...moco, statefulSetName: "{name}-{item.name}" },
      [
        'spec.statefulSetName: Invalid value: "{name}-{item.name}": there is no {item.name}: the path goes through no list with [*]',
      ],
    ],
    [
      "an item without a list, in a template",
      { claims: [{ ...claim, template: "data-{item.id}" }], ...named },
      [
        'spec.claims[0].template: Invalid value: "data-{item.id}": there is no {item.id}: the path goes through no list with [*]',
      ],
    ],
    [
      "a list without an item",
      { ...moco, claimTemplatesPath: ".spec.sets[*].templates" },
      [
        'spec.claimTemplatesPath: Invalid value: ".spec.sets[*].templates": with [*] each item needs its own: have {item.FIELD} in statefulSetName',
      ],
    ],
    [
      "a list without an item, of sizes alone",
      { claims: [{ ...claim, path: ".spec.volumes[*].size" }], ...named },
      [
        'spec.claims[0].path: Invalid value: ".spec.volumes[*].size": with [*] each item needs its own: have {item.FIELD} in statefulSetName or template',
      ],
    ],
    [
      "two lists on the way",
      { claimTemplatesPath: ".spec.a[*].b[*].templates", statefulSetName: "{name}-{item.name}" },
      [
        'spec.claimTemplatesPath: Invalid value: ".spec.a[*].b[*].templates": goes through more than one list; only one [*] is possible',
      ],
    ],
    [
      "each template in place of the list",
      { claimTemplatesPath: ".spec.templates[*]", statefulSetName: "{name}-{item.name}" },
      [
        'spec.claimTemplatesPath: Invalid value: ".spec.templates[*]": name the list of templates itself, without [*] at its end',
      ],
    ],
    [
      "a list with a selector that is the same for all",
      { claims: [{ ...claim, path: ".spec.volumes[*].size" }], ...byLabel },
      [
        'spec.claims[0].path: Invalid value: ".spec.volumes[*].size": with [*] each item needs its own: have {item.FIELD} in a label of claimSelector',
      ],
    ],
    [
      "the same set for every resource",
      { ...moco, statefulSetName: "mysql" },
      ['spec.statefulSetName: Invalid value: "mysql": every resource would follow the same set; have {name} in it'],
    ],
    [
      "a name that is none",
      { ...moco, statefulSetName: "My {name}" },
      [
        'spec.statefulSetName: Invalid value: "My {name}": is no name: small letters, digits, hyphens, dots and placeholders, as moco-{name}',
      ],
    ],
    [
      "a selector that takes everything",
      { claims: [claim], claimSelector: {} },
      [
        "spec.claimSelector: Invalid value: {}: every resource would have the same; have {name} in the value of a label",
      ],
    ],
    [
      "a selector with an operator that nobody knows, and one without values",
      {
        claims: [claim],
        statefulSetSelector: {
          matchLabels: { a: "{name}" },
          matchExpressions: [
            { key: "a", operator: "Is" },
            { key: "b", operator: "NotIn" },
          ],
        },
      },
      [
        'spec.statefulSetSelector.matchExpressions[0].operator: Unsupported value: "Is": supported values: "In", "NotIn", "Exists", "DoesNotExist"',
        "spec.statefulSetSelector.matchExpressions[1].values: Required value: NotIn needs some",
      ],
    ],
    [
      "no template",
      { claims: [{ ...claim, template: "" }], ...named },
      ["spec.claims[0].template: Required value: the name of the claim template, for example data"],
    ],
  ])("%s", (_, spec, expected) => {
    expect(errors(spec)).toEqual(expected);
  });
});
