import { describe, expect, test } from "vitest";
import type { PersistentVolumeClaim } from "../../../../../core/types.ts";
import { BIND_COMPLETED, BOUND_BY_CONTROLLER, STORAGE_PROVISIONER } from "../../decide/names.ts";
import { aClaim, aVolume } from "../../testing/objects.ts";
import {
  claimBound,
  claimForVolume,
  claimHandedOver,
  claimInPhase,
  volumeForClaim,
  volumeInPhase,
  volumeUnbound,
} from "./binding.ts";

const claim = aClaim("data", { metadata: { uid: "1", resourceVersion: "7" } });
const REFERENCE = {
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  namespace: "default",
  name: "data",
  uid: "1",
  resourceVersion: "7",
};

describe("the volume's side", () => {
  test("of a free volume refers to the claim, and says that we chose it", () => {
    const bound = volumeForClaim(aVolume("disk"), claim);
    expect(bound.spec.claimRef).toEqual(REFERENCE);
    expect(bound.metadata.annotations).toEqual({ [BOUND_BY_CONTROLLER]: "yes" });
  });

  test("of a volume that a person kept for the claim only gets the uid", () => {
    const kept = aVolume("disk", { spec: { claimRef: { namespace: "default", name: "data" } } });
    const bound = volumeForClaim(kept, claim);
    expect(bound.spec.claimRef).toEqual(REFERENCE);
    expect(bound.metadata.annotations).toBeUndefined();
  });

  test("that is written already stays as it is", () => {
    const bound = volumeForClaim(aVolume("disk"), claim);
    expect(volumeForClaim(bound, { ...claim, metadata: { ...claim.metadata, resourceVersion: "8" } })).toBe(bound);
  });

  test("is taken back whole when we chose it, and down to the name when a person did", () => {
    const ours = volumeUnbound(volumeForClaim(aVolume("disk"), claim));
    expect(ours).toEqual(aVolume("disk"));
    const theirs = aVolume("disk", { metadata: { annotations: { note: "x" } }, spec: { claimRef: REFERENCE } });
    const { uid: _, ...kept } = REFERENCE;
    expect(volumeUnbound(theirs)).toEqual({ ...theirs, spec: { ...theirs.spec, claimRef: kept } });
  });

  test("has the message of a failure for as long as it has failed", () => {
    const failed = volumeInPhase(aVolume("disk", { phase: "Released" }), "Failed", "no way");
    expect(failed.status).toEqual({ phase: "Failed", message: "no way" });
    expect(volumeInPhase(failed, "Failed")).toBe(failed);
    expect(volumeInPhase(failed, "Available").status).toEqual({ phase: "Available" });
  });
});

describe("the claim's side", () => {
  test("refers to the volume that we chose", () => {
    const bound = claimForVolume(claim, aVolume("disk"));
    expect(bound.spec.volumeName).toBe("disk");
    expect(bound.metadata.annotations).toEqual({ [BOUND_BY_CONTROLLER]: "yes", [BIND_COMPLETED]: "yes" });
  });

  test("of a claim that named the volume itself is only completed", () => {
    const naming = aClaim("data", { spec: { volumeName: "disk" } });
    const bound = claimForVolume(naming, aVolume("disk"));
    expect(bound.metadata.annotations).toEqual({ [BIND_COMPLETED]: "yes" });
    expect(claimForVolume(bound, aVolume("disk"))).toBe(bound);
  });

  test("is handed over once", () => {
    const handed = claimHandedOver(claim, "x.example.com");
    expect(handed.metadata.annotations).toEqual({
      [STORAGE_PROVISIONER]: "x.example.com",
      "volume.beta.kubernetes.io/storage-provisioner": "x.example.com",
    });
    expect(claimHandedOver(handed, "x.example.com")).toBe(handed);
  });

  test("has nothing of a volume when it has none", () => {
    const status = { phase: "Bound", accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" } };
    expect(claimInPhase({ ...claim, status }, "Lost").status).toEqual({ phase: "Lost" });
  });
});

describe("the capacity of a claim", () => {
  const with5Gi = aVolume("disk", { size: "5Gi" });
  const capacity = (status: PersistentVolumeClaim["status"], annotations = {}): unknown =>
    claimBound({ ...claim, ...(status && { status }) }, { ...with5Gi, metadata: { name: "disk", annotations } }).status
      ?.capacity;
  const PRE_RESIZE = "volume.alpha.kubernetes.io/pre-resize-capacity";

  test("is the volume's when it becomes bound", () => {
    expect(capacity({ phase: "Pending" })).toEqual({ storage: "5Gi" });
    expect(capacity(undefined)).toEqual({ storage: "5Gi" });
  });

  test("is never touched after that: a file system that has yet to grow is smaller than its volume", () => {
    expect(capacity({ phase: "Bound", capacity: { storage: "1Gi" } })).toEqual({ storage: "1Gi" });
  });

  test("is what the volume had before it was grown, where that is known", () => {
    expect(capacity({ phase: "Pending" }, { [PRE_RESIZE]: "2Gi" })).toEqual({ storage: "2Gi" });
    expect(capacity({ phase: "Pending" }, { [PRE_RESIZE]: "two" })).toEqual({ storage: "5Gi" });
  });

  test("cannot come from a volume that has none", () => {
    const { capacity: _, ...spec } = with5Gi.spec;
    expect(() => claimBound(claim, { ...with5Gi, spec })).toThrow(
      'PersistentVolume "disk" is without a storage capacity',
    );
  });

  test("comes with the volume's attributes class when it becomes bound", () => {
    const volume = aVolume("disk", { spec: { volumeAttributesClassName: "gold" } });
    const pending = { ...claim, status: { phase: "Pending" } };
    expect(claimBound(pending, volume).status?.currentVolumeAttributesClassName).toBe("gold");
    const bound = { ...claim, status: { phase: "Bound" } };
    expect(claimBound(bound, volume).status?.currentVolumeAttributesClassName).toBeUndefined();
  });
});
