import { describe, expect, test } from "vitest";
import type { ClaimTemplate, StatefulSet } from "../core/types.ts";
import { aClass } from "./fixtures.ts";
import { isTemplateImmutableError, validateStatefulSetUpdate } from "./statefulset-update.ts";
import { type StorageClasses, storageClasses } from "./storage-classes.ts";
import { fieldErrorText, refusalText, statefulSetTarget } from "./verdict.ts";

const ON = { StatefulSetVolumeExpansion: true };
const OFF = { StatefulSetVolumeExpansion: false };
const FIXED =
  "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

const someClasses = storageClasses([aClass("fast"), aClass("rigid", { allowVolumeExpansion: false })]);
const defaultIs = (allowVolumeExpansion: boolean) =>
  storageClasses([
    aClass("std", {
      metadata: { name: "std", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
      allowVolumeExpansion,
    }),
  ]);

/** Class null: the template names none. */
function template(name: string, size: string, storageClassName: string | null = "fast"): ClaimTemplate {
  const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: size } } };
  return { metadata: { name }, spec: storageClassName === null ? spec : { ...spec, storageClassName } };
}

function aSet(templates: ClaimTemplate[], spec: Partial<StatefulSet["spec"]> = {}): StatefulSet {
  return {
    metadata: { name: "db" },
    spec: {
      replicas: 3,
      serviceName: "db",
      selector: { matchLabels: { app: "db" } },
      template: { metadata: { labels: { app: "db" } } },
      volumeClaimTemplates: templates,
      ...spec,
    },
  };
}

const before = aSet([template("data", "10Gi"), template("wal", "1Gi")]);

function errors(next: StatefulSet, gates = ON, old = before, classes: StorageClasses = someClasses): string[] {
  return validateStatefulSetUpdate(old, next, gates, classes).map(fieldErrorText);
}

describe("fields of a StatefulSet that may change", () => {
  const { volumeClaimTemplates: templates = [] } = before.spec;
  test.each<[string, Partial<StatefulSet["spec"]>]>([
    ["replicas", { replicas: 5 }],
    ["ordinals", { ordinals: { start: 2 } }],
    ["template", { template: { metadata: { labels: { app: "db", version: "2" } } } }],
    ["updateStrategy", { updateStrategy: { type: "OnDelete" } }],
    ["revisionHistoryLimit", { revisionHistoryLimit: 1 }],
    ["persistentVolumeClaimRetentionPolicy", { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete" } }],
    ["minReadySeconds", { minReadySeconds: 9 }],
    ["a default filled in", { podManagementPolicy: "OrderedReady" }],
  ])("%s", (_, spec) => {
    expect(errors(aSet(templates, spec))).toEqual([]);
    expect(errors(aSet(templates, spec), OFF)).toEqual([]);
  });

  test.each<[string, Partial<StatefulSet["spec"]>]>([
    ["serviceName", { serviceName: "other" }],
    ["selector", { selector: { matchLabels: { app: "other" } } }],
    ["podManagementPolicy", { podManagementPolicy: "Parallel" }],
    ["a field this program does not know", { novelty: true } as Partial<StatefulSet["spec"]>],
  ])("%s may not", (_, spec) => {
    expect(errors(aSet(templates, spec))).toEqual([FIXED]);
  });
});

describe("KEP-661: sizes in volumeClaimTemplates, gate on", () => {
  test.each<[string, ClaimTemplate[]]>([
    ["may grow", [template("data", "20Gi"), template("wal", "1Gi")]],
    ["may shrink, to address failed expansions", [template("data", "5Gi"), template("wal", "1Gi")]],
    ["may grow and shrink in one edit", [template("data", "20Gi"), template("wal", "512Mi")]],
    ["may be written in another notation", [template("data", "10240Mi"), template("wal", "1024Mi")]],
  ])("%s", (_, templates) => {
    expect(errors(aSet(templates))).toEqual([]);
  });

  test.each<[string, ClaimTemplate[]]>([
    ["another number of templates", [template("data", "20Gi")]],
    ["another name", [template("data", "20Gi"), template("redo", "1Gi")]],
    ["another order", [template("wal", "1Gi"), template("data", "10Gi")]],
    ["another class", [template("data", "20Gi", "rigid"), template("wal", "1Gi")]],
  ])("%s is refused in Kubernetes' words", (_, templates) => {
    expect(errors(aSet(templates))).toEqual([FIXED]);
  });

  test("a size edit does not carry another fixed field through", () => {
    const next = aSet([template("data", "20Gi"), template("wal", "1Gi")], { serviceName: "other" });
    expect(errors(next)).toEqual([FIXED]);
  });

  test("a size edit may come along with a new image and more replicas", () => {
    const next = aSet([template("data", "20Gi"), template("wal", "1Gi")], { replicas: 5, template: { spec: {} } });
    expect(errors(next)).toEqual([]);
  });

  test.each(["0", "-1Gi"])("a size of %s is no size", (size) => {
    expect(errors(aSet([template("data", size), template("wal", "1Gi")]))).toEqual([
      `spec.volumeClaimTemplates[0].spec.resources.requests.storage: Invalid value: "${size}": must be greater than zero`,
    ]);
  });
});

describe("KEP-661: the class of each grown template must allow expansion", () => {
  const PATH = "spec.volumeClaimTemplates[0].spec.resources.requests.storage: Forbidden:";
  const grow = (className: string | null, classes = someClasses, to = "20Gi") =>
    errors(aSet([template("data", to, className)]), ON, aSet([template("data", "10Gi", className)]), classes);

  test.each<[string, string[], string[]]>([
    [
      "a class that does not",
      grow("rigid"),
      [
        `${PATH} storage class "rigid" of template "data" does not allow expansion; set allowVolumeExpansion: true on it`,
      ],
    ],
    [
      "a class that is not there",
      grow("gone"),
      [`${PATH} storage class "gone" of template "data" does not exist; create it with allowVolumeExpansion: true`],
    ],
    ["no class named, the default one allows it", grow(null, defaultIs(true)), []],
    [
      "no class named, the default one does not",
      grow(null, defaultIs(false)),
      [`${PATH} storage class "std" of template "data" does not allow expansion; set allowVolumeExpansion: true on it`],
    ],
    [
      "no class named and no default",
      grow(null),
      [
        `${PATH} template "data" names no storage class and the cluster has no default one; mark a class that allows expansion as the default`,
      ],
    ],
    [
      "no class wanted: the default does not step in",
      grow("", defaultIs(true)),
      [
        `${PATH} template "data" asks for volumes without a storage class; only claims of a class that allows expansion can grow`,
      ],
    ],
    ["a template that shrinks is not asked about", grow("rigid", someClasses, "5Gi"), []],
  ])("%s", (_, actual, expected) => {
    expect(actual).toEqual(expected);
  });

  test("a rigid template that is left alone does not stand in the way of another", () => {
    const old = aSet([template("data", "10Gi", "rigid"), template("wal", "1Gi")]);
    expect(errors(aSet([template("data", "10Gi", "rigid"), template("wal", "2Gi")]), ON, old)).toEqual([]);
  });

  test("every template that cannot grow is named", () => {
    const sizes = (a: string, b: string) => aSet([template("data", a, "rigid"), template("wal", b, "gone")]);
    expect(errors(sizes("20Gi", "2Gi"), ON, sizes("10Gi", "1Gi"))).toHaveLength(2);
  });
});

describe("KEP-661: gate off", () => {
  test.each(["20Gi", "5Gi"])("a template size of %s is refused as ever", (size) => {
    expect(errors(aSet([template("data", size), template("wal", "1Gi")]), OFF)).toEqual([FIXED]);
  });

  test("the same templates in other words are still no change", () => {
    expect(errors(aSet([template("data", "10240Mi"), template("wal", "1Gi")]), OFF)).toEqual([]);
  });

  test("on again: taken again", () => {
    expect(errors(aSet([template("data", "20Gi"), template("wal", "1Gi")]), ON)).toEqual([]);
  });
});

describe("recognising the answer of a server whose templates are immutable", () => {
  const text = refusalText({
    kind: "invalid",
    target: statefulSetTarget("db"),
    errors: validateStatefulSetUpdate(
      before,
      aSet([template("data", "20Gi"), template("wal", "1Gi")]),
      OFF,
      someClasses,
    ),
  });

  test.each<[string, string, boolean]>([
    ["1.36", text, true],
    [
      "1.37",
      'StatefulSet.apps "db" is invalid: spec.volumeClaimTemplates: Invalid value: [{"metadata":{"name":"data"}}]: field is immutable',
      true,
    ],
    [
      "an older release",
      `StatefulSet.apps "db" is invalid: spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'template', and 'updateStrategy' are forbidden`,
      true,
    ],
    [
      "1.37, another field",
      'StatefulSet.apps "db" is invalid: spec.serviceName: Invalid value: "x": field is immutable',
      false,
    ],
    ["a missing right", 'statefulsets.apps "db" is forbidden: User "x" cannot patch resource "statefulsets"', false],
    ["a lost race", 'Operation cannot be fulfilled on statefulsets.apps "db": the object has been modified', false],
  ])("%s", (_, message, expected) => {
    expect(isTemplateImmutableError(message)).toBe(expected);
  });
});
