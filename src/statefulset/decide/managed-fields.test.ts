import { describe, expect, it } from "vitest";
import { aSet } from "./fixtures.ts";
import { handedBack, isManagedByUs, type ManagedFieldsEntry, RECREATE_MANAGER } from "./managed-fields.ts";

const HELM = { manager: "helm", operation: "Update", fieldsV1: { "f:spec": {} } };
const FLUX = { manager: "flux", operation: "Apply", fieldsV1: { "f:spec": {} } };
const STATUS = { manager: "kube-controller-manager", operation: "Update", subresource: "status", time: "now" };
const OURS = { manager: RECREATE_MANAGER, operation: "Update" };

function managed(...managedFields: ManagedFieldsEntry[]) {
  return aSet({ metadata: { managedFields } });
}

describe("who managed a field before the re-creation manages it afterwards", () => {
  it("the old entries come back, ours goes", () => {
    expect(handedBack(managed(OURS), managed(HELM, FLUX))).toEqual([HELM, FLUX]);
  });

  it("entries that have come since stay, and the same manager is not listed twice", () => {
    const newer = { ...STATUS, time: "later" };
    expect(handedBack(managed(OURS, STATUS), managed(HELM))).toEqual([HELM, STATUS]);
    expect(handedBack(managed(OURS, newer), managed(HELM, STATUS))).toEqual([HELM, STATUS]);
  });

  it("what we wrote while preparing is dropped as well", () => {
    expect(handedBack(managed(OURS), managed(HELM, OURS))).toEqual([HELM]);
  });

  it("without a saved set only our own entries go", () => {
    expect(handedBack(managed(HELM, OURS))).toEqual([HELM]);
  });

  it("nobody is written as one empty entry: an empty list would be ignored", () => {
    expect(handedBack(managed(OURS))).toEqual([{}]);
  });

  it("a set shows whether we manage something of it", () => {
    expect([managed(HELM, OURS), managed(HELM), aSet()].map(isManagedByUs)).toEqual([true, false, false]);
  });
});
