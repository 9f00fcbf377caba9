import { describe, expect, test } from "vitest";
import {
  BETA_STORAGE_PROVISIONER,
  BIND_COMPLETED,
  PROVISIONED_BY,
  PROVISIONER_FINALIZER,
  SELECTED_NODE,
  STORAGE_PROVISIONER,
  VOLUME_PROTECTION,
} from "../../decide/names.ts";
import { aClaim, aClass, aVolume, type ClaimSketch, type VolumeSketch } from "../../testing/objects.ts";
import { type NewVolumeFacts, newVolume } from "./new-volume.ts";
import { readClassParameters } from "./parameters.ts";
import { shouldProvision } from "./should-provision.ts";
import { decideProvisioned } from "./volume.ts";

const DRIVER = "memory.csi.outgrow.dev";
const MINE = { [STORAGE_PROVISIONER]: DRIVER };
const fast = aClass("fast", { provisioner: DRIVER });
const late = aClass("fast", { provisioner: DRIVER, volumeBindingMode: "WaitForFirstConsumer" });

describe("a claim is provisioned for", () => {
  const claim = (annotations: Record<string, string>, sketch: ClaimSketch = {}) =>
    aClaim("data", {
      spec: { storageClassName: "fast", ...sketch.spec },
      metadata: { uid: "1", annotations, ...sketch.metadata },
    });

  test.each([
    ["handed over", claim(MINE), fast, true],
    ["handed over by an old binder", claim({ [BETA_STORAGE_PROVISIONER]: DRIVER }), fast, true],
    ["not handed over", claim({}), fast, false],
    ["handed to somebody else", claim({ [STORAGE_PROVISIONER]: "x.example.com" }), fast, false],
    ["with a volume", claim(MINE, { spec: { volumeName: "disk" } }), fast, false],
    ["that has lost its volume", claim({ ...MINE, [BIND_COMPLETED]: "yes" }), fast, false],
    ["that is going", claim(MINE, { metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } }), fast, false],
    ["whose class is missing", claim(MINE), undefined, false],
    ["whose class has changed hands", claim(MINE), aClass("fast"), false],
    ["that waits for its first consumer", claim(MINE), late, false],
    ["whose consumer has a node", claim({ ...MINE, [SELECTED_NODE]: "node" }), late, true],
  ])("when it is one %s: %#", (_, each, storageClass, expected) => {
    expect(shouldProvision(each, storageClass, DRIVER)).toBe(expected);
  });
});

describe("the parameters of a class", () => {
  test.each([
    [undefined, undefined, {}],
    [{ delay: "1s", fsType: "xfs" }, "xfs", { delay: "1s", fsType: "xfs" }],
    [{ "csi.storage.k8s.io/fstype": "btrfs", delay: "1s" }, "btrfs", { delay: "1s" }],
    [{ "csi.storage.k8s.io/provisioner-secret-name": "s" }, undefined, {}],
  ])("%j: %s, and the driver is told %j", (parameters, fsType, forDriver) => {
    expect(readClassParameters(parameters)).toEqual({ kind: "read", fsType, forDriver });
  });

  test("may name the file system only once, and nothing reserved that nobody knows", () => {
    expect(readClassParameters({ fstype: "xfs", "csi.storage.k8s.io/fstype": "xfs" })).toEqual({
      kind: "refused",
      why: 'fstype specified in parameters with both "fstype" and "csi.storage.k8s.io/fstype" keys',
    });
    expect(readClassParameters({ "csi.storage.k8s.io/color": "red" })).toEqual({
      kind: "refused",
      why: 'found unknown parameter key "csi.storage.k8s.io/color" with reserved namespace csi.storage.k8s.io/',
    });
  });
});

describe("a new volume", () => {
  const facts: NewVolumeFacts = {
    claim: aClaim("data", { metadata: { uid: "1", resourceVersion: "7" }, spec: { storageClassName: "fast" } }),
    storageClass: fast,
    driver: DRIVER,
    made: { volumeId: "v", capacityBytes: 2n ** 31n, volumeContext: { delay: "1s" } },
    requestedBytes: 2n ** 30n,
    fsType: "xfs",
    identity: "me",
  };

  test("stands for what the driver has made", () => {
    const { metadata, spec } = newVolume(facts);
    expect(metadata).toMatchObject({ name: "pvc-1", finalizers: [PROVISIONER_FINALIZER] });
    expect(spec).toMatchObject({
      capacity: { storage: "2Gi" },
      csi: { volumeHandle: "v", fsType: "xfs", volumeAttributes: { delay: "1s" } },
      persistentVolumeReclaimPolicy: "Delete",
      storageClassName: "fast",
    });
  });

  test("has the size that was asked for when the driver does not say", () => {
    expect(newVolume({ ...facts, made: { ...facts.made, capacityBytes: 0n } }).spec.capacity).toEqual({
      storage: "1Gi",
    });
  });

  test("leaves the file system to the driver when the class names none", () => {
    expect(newVolume({ ...facts, fsType: undefined }).spec.csi).not.toHaveProperty("fsType");
  });

  test("that is raw has no file system", () => {
    const claim = { ...facts.claim, spec: { ...facts.claim.spec, volumeMode: "Block" } };
    const { spec } = newVolume({ ...facts, claim });
    expect([spec.volumeMode, spec.csi?.fsType]).toEqual(["Block", undefined]);
  });

  test("that is to be retained has no finalizer of ours", () => {
    const volume = newVolume({ ...facts, storageClass: { ...fast, reclaimPolicy: "Retain" } });
    expect(volume.metadata.finalizers).toBeUndefined();
  });
});

describe("a volume that was provisioned", () => {
  const DELETE = {
    persistentVolumeReclaimPolicy: "Delete",
    claimRef: { namespace: "default", name: "data", uid: "1" },
  };
  const GOING = { deletionTimestamp: "2026-01-01T00:00:00Z" };
  const held = [VOLUME_PROTECTION, PROVISIONER_FINALIZER];
  const nothing = { kind: "nothing" };
  const decide = ({ metadata, ...sketch }: VolumeSketch): unknown =>
    decideProvisioned(
      aVolume("disk", { ...sketch, metadata: { annotations: { [PROVISIONED_BY]: DRIVER }, ...metadata } }),
      DRIVER,
    );

  test.each([
    ["by somebody else", { phase: "Released", spec: DELETE, metadata: { annotations: {} } }, nothing],
    ["and is released", { phase: "Released", spec: DELETE, metadata: { finalizers: held } }, { kind: "delete" }],
    ["and is released without a finalizer", { phase: "Released", spec: DELETE }, { kind: "delete" }],
    [
      "and is going, with our part undone",
      { phase: "Released", spec: DELETE, metadata: { ...GOING, finalizers: held } },
      { kind: "delete" },
    ],
    [
      "and is going, with our part done",
      { phase: "Released", spec: DELETE, metadata: { ...GOING, finalizers: [VOLUME_PROTECTION] } },
      nothing,
    ],
    ["and is rescued", { phase: "Released", spec: { persistentVolumeReclaimPolicy: "Delete" } }, nothing],
    ["and has failed", { phase: "Failed", spec: DELETE, metadata: { finalizers: held } }, nothing],
    ["and is to be retained", { phase: "Released" }, nothing],
    ["and is in use", { phase: "Bound", spec: DELETE, metadata: { finalizers: held } }, nothing],
    [
      "and is in use unprotected",
      { phase: "Bound", spec: DELETE, metadata: { finalizers: [VOLUME_PROTECTION] } },
      { kind: "finalizers", finalizers: held },
    ],
    [
      "and is now to be retained",
      { phase: "Bound", metadata: { finalizers: held } },
      { kind: "finalizers", finalizers: [VOLUME_PROTECTION] },
    ],
  ] satisfies [string, VolumeSketch, unknown][])("%s", (_, sketch, expected) => {
    expect(decide(sketch)).toEqual(expected);
  });
});
