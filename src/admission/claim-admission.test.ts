import { describe, expect, test } from "vitest";
import { DEFAULT_GATES } from "../core/gates.ts";
import { admitClaimStatusUpdate, admitClaimUpdate, type ClaimAdmission, type Surroundings } from "./claim-admission.ts";
import { aClaim, aClass, aQuota } from "./fixtures.ts";
import { storageClasses } from "./storage-classes.ts";
import { refusalText, toStatus } from "./verdict.ts";

const around: Surroundings = {
  gates: DEFAULT_GATES,
  classes: storageClasses([aClass("fast"), aClass("rigid", { allowVolumeExpansion: false })]),
  limitRanges: [
    { metadata: { name: "sizes" }, spec: { limits: [{ type: "PersistentVolumeClaim", max: { storage: "80Gi" } }] } },
  ],
  quotas: [aQuota("q", { "requests.storage": "50Gi" }, { "requests.storage": "10Gi" })],
};

function text(admission: ClaimAdmission): string {
  return admission.kind === "refused" ? refusalText(admission.refusal) : "admitted";
}

describe("the way of an edit", () => {
  test("a growth that everybody agrees to: stored, booked, the sent status ignored", () => {
    const admission = admitClaimUpdate(aClaim(), aClaim({ request: "40Gi", capacity: "99Gi" }), around);
    expect(admission).toMatchObject({
      kind: "admitted",
      claim: { spec: { resources: { requests: { storage: "40Gi" } } }, status: { capacity: { storage: "10Gi" } } },
      quotas: [{ status: { used: { "requests.storage": "40Gi" } } }],
      warnings: [],
    });
  });

  test("a fraction of a byte: stored with a warning", () => {
    const admission = admitClaimUpdate(aClaim(), aClaim({ request: "10737418240001m" }), around);
    expect(admission.kind === "admitted" && admission.warnings).toHaveLength(1);
  });

  test("validation speaks before any admission check", () => {
    const unbound = aClaim({ phase: "Pending" });
    expect(text(admitClaimUpdate(unbound, aClaim({ request: "1Ti" }), around))).toContain(
      'PersistentVolumeClaim "data" is invalid: spec: Forbidden: spec is immutable after creation',
    );
  });

  test("the range speaks before the class", () => {
    const rigid = { spec: { storageClassName: "rigid" } };
    const grown = aClaim({ spec: { ...rigid.spec, resources: { requests: { storage: "1Ti" } } } });
    expect(text(admitClaimUpdate(aClaim(rigid), grown, around))).toBe(
      'persistentvolumeclaims "data" is forbidden: maximum storage usage per PersistentVolumeClaim is 80Gi, but request is 1Ti',
    );
  });

  test("the class speaks before quota", () => {
    const rigid = { storageClassName: "rigid" };
    const grown = aClaim({ spec: { ...rigid, resources: { requests: { storage: "60Gi" } } } });
    expect(text(admitClaimUpdate(aClaim({ spec: rigid }), grown, around))).toBe(
      'persistentvolumeclaims "data" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
  });

  test("quota speaks last", () => {
    const admission = admitClaimUpdate(aClaim(), aClaim({ request: "60Gi" }), around);
    expect(text(admission)).toBe(
      'persistentvolumeclaims "data" is forbidden: exceeded quota: q, requested: requests.storage=50Gi, used: requests.storage=10Gi, limited: requests.storage=50Gi',
    );
    expect(admission.kind === "refused" && toStatus(admission.refusal).code).toBe(403);
  });
});

describe("the way of a status write", () => {
  test("what is allocated is booked even past the limit; the sent spec is ignored", () => {
    const admission = admitClaimStatusUpdate(aClaim(), aClaim({ request: "1Ti", allocated: "60Gi" }), around);
    expect(admission).toMatchObject({
      kind: "admitted",
      claim: { spec: { resources: { requests: { storage: "10Gi" } } } },
      quotas: [{ status: { used: { "requests.storage": "60Gi" } } }],
    });
  });

  test("a word of another dialect is invalid", () => {
    const sent = aClaim({ status: { allocatedResourceStatuses: { storage: "NodeResizeFailed" } } });
    expect(text(admitClaimStatusUpdate(aClaim(), sent, around))).toContain(
      'PersistentVolumeClaim "data" is invalid: status.allocatedResourceStatuses: Unsupported value: "storage"',
    );
  });
});
