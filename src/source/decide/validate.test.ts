import { describe, expect, test } from "vitest";
import { storageClasses } from "../../admission/storage-classes.ts";
import { fieldErrorText } from "../../admission/verdict.ts";
import type { ClaimTemplate, StatefulSet } from "../../core/types.ts";
import { validateSourceGrowth, validateSourceUpdate } from "./validate.ts";

const classes = storageClasses([
  { metadata: { name: "fast" }, provisioner: "csi.example.com", allowVolumeExpansion: true },
  { metadata: { name: "rigid" }, provisioner: "csi.example.com" },
]);

function template(name: string, size: string, storageClassName = "fast"): ClaimTemplate {
  return {
    metadata: { name },
    spec: { accessModes: ["ReadWriteOnce"], storageClassName, resources: { requests: { storage: size } } },
  };
}

function aSet(...templates: ClaimTemplate[]): StatefulSet {
  return {
    metadata: { name: "moco-x" },
    spec: { selector: {}, template: {}, volumeClaimTemplates: templates },
  };
}

function errors(
  old: ClaimTemplate[],
  next: ClaimTemplate[],
  statefulSet: StatefulSet | undefined = aSet(...old),
): string[] {
  const path = "spec.volumeClaimTemplates";
  return validateSourceUpdate({ old, next, statefulSet, classes, path }).map(fieldErrorText);
}

const PATH = "spec.volumeClaimTemplates[0]";
const SIZE = `${PATH}.spec.resources.requests.storage`;
const ONLY_SIZE = "only the storage size of a claim template may change";

describe("MOCO: make volumeClaimTemplates invariant except for storage size", () => {
  const data = template("mysql-data", "1Gi");

  test.each<[string, ClaimTemplate[], string[]]>([
    ["the size", [template("mysql-data", "2Gi")], []],
    ["nothing", [template("mysql-data", "1024Mi")], []],
    ["the class", [template("mysql-data", "1Gi", "rigid")], [`${PATH}.spec.storageClassName: Forbidden: ${ONLY_SIZE}`]],
    ["the name", [template("logs", "1Gi")], [`${PATH}.metadata.name: Forbidden: ${ONLY_SIZE}`]],
    [
      "the number",
      [data, template("logs", "1Gi")],
      [
        'spec.volumeClaimTemplates: Forbidden: the number of claim templates is fixed: ["mysql-data"] cannot become ["mysql-data","logs"]',
      ],
    ],
    [
      "labels",
      [{ ...data, metadata: { name: "mysql-data", labels: { a: "b" } } }],
      [`${PATH}.metadata.labels: Forbidden: ${ONLY_SIZE}`],
    ],
    ["no size any more", [{ ...data, spec: { ...data.spec, resources: {} } }], [`${SIZE}: Required value`]],
  ])("%s", (_, next, expected) => {
    expect(errors([data], next)).toEqual(expected);
  });

  test("everything that is wrong is told at once", () => {
    const next = [{ ...template("mysql-data", "2Gi", "rigid"), metadata: { name: "other" } }];
    expect(errors([data], next).map((text) => text.split(":")[0])).toEqual([
      `${PATH}.metadata.name`,
      `${PATH}.spec.storageClassName`,
      SIZE,
    ]);
  });
});

describe("MOCO: allow only incremental changes in storage size", () => {
  const less = (size: string, than: string, whose: string) =>
    `${SIZE}: Forbidden: storage can only grow: ${size} is less than the ${than} ${whose}; ask for that or more`;

  test.each<[string, string, string, string, string[]]>([
    ["grown", "10Gi", "20Gi", "10Gi", []],
    ["lowered", "10Gi", "5Gi", "10Gi", [less("5Gi", "10Gi", 'of StatefulSet "moco-x"')]],
    ["lowered, but still above the StatefulSet: a failed growth is taken back", "20Gi", "15Gi", "10Gi", []],
    ["lowered to what the StatefulSet has", "20Gi", "10Gi", "10Gi", []],
    [
      "grown, but still below the StatefulSet",
      "10Gi",
      "15Gi",
      "20Gi",
      [less("15Gi", "20Gi", 'of StatefulSet "moco-x"')],
    ],
    ["grown to what the StatefulSet has already", "10Gi", "20Gi", "20Gi", []],
    ["left alone, whatever the StatefulSet has", "10Gi", "10Gi", "20Gi", []],
    ["nothing at all", "10Gi", "0", "10Gi", [less("0", "10Gi", 'of StatefulSet "moco-x"')]],
  ])("%s", (_, old, next, inSet, expected) => {
    expect(errors([template("d", old)], [template("d", next)], aSet(template("d", inSet)))).toEqual(expected);
  });

  test.each<[string, StatefulSet | undefined]>([
    ["there is no StatefulSet", undefined],
    ["it has no such template", aSet(template("other", "1Gi"))],
  ])("%s: the old resource is what counts", (_, set) => {
    const path = "spec.volumeClaimTemplates";
    const sizes = (next: string) =>
      validateSourceUpdate({
        old: [template("d", "10Gi")],
        next: [template("d", next)],
        statefulSet: set,
        classes,
        path,
      });
    expect(sizes("20Gi")).toEqual([]);
    expect(sizes("5Gi").map(fieldErrorText)).toEqual([less("5Gi", "10Gi", "asked for before")]);
  });
});

describe("MOCO: if storage expansion is involved, the storage class must allow it", () => {
  const rigid =
    'Forbidden: storage class "rigid" of template "d" does not allow expansion; set allowVolumeExpansion: true on it';
  const sizes = (d: string, logs = "1Gi") => [template("d", d, "rigid"), template("logs", logs)];

  test("a template that grows on a rigid class", () => {
    expect(errors(sizes("10Gi"), sizes("20Gi"))).toEqual([`${SIZE}: ${rigid}`]);
  });

  test("another one grows: the rigid one is not asked about", () => {
    expect(errors(sizes("10Gi"), sizes("10Gi", "2Gi"))).toEqual([]);
  });

  test("what counts is growing beyond the StatefulSet, not beyond the old resource", () => {
    const set = (size: string) => aSet(template("d", size, "rigid"));
    const [old, next] = [[template("d", "10Gi", "rigid")], [template("d", "20Gi", "rigid")]];
    expect(errors(old, next, set("20Gi"))).toEqual([]);
    expect(errors(next, [template("d", "15Gi", "rigid")], set("10Gi"))).toEqual([`${SIZE}: ${rigid}`]);
  });

  test("a class that does not exist", () => {
    const [old, next] = [[template("d", "10Gi", "gone")], [template("d", "20Gi", "gone")]];
    expect(errors(old, next)).toEqual([
      `${SIZE}: Forbidden: storage class "gone" of template "d" does not exist; create it with allowVolumeExpansion: true`,
    ]);
  });
});

describe("a resource as the controller finds it", () => {
  const check = (templates: ClaimTemplate[], set: StatefulSet) =>
    validateSourceGrowth({ templates, statefulSet: set, classes, path: "spec.templates" }).map(fieldErrorText);

  test("may grow, may be behind", () => {
    expect(
      check([template("d", "20Gi"), template("e", "1Gi")], aSet(template("d", "10Gi"), template("e", "2Gi"))),
    ).toEqual([]);
  });

  test("a class that lost its permission after the edit was taken", () => {
    expect(check([template("d", "20Gi", "rigid")], aSet(template("d", "10Gi", "rigid")))).toEqual([
      'spec.templates[0].spec.resources.requests.storage: Forbidden: storage class "rigid" of template "d" does not allow expansion; set allowVolumeExpansion: true on it',
    ]);
  });

  test("a rigid class does not matter once the StatefulSet has the size", () => {
    expect(check([template("d", "20Gi", "rigid")], aSet(template("d", "20Gi", "rigid")))).toEqual([]);
  });

  test("a template that the set does not have, and one without a size", () => {
    const sizeless: ClaimTemplate = { metadata: { name: "e" }, spec: {} };
    expect(check([template("d", "20Gi"), sizeless], aSet(template("e", "1Gi")))).toEqual([
      'spec.templates[0]: Forbidden: StatefulSet "moco-x" has no claim template "d"; remove it here',
      "spec.templates[1].spec.resources.requests.storage: Required value: a size, for example 10Gi",
    ]);
  });
});
