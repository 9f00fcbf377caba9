import { expect, test } from "vitest";
import { storageClasses } from "../../admission/storage-classes.ts";
import { fieldErrorText } from "../../admission/verdict.ts";
import type { KubeObject, StatefulSet } from "../../core/types.ts";
import type { ExpansionSourceSpec } from "../types.ts";
import { validateResourceUpdate } from "./validate-resource.ts";

const resource = { group: "example.com", version: "v1", kind: "Store", plural: "stores" };
const classes = storageClasses([
  { metadata: { name: "fast" }, provisioner: "csi", allowVolumeExpansion: true },
  { metadata: { name: "rigid" }, provisioner: "csi" },
]);

const TEMPLATES: ExpansionSourceSpec = { resource, claimTemplatesPath: ".spec.templates", statefulSetName: "{name}" };
const ALONE: ExpansionSourceSpec = {
  resource,
  claims: [{ template: "data", path: ".spec.size" }],
  statefulSetSelector: { matchLabels: { store: "{name}" } },
};
const NODES: ExpansionSourceSpec = {
  resource,
  claimTemplatesPath: ".spec.nodes[*].templates",
  statefulSetName: "{name}-{item.name}",
};

const store = (spec: object): KubeObject => ({ metadata: { name: "s", namespace: "prod" }, spec }) as KubeObject;
const template = (storage: string, storageClassName = "fast") => ({
  metadata: { name: "data" },
  spec: { storageClassName, resources: { requests: { storage } } },
});
const set = (name: string, storage: string, storageClassName = "fast"): StatefulSet => ({
  metadata: { name, namespace: "prod", labels: { store: "s" } },
  spec: {
    selector: {},
    template: {},
    volumeClaimTemplates: [template(storage, storageClassName)],
  },
});
const nodes = (...list: [string, string][]) => ({
  nodes: list.map(([name, size]) => ({ name, templates: [template(size)] })),
});

const SIZE = ".spec.resources.requests.storage";

test.each<[string, ExpansionSourceSpec, object, object, StatefulSet[], string[]]>([
  [
    "a size rises",
    TEMPLATES,
    { templates: [template("1Gi")] },
    { templates: [template("2Gi")] },
    [set("s", "1Gi")],
    [],
  ],
  [
    "a size goes below the set's",
    TEMPLATES,
    { templates: [template("3Gi")] },
    { templates: [template("1Gi")] },
    [set("s", "2Gi")],
    [
      `spec.templates[0]${SIZE}: Forbidden: storage can only grow: 1Gi is less than the 2Gi of StatefulSet "s"; ask for that or more`,
    ],
  ],
  [
    "the templates vanish",
    TEMPLATES,
    { templates: [template("3Gi")] },
    {},
    [],
    [`spec.templates: Forbidden: the number of claim templates is fixed: ["data"] cannot become []`],
  ],
  ["templates are said for the first time", TEMPLATES, {}, { templates: [template("3Gi")] }, [set("s", "5Gi")], []],
  [
    "a size that stands alone is held against every set, and has the class of its template there",
    ALONE,
    { size: "3Gi" },
    { size: "4Gi" },
    [set("a", "5Gi"), set("b", "3Gi", "rigid"), { ...set("c", "9Gi"), metadata: { name: "c", namespace: "prod" } }],
    [
      'spec.size: Forbidden: storage can only grow: 4Gi is less than the 5Gi of StatefulSet "a"; ask for that or more',
      'spec.size: Forbidden: storage class "rigid" of template "data" does not allow expansion; set allowVolumeExpansion: true on it',
    ],
  ],
  ["a growth that failed is taken back", ALONE, { size: "9Gi" }, { size: "4Gi" }, [set("a", "3Gi")], []],
  ["a set without such a template has no say", ALONE, { size: "9Gi" }, { size: "1Gi" }, [], []],
  [
    "no set could take a size of zero",
    ALONE,
    { size: "9Gi" },
    { size: 0 },
    [],
    ['spec.size: Invalid value: "0": must be greater than zero'],
  ],
  [
    "a size that is none",
    ALONE,
    { size: "9Gi" },
    { size: "lots" },
    [],
    ['spec.size: Invalid value: "lots": is not a size; write a number and its unit, for example 10Gi'],
  ],
  [
    "a size that is none, where nothing was said before",
    ALONE,
    {},
    { size: true },
    [],
    ['spec.size: Invalid value: "true": is not a size; write a number and its unit, for example 10Gi'],
  ],
  [
    "a template's size that is none",
    TEMPLATES,
    { templates: [template("1Gi")] },
    { templates: [template("lots")] },
    [set("s", "1Gi")],
    [`spec.templates[0]${SIZE}: Invalid value: "lots": is not a size; write a number and its unit, for example 10Gi`],
  ],
  [
    "a size that is none, in an item that is new",
    NODES,
    nodes(["hot", "1Gi"]),
    nodes(["hot", "1Gi"], ["cold", "lots"]),
    [],
    [
      `spec.nodes[1].templates[0]${SIZE}: Invalid value: "lots": is not a size; write a number and its unit, for example 10Gi`,
    ],
  ],
  ["a size that was none already is in nobody's way", ALONE, { size: "lots", a: 1 }, { size: "lots", a: 2 }, [], []],
  [
    "a template's size that was none already is in nobody's way, wherever its item goes",
    NODES,
    nodes(["hot", "lots"]),
    nodes(["cold", "1Gi"], ["hot", "lots"]),
    [],
    [],
  ],
  ["what was no size becomes one", ALONE, { size: "lots" }, { size: "9Gi" }, [set("a", "9Gi")], []],
  [
    "what was no size becomes one below the set's",
    ALONE,
    { size: "lots" },
    { size: "8Gi" },
    [set("a", "9Gi")],
    ['spec.size: Forbidden: storage can only grow: 8Gi is less than the 9Gi of StatefulSet "a"; ask for that or more'],
  ],
  [
    "what was no size in a template becomes one",
    TEMPLATES,
    { templates: [template("lots")] },
    { templates: [template("2Gi")] },
    [set("s", "1Gi")],
    [],
  ],
  [
    "what was no size in a template becomes one below the set's",
    TEMPLATES,
    { templates: [template("lots")] },
    { templates: [template("2Gi")] },
    [set("s", "3Gi")],
    [
      `spec.templates[0]${SIZE}: Forbidden: storage can only grow: 2Gi is less than the 3Gi of StatefulSet "s"; ask for that or more`,
    ],
  ],
  [
    "what was no size becomes zero",
    TEMPLATES,
    { templates: [template("lots")] },
    { templates: [template("0")] },
    [],
    [`spec.templates[0]${SIZE}: Invalid value: "0": must be greater than zero`],
  ],
  ["an empty text is no size, and no wish either", ALONE, { size: "9Gi" }, { size: "" }, [set("a", "9Gi")], []],
  ["a size is said where an empty text stood", ALONE, { size: "" }, { size: "1Gi" }, [set("a", "9Gi")], []],
  ["a size is no longer said", ALONE, { size: "9Gi" }, {}, [set("a", "9Gi")], []],
  [
    "items of a list are known by their sets, wherever they stand",
    NODES,
    nodes(["hot", "1Gi"], ["cold", "5Gi"]),
    nodes(["cold", "4Gi"], ["hot", "1Gi"], ["new", "1Gi"]),
    [set("s-hot", "1Gi"), set("s-cold", "5Gi")],
    [
      `spec.nodes[0].templates[0]${SIZE}: Forbidden: storage can only grow: 4Gi is less than the 5Gi of StatefulSet "s-cold"; ask for that or more`,
    ],
  ],
  ["an item goes with all it has", NODES, nodes(["hot", "1Gi"], ["cold", "5Gi"]), nodes(["hot", "1Gi"]), [], []],
  [
    "an operator that grows its volumes itself judges for itself",
    { ...ALONE, grownBy: "Operator" },
    { size: "9Gi" },
    { size: 0 },
    [set("a", "9Gi")],
    [],
  ],
])("%s", (_, spec, old, next, sets, errors) => {
  const update = { spec, old: store(old), next: store(next), sets, classes };
  expect(validateResourceUpdate(update).map(fieldErrorText)).toEqual(errors);
});
