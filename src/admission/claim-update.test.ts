import { describe, expect, test } from "vitest";
import { BETA_STORAGE_CLASS } from "../core/names.ts";
import type { PersistentVolumeClaim } from "../core/types.ts";
import { claimWarnings } from "./claim-rules.ts";
import { prepareClaimUpdate, validateClaimUpdate } from "./claim-update.ts";
import { aClaim, type ClaimTraits } from "./fixtures.ts";
import { fieldErrorText } from "./verdict.ts";

const ON = { RecoverExpansionFailure: true };
const OFF = { RecoverExpansionFailure: false };

const IMMUTABLE =
  "spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
const BELOW_CAPACITY = "spec.resources.requests.storage: Forbidden: field can not be less than status.capacity";
const BELOW_PREVIOUS = "spec.resources.requests.storage: Forbidden: field can not be less than previous value";

const SOURCE = { kind: "PersistentVolumeClaim", name: "other" };

/** The errors without the diff that follows the first line. */
function errors(old: PersistentVolumeClaim, next: PersistentVolumeClaim, gates = ON): string[] {
  return validateClaimUpdate(old, next, gates).map((error) => fieldErrorText(error).split("\n")[0] ?? "");
}

describe("the size of a claim, recovery gate on", () => {
  test.each<[string, ClaimTraits, ClaimTraits, string[]]>([
    ["U1: a bound claim grows", {}, { request: "20Gi" }, []],
    ["U2: a pending claim may not grow", { phase: "Pending" }, { phase: "Pending", request: "20Gi" }, [IMMUTABLE]],
    ["U2: a lost claim may not grow", { phase: "Lost" }, { phase: "Lost", request: "20Gi" }, [IMMUTABLE]],
    ["U5: lowered to above status.capacity", { request: "100Gi" }, { request: "20Gi" }, []],
    ["U6: lowered to status.capacity itself", { request: "100Gi" }, { request: "10Gi" }, [BELOW_CAPACITY]],
    ["U7: lowered to below status.capacity", { request: "100Gi" }, { request: "5Gi" }, [BELOW_CAPACITY]],
    ["U7: lowered below what it has, nothing asked for before", {}, { request: "5Gi" }, [BELOW_CAPACITY]],
    [
      "U8: a pending claim may not shrink",
      { phase: "Pending", request: "20Gi" },
      { phase: "Pending", request: "5Gi" },
      [IMMUTABLE],
    ],
    [
      "U8: a lost claim below its capacity: both errors",
      { phase: "Lost", request: "20Gi", status: { capacity: { storage: "10Gi" } } },
      { phase: "Lost", request: "5Gi" },
      [IMMUTABLE, BELOW_CAPACITY],
    ],
    ["U9: grown to a value still below status.capacity", { request: "5Gi" }, { request: "8Gi" }, []],
    [
      "U10: lowered when the capacity is not known",
      { request: "20Gi", status: { capacity: {} } },
      { request: "1Gi" },
      [],
    ],
    ["U11: the same value in another notation", { request: "1Gi", phase: "Pending" }, { request: "1024Mi" }, []],
    ["a byte above the capacity is enough", { request: "20Gi" }, { request: "10737418241" }, []],
    [
      "milli bytes below the old value count as lowering",
      { capacity: "10", request: "10" },
      { request: "9999m" },
      [BELOW_CAPACITY],
    ],
  ])("%s", (_, before, after, expected) => {
    expect(errors(aClaim(before), aClaim(after))).toEqual(expected);
  });

  test("phase and capacity are the stored ones, whatever the edit says about them", () => {
    const next = aClaim({ request: "5Gi", capacity: "1Gi" });
    expect(errors(aClaim({ request: "20Gi" }), next)).toEqual([BELOW_CAPACITY]);
  });
});

describe("the size of a claim, recovery gate off", () => {
  test("growing is as ever", () => {
    expect(errors(aClaim(), aClaim({ request: "20Gi" }), OFF)).toEqual([]);
  });

  test("U4: lowering is refused, even to above status.capacity", () => {
    expect(errors(aClaim({ request: "100Gi" }), aClaim({ request: "20Gi" }), OFF)).toEqual([BELOW_PREVIOUS]);
  });

  test.each<[string, ClaimTraits]>([
    ["allocatedResources", { request: "100Gi", allocated: "100Gi" }],
    ["a state", { request: "100Gi", status: { allocatedResourceStatuses: { storage: "ControllerResizeInfeasible" } } }],
  ])("U4: a claim that already carries %s may still recover", (_, before) => {
    expect(errors(aClaim(before), aClaim({ request: "20Gi" }), OFF)).toEqual([]);
    expect(errors(aClaim(before), aClaim({ request: "10Gi" }), OFF)).toEqual([BELOW_CAPACITY]);
  });

  test.each(["Resizing", "FileSystemResizePending"])(
    "on again while an expansion that nothing records is under way (%s): lowering waits until it is done",
    (type) => {
      const growing = { request: "100Gi", status: { conditions: [{ type, status: "True" }] } };
      expect(errors(aClaim(growing), aClaim({ request: "20Gi" }))).toEqual([BELOW_PREVIOUS]);
      expect(errors(aClaim({ ...growing, allocated: "100Gi" }), aClaim({ request: "20Gi" }))).toEqual([]);
    },
  );

  test("on, off and on again: lowering is possible again", () => {
    const [before, after] = [aClaim({ request: "100Gi" }), aClaim({ request: "20Gi" })];
    expect([ON, OFF, ON].map((gates) => errors(before, after, gates).length)).toEqual([0, 1, 0]);
  });
});

describe("U3: anything else of a bound claim is immutable", () => {
  test.each<[string, ClaimTraits]>([
    ["limits", { spec: { resources: { requests: { storage: "10Gi" }, limits: { storage: "20Gi" } } } }],
    ["another key of requests", { spec: { resources: { requests: { storage: "10Gi", cpu: "1" } } } }],
    ["access modes", { spec: { accessModes: ["ReadWriteMany"] } }],
    ["a selector", { spec: { selector: { matchLabels: { a: "b" } } } }],
    ["the volume, once set", { spec: { volumeName: "pv-2" } }],
    ["another class", { spec: { storageClassName: "slow" } }],
    ["an empty class", { spec: { storageClassName: "" } }],
    ["a data source", { spec: { dataSource: { kind: "PersistentVolumeClaim", name: "other" } } }],
  ])("%s", (_, after) => {
    expect(errors(aClaim(), aClaim(after))).toEqual([IMMUTABLE]);
  });

  test("the error shows what differs, out and in", () => {
    const [error] = validateClaimUpdate(aClaim(), aClaim({ request: "20Gi", spec: { volumeName: "pv-2" } }), ON);
    expect(error?.detail.split("\n").slice(1)).toEqual(['-  volumeName: "pv-1"', '+  volumeName: "pv-2"']);
  });

  test("U12: the volume mode has an error of its own, without the prefix", () => {
    expect(errors(aClaim(), aClaim({ spec: { volumeMode: "Block" } }))).toEqual([
      IMMUTABLE,
      'volumeMode: Invalid value: "Block": field is immutable',
    ]);
  });

  test.each<[string, ClaimTraits, ClaimTraits]>([
    ["a default filled in", {}, { spec: { volumeMode: "Filesystem" } }],
    ["empty maps", {}, { spec: { resources: { requests: { storage: "10Gi" }, limits: {} } } }],
    [
      "a data source that older clients give in one field only",
      { spec: { dataSource: SOURCE, dataSourceRef: SOURCE } },
      { spec: { dataSource: SOURCE } },
    ],
    [
      "a data source given in the new field only",
      { spec: { dataSource: SOURCE, dataSourceRef: SOURCE } },
      { spec: { dataSourceRef: SOURCE } },
    ],
    ["labels and annotations", {}, { annotations: { note: "hello" } }],
  ])("%s: no change", (_, before, after) => {
    expect(errors(aClaim(before), aClaim(after))).toEqual([]);
  });

  test("the volume may be named once, by the binder", () => {
    const before = aClaim({ phase: "Pending", spec: { volumeName: "" } });
    expect(errors(before, aClaim({ phase: "Pending" }))).toEqual([]);
  });
});

describe("the class of a claim", () => {
  const none = { storageClassName: null as never };
  const annotated = { [BETA_STORAGE_CLASS]: "gold" };
  const ANNOTATION = `metadata.annotations.${BETA_STORAGE_CLASS}: Invalid value`;

  test.each<[string, ClaimTraits, ClaimTraits, string[]]>([
    ["none named: the default class may be filled in", { spec: none }, {}, []],
    ["an empty name is a name: it stays", { spec: { storageClassName: "" } }, {}, [IMMUTABLE]],
    [
      "it moves from the beta annotation to the field",
      { annotations: annotated, spec: none },
      { spec: { storageClassName: "gold" } },
      [],
    ],
    [
      "the field is filled in, the annotation stays",
      { annotations: annotated, spec: none },
      { annotations: annotated, spec: { storageClassName: "gold" } },
      [],
    ],
    [
      "another class than the annotation names",
      { annotations: annotated, spec: none },
      { annotations: annotated, spec: { storageClassName: "silver" } },
      [IMMUTABLE],
    ],
    [
      "the annotation alone may not go",
      { annotations: annotated, spec: none },
      { spec: none },
      [`${ANNOTATION}: "": field is immutable`],
    ],
    ["nor come", {}, { annotations: annotated }, [`${ANNOTATION}: "gold": field is immutable`]],
  ])("%s", (_, before, after, expected) => {
    expect(errors(aClaim(before), aClaim(after))).toEqual(expected);
  });
});

describe("U13: the volume attributes class", () => {
  const now = (name: string | null, current?: string): ClaimTraits => ({
    spec: { volumeAttributesClassName: name as string },
    ...(current !== undefined && { status: { currentVolumeAttributesClassName: current } }),
  });
  const PATH = "spec.volumeAttributesClassName: Forbidden: update to";
  const END = "is forbidden when status.currentVolumeAttributesClassName is not nil";

  test.each<[string, ClaimTraits, ClaimTraits, string[]]>([
    ["a bound claim may change it", now("a"), now("b"), []],
    ["and take it back before it was applied", now("a"), now(null), []],
    ["but not once one is applied", now("a", "a"), now(null), [`${PATH} nil ${END}`]],
    ["nor set it to the empty string", now("a", "a"), now(""), [`${PATH} empty string ${END}`]],
    ["a pending claim may not", { ...now("a"), phase: "Pending" }, { ...now("b"), phase: "Pending" }, [IMMUTABLE]],
  ])("%s", (_, before, after, expected) => {
    expect(errors(aClaim(before), aClaim(after))).toEqual(expected);
  });
});

describe("the new claim must be valid by itself", () => {
  test.each<[string, ClaimTraits, string[]]>([
    ["no size", { request: null }, ["spec.resources[storage]: Required value", BELOW_CAPACITY]],
    [
      "zero",
      { request: "0" },
      ['spec.resources[storage]: Invalid value: "0": must be greater than zero', BELOW_CAPACITY],
    ],
    [
      "less than zero",
      { request: "-1Gi" },
      ['spec.resources[storage]: Invalid value: "-1Gi": must be greater than zero', BELOW_CAPACITY],
    ],
    [
      "no access mode",
      { spec: { accessModes: [] } },
      ["spec.accessModes: Required value: at least 1 access mode is required", IMMUTABLE],
    ],
    [
      "an access mode that does not exist",
      { spec: { accessModes: ["Often"] } },
      [
        'spec.accessModes: Unsupported value: "Often": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
        IMMUTABLE,
      ],
    ],
    [
      "an access mode that wants to be alone",
      { spec: { accessModes: ["ReadWriteOncePod", "ReadWriteOnce"] } },
      ["spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes", IMMUTABLE],
    ],
  ])("%s", (_, after, expected) => {
    expect(errors(aClaim(), aClaim(after))).toEqual(expected);
  });

  test("a size that cannot be read is named with claim and field", () => {
    expect(() => errors(aClaim(), aClaim({ request: "big" }))).toThrow(
      'PersistentVolumeClaim prod/data: spec.resources.requests.storage: "big" is not a quantity',
    );
  });
});

describe("warnings", () => {
  test("a fraction of a byte is taken, with a warning", () => {
    expect(errors(aClaim({ request: "1", capacity: "1" }), aClaim({ request: "1001m" }))).toEqual([]);
    expect(claimWarnings(aClaim({ request: "1001m" }))).toEqual([
      'spec.resources.requests[storage]: fractional byte value "1001m" is invalid, must be an integer',
    ]);
  });

  test("the beta annotation is deprecated", () => {
    expect(claimWarnings(aClaim({ annotations: { [BETA_STORAGE_CLASS]: "gold" } }))).toEqual([
      `metadata.annotations[${BETA_STORAGE_CLASS}]: deprecated since v1.8; use "storageClassName" attribute instead`,
    ]);
  });

  test("an ordinary claim has none", () => {
    expect(claimWarnings(aClaim())).toEqual([]);
  });
});

describe("an update of the main resource", () => {
  test("keeps the stored status, whatever was sent", () => {
    const old = aClaim({ allocated: "20Gi" });
    const prepared = prepareClaimUpdate(old, aClaim({ request: "30Gi", capacity: "99Gi" }));
    expect(prepared.status).toEqual(old.status);
    expect(prepared.spec.resources?.requests).toEqual({ storage: "30Gi" });
  });

  test("cannot bring a status to a claim that has none", () => {
    const { status: _, ...old } = aClaim();
    expect(prepareClaimUpdate(old, aClaim())).not.toHaveProperty("status");
  });
});
