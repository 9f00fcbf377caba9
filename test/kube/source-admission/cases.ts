/** Edits of custom resources, and what the rules say to them. */
import type { StatefulSet } from "../../../src/core/types.ts";
import { aFollower, DATABASE, type Kind, SEARCH, STORE, template, VAULT } from "./kinds.ts";

export interface Case {
  readonly name: string;
  readonly kind: Kind;
  readonly before: object;
  readonly after: object;
  /** The sets beside it, for a resource of this name. */
  readonly sets?: (name: string) => readonly StatefulSet[];
  /** Part of the refusal; undefined when the edit is taken. */
  readonly refused?: string;
  /** Where the policies cannot know, or know only half: what they say instead. */
  readonly byPolicy?: { readonly refused: string | undefined; readonly because: string };
}

const SIZE = "spec.volumeClaimTemplates[0].spec.resources.requests.storage";
const NOT_A_SIZE = "is not a size; write a number and its unit, for example 10Gi";
const ONLY_SIZES = "only the storage size of a claim template may change";
const templates = (...list: object[]): object => ({ volumeClaimTemplates: list });
const wal = { ...template("1Gi"), metadata: { name: "wal" } };
const ofMoco =
  (storage: string) =>
  (name: string): readonly StatefulSet[] => [aFollower(`moco-${name}`, storage)];
const rigid = { storageClassName: "rigid" };
const nodes = (...sets: readonly (readonly [string, string])[]): object => ({
  nodeSets: sets.map(([name, size]) => ({ name, volumeClaimTemplates: [template(size)] })),
});

const TEMPLATES: readonly Case[] = [
  {
    name: "a size rises",
    kind: DATABASE,
    before: templates(template()),
    after: templates(template("20Gi")),
    sets: ofMoco("10Gi"),
  },
  {
    name: "the same size in another notation",
    kind: DATABASE,
    before: templates(template("10Gi")),
    after: templates(template(10_737_418_240)),
    sets: ofMoco("10Gi"),
  },
  {
    name: "a size goes below the set's",
    kind: DATABASE,
    before: templates(template()),
    after: templates(template("5Gi")),
    sets: ofMoco("10Gi"),
    refused: `${SIZE}: Forbidden: storage can only grow: 5Gi is less than the 10Gi of StatefulSet "moco-`,
  },
  {
    name: "a growth that failed is taken back to a size that can be had",
    kind: DATABASE,
    before: templates(template("100Gi")),
    after: templates(template("15Gi")),
    sets: ofMoco("10Gi"),
  },
  {
    name: "a size goes down where there is no set yet",
    kind: DATABASE,
    before: templates(template()),
    after: templates(template("5Gi")),
    refused: `${SIZE}: Forbidden: storage can only grow: 5Gi is less than the 10Gi asked for before`,
    byPolicy: {
      refused: undefined,
      because: "a policy is asked about sets that are there, never about one that is not",
    },
  },
  {
    name: "the set has grown ahead, and the resource goes up to less than that",
    kind: DATABASE,
    before: templates(template()),
    after: templates(template("20Gi")),
    sets: ofMoco("30Gi"),
    refused: `${SIZE}: Forbidden: storage can only grow: 20Gi is less than the 30Gi of StatefulSet "moco-`,
  },
  {
    name: "a set of another name is nobody's business",
    kind: DATABASE,
    before: templates(template("20Gi")),
    after: templates(template("30Gi")),
    sets: (name) => [aFollower(`moco-${name}`, "20Gi"), aFollower(`moco-${name}-other`, "500Gi")],
  },
  {
    name: "the class does not allow expansion",
    kind: DATABASE,
    before: templates(template("10Gi", rigid)),
    after: templates(template("20Gi", rigid)),
    sets: ofMoco("10Gi"),
    refused: `${SIZE}: Forbidden: storage class "rigid" of template "data" does not allow expansion; set allowVolumeExpansion: true on it`,
  },
  {
    name: "no class is named, and the default one allows expansion",
    kind: DATABASE,
    before: templates(withoutClass("10Gi")),
    after: templates(withoutClass("20Gi")),
    sets: ofMoco("10Gi"),
  },
  {
    name: "the class does not exist",
    kind: DATABASE,
    before: templates(template("10Gi", { storageClassName: "gone" })),
    after: templates(template("20Gi", { storageClassName: "gone" })),
    sets: ofMoco("10Gi"),
    refused: `${SIZE}: Forbidden: storage class "gone" of template "data" does not exist`,
    byPolicy: {
      refused: undefined,
      because: "a policy is asked about classes that are there, never about one that is not",
    },
  },
  {
    name: "a resource of a rigid class catches up with its set",
    kind: DATABASE,
    before: templates(template("10Gi", rigid)),
    after: templates(template("20Gi", rigid)),
    sets: ofMoco("20Gi"),
    byPolicy: {
      refused: `storage class "rigid" of template "data" does not allow expansion`,
      because: "whoever is asked about a class does not see the set",
    },
  },
  {
    name: "a template is added",
    kind: DATABASE,
    before: templates(template()),
    after: templates(template(), wal),
    sets: ofMoco("10Gi"),
    refused: `spec.volumeClaimTemplates: Forbidden: the number of claim templates is fixed: ["data"] cannot become ["data","wal"]`,
  },
  {
    name: "all templates vanish",
    kind: DATABASE,
    before: templates(template()),
    after: {},
    sets: ofMoco("10Gi"),
    refused: `spec.volumeClaimTemplates: Forbidden: the number of claim templates is fixed: ["data"] cannot become []`,
  },
  {
    name: "a template is renamed",
    kind: DATABASE,
    before: templates(template(), wal),
    after: templates(template(), { ...wal, metadata: { name: "log" } }),
    sets: ofMoco("10Gi"),
    refused: `spec.volumeClaimTemplates[1].metadata.name: Forbidden: ${ONLY_SIZES}`,
  },
  {
    name: "a label of a template changes along with its size",
    kind: DATABASE,
    before: templates(template()),
    after: templates({ ...template("20Gi"), metadata: { name: "data", labels: { a: "b" } } }),
    sets: ofMoco("10Gi"),
    refused: `spec.volumeClaimTemplates[0].metadata.labels: Forbidden: ${ONLY_SIZES}`,
  },
  {
    name: "another class",
    kind: DATABASE,
    before: templates(template()),
    after: templates(template("10Gi", rigid)),
    sets: ofMoco("10Gi"),
    refused: `spec.volumeClaimTemplates[0].spec.storageClassName: Forbidden: ${ONLY_SIZES}`,
  },
  {
    name: "other access modes",
    kind: DATABASE,
    before: templates(template()),
    after: templates(template("10Gi", { accessModes: ["ReadWriteMany"] })),
    sets: ofMoco("10Gi"),
    refused: `spec.volumeClaimTemplates[0].spec.accessModes: Forbidden: ${ONLY_SIZES}`,
  },
  {
    name: "a limit",
    kind: DATABASE,
    before: templates(template()),
    after: templates(template("10Gi", { resources: { requests: { storage: "10Gi" }, limits: { storage: "50Gi" } } })),
    sets: ofMoco("10Gi"),
    refused: `spec.volumeClaimTemplates[0].spec.resources.limits.storage: Forbidden: ${ONLY_SIZES}`,
  },
  {
    name: "what Kubernetes fills in is written out, and what is empty left out",
    kind: DATABASE,
    before: templates({ ...template("10Gi", { volumeMode: "Filesystem" }), metadata: { name: "data", labels: {} } }),
    after: templates(template("20Gi")),
    sets: ofMoco("10Gi"),
  },
  {
    name: "an empty selector appears, which rules out provisioning",
    kind: DATABASE,
    before: templates(template()),
    after: templates(template("10Gi", { selector: {} })),
    sets: ofMoco("10Gi"),
    refused: `spec.volumeClaimTemplates[0].spec.selector: Forbidden: ${ONLY_SIZES}`,
  },
  {
    name: "a size vanishes",
    kind: DATABASE,
    before: templates(template()),
    after: templates(template("10Gi", { resources: { requests: {} } })),
    sets: ofMoco("10Gi"),
    refused: `${SIZE}: Required value`,
  },
  {
    name: "a size that is none",
    kind: DATABASE,
    before: templates(template()),
    after: templates(template("plenty")),
    sets: ofMoco("10Gi"),
    refused: `${SIZE}: Invalid value: "plenty": ${NOT_A_SIZE}`,
  },
  {
    name: "a size that is none, in templates that are said for the first time",
    kind: DATABASE,
    before: {},
    after: templates(template("plenty")),
    refused: `${SIZE}: Invalid value: "plenty": ${NOT_A_SIZE}`,
  },
  {
    name: "a size that was none already, and something else changes",
    kind: DATABASE,
    before: { ...templates(template("plenty")), replicas: 1 },
    after: { ...templates(template("plenty")), replicas: 3 },
    sets: ofMoco("10Gi"),
  },
  {
    name: "a size in place of what was none",
    kind: DATABASE,
    before: templates(template("plenty")),
    after: templates(template("20Gi")),
    sets: ofMoco("10Gi"),
  },
  {
    name: "a size in place of what was none, below the set's",
    kind: DATABASE,
    before: templates(template("plenty")),
    after: templates(template("5Gi")),
    sets: ofMoco("10Gi"),
    refused: `${SIZE}: Forbidden: storage can only grow: 5Gi is less than the 10Gi of StatefulSet "moco-`,
  },
  {
    name: "two sizes, of which one may not",
    kind: DATABASE,
    before: templates(template(), template("1Gi", rigid)),
    after: templates(template("20Gi"), template("2Gi", rigid)),
    refused: `spec.volumeClaimTemplates[1].spec.resources.requests.storage: Forbidden: storage class "rigid"`,
  },
  {
    name: "something else altogether",
    kind: DATABASE,
    before: { ...templates(template("5Gi", rigid)), replicas: 1 },
    after: { ...templates(template("5Gi", rigid)), replicas: 3 },
    sets: ofMoco("10Gi"),
  },
];

const ALONE: readonly Case[] = [
  {
    name: "a size that stands alone and is none",
    kind: STORE,
    before: { storage: { size: "10Gi" } },
    after: { storage: { size: "lots" } },
    refused: `spec.storage.size: Invalid value: "lots": ${NOT_A_SIZE}`,
  },
  {
    name: "a size that stands alone and is none, where nothing was said",
    kind: STORE,
    before: {},
    after: { storage: { size: "lots" } },
    refused: `spec.storage.size: Invalid value: "lots": ${NOT_A_SIZE}`,
  },
  {
    name: "a size that stands alone and was none already, and something else changes",
    kind: STORE,
    before: { storage: { size: "lots" }, replicas: 1 },
    after: { storage: { size: "lots" }, replicas: 3 },
  },
  {
    name: "a size that stands alone in place of what was none",
    kind: STORE,
    before: { storage: { size: "lots" } },
    after: { storage: { size: "20Gi" } },
    sets: (name) => [aFollower(`${name}-a`, "10Gi", { store: name })],
  },
  {
    name: "a size that stands alone rises",
    kind: STORE,
    before: { storage: { size: "10Gi" } },
    after: { storage: { size: "20Gi" } },
    sets: (name) => [aFollower(`${name}-a`, "10Gi", { store: name })],
  },
  {
    name: "it goes below the size of a set that has the labels",
    kind: STORE,
    before: { storage: { size: "10Gi" } },
    after: { storage: { size: "5Gi" } },
    sets: (name) => [
      aFollower(`${name}-a`, "5Gi", { store: name }),
      aFollower(`${name}-b`, "10Gi", { store: name }),
      aFollower(`${name}-c`, "500Gi", { store: name, old: "yes" }),
    ],
    refused: `spec.storage.size: Forbidden: storage can only grow: 5Gi is less than the 10Gi of StatefulSet "`,
  },
  {
    name: "it goes to zero",
    kind: STORE,
    before: { storage: { size: "10Gi" } },
    after: { storage: { size: 0 } },
    refused: `spec.storage.size: Invalid value: "0": must be greater than zero`,
  },
  {
    name: "it goes down where there is no set",
    kind: STORE,
    before: { storage: { size: "10Gi" } },
    after: { storage: { size: "5Gi" } },
  },
  {
    name: "it is said for the first time, and no longer",
    kind: STORE,
    before: {},
    after: { storage: { size: "5Gi" } },
    sets: (name) => [aFollower(`${name}-a`, "10Gi", { store: name })],
  },
];

const IN_LISTS: readonly Case[] = [
  {
    name: "items change places, and one is added",
    kind: SEARCH,
    before: nodes(["hot", "10Gi"], ["cold", "50Gi"]),
    after: nodes(["cold", "60Gi"], ["hot", "10Gi"], ["new", "1Gi"]),
    sets: (name) => [aFollower(`${name}-hot`, "10Gi"), aFollower(`${name}-cold`, "50Gi")],
  },
  {
    name: "one item of a list goes below its own set",
    kind: SEARCH,
    before: nodes(["hot", "10Gi"], ["cold", "50Gi"]),
    after: nodes(["hot", "20Gi"], ["cold", "20Gi"]),
    sets: (name) => [aFollower(`${name}-hot`, "10Gi"), aFollower(`${name}-cold`, "50Gi")],
    refused: `spec.nodeSets[1].volumeClaimTemplates[0].spec.resources.requests.storage: Forbidden: storage can only grow: 20Gi is less than the 50Gi of StatefulSet "`,
  },
  {
    name: "an item goes with all it has",
    kind: SEARCH,
    before: nodes(["hot", "10Gi"], ["cold", "50Gi"]),
    after: nodes(["hot", "10Gi"]),
  },
  {
    name: "an item of a list changes more than its size",
    kind: SEARCH,
    before: nodes(["hot", "10Gi"]),
    after: { nodeSets: [{ name: "hot", volumeClaimTemplates: [template("10Gi", { accessModes: ["ReadOnlyMany"] })] }] },
    refused: `spec.nodeSets[0].volumeClaimTemplates[0].spec.accessModes: Forbidden: ${ONLY_SIZES}`,
  },
];

export const CASES: readonly Case[] = [
  ...TEMPLATES,
  ...ALONE,
  ...IN_LISTS,
  {
    name: "an operator that grows its volumes itself judges for itself",
    kind: VAULT,
    before: { size: "10Gi" },
    after: { size: "1Gi" },
    sets: (name) => [aFollower(name, "10Gi")],
  },
];

function withoutClass(storage: string): object {
  const { metadata, spec } = template(storage);
  const { storageClassName: _, ...rest } = spec;
  return { metadata, spec: rest };
}
