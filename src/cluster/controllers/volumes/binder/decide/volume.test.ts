import { describe, expect, test } from "vitest";
import type { PersistentVolume } from "../../../../../core/types.ts";
import { BOUND_BY_CONTROLLER, MIGRATED_TO, PROVISIONED_BY } from "../../decide/names.ts";
import { aClaim, aVolume, type ClaimSketch, type VolumeSketch } from "../../testing/objects.ts";
import { decideVolume, mustAskForClaim, type VolumeDecision } from "./volume.ts";

const REFERENCE = { namespace: "default", name: "data", uid: "1" };
const volumeOf = ({ spec, ...sketch }: VolumeSketch = {}): PersistentVolume =>
  aVolume("disk", { ...sketch, spec: { claimRef: REFERENCE, ...spec } });
const claimOf = (sketch: ClaimSketch = {}) => aClaim("data", { ...sketch, metadata: { uid: "1" } });
const decide = (sketch: VolumeSketch, claim?: ClaimSketch): VolumeDecision =>
  decideVolume({ volume: volumeOf(sketch), claim: claim === undefined ? undefined : claimOf(claim) });

describe("a volume", () => {
  test("is available while no claim, or only the name of one, stands in it", () => {
    const claimRef = { namespace: "default", name: "data" };
    for (const volume of [aVolume("disk"), aVolume("disk", { spec: { claimRef } })]) {
      expect(decideVolume({ volume, claim: undefined })).toEqual({ kind: "phase", phase: "Available" });
    }
  });

  test("is bound when its claim says so too", () => {
    expect(decide({}, { spec: { volumeName: "disk" } })).toEqual({ kind: "phase", phase: "Bound" });
  });

  test("has its claim looked at when that says nothing yet", () => {
    expect(decide({}, {})).toEqual({ kind: "look-at-claim" });
  });

  test("that its claim can never have is reported on both", () => {
    expect(decide({ spec: { volumeMode: "Block" } }, {})).toEqual({
      kind: "mismatch",
      volumeNews: {
        type: "Warning",
        reason: "VolumeMismatch",
        message:
          'Cannot bind PersistentVolume to requested PersistentVolumeClaim "data" due to incompatible volumeMode.',
      },
      claimNews: {
        type: "Warning",
        reason: "VolumeMismatch",
        message:
          'Cannot bind PersistentVolume "disk" to requested PersistentVolumeClaim due to incompatible volumeMode.',
      },
    });
  });

  test("whose claim has another one is let go; released, if it was made for that claim alone", () => {
    const elsewhere = { spec: { volumeName: "other" } };
    const provisioned = { metadata: { annotations: { [PROVISIONED_BY]: "x.example.com" } } };
    expect(decide({}, elsewhere)).toEqual({ kind: "unbind" });
    expect(decide({ metadata: { annotations: { [BOUND_BY_CONTROLLER]: "yes" } } }, elsewhere)).toEqual({
      kind: "unbind",
    });
    expect(decide(provisioned, elsewhere)).toEqual({ kind: "unbind" });
    const spec = { persistentVolumeReclaimPolicy: "Delete" };
    expect(decide({ ...provisioned, spec }, elsewhere)).toEqual({ kind: "phase", phase: "Released" });
  });
});

describe("a volume whose claim is gone", () => {
  const source = { csi: undefined as never, nfs: { server: "s", path: "/" } };

  test.each(["Bound", "Available", "Pending", undefined])("and was %s is released first", (phase) => {
    const spec = { persistentVolumeReclaimPolicy: "Recycle" };
    expect(decide({ spec, ...(phase === undefined ? {} : { phase }) })).toEqual({ kind: "phase", phase: "Released" });
  });

  test.each([
    ["Retain", {}, undefined],
    ["Delete", {}, undefined],
    ["Delete", { spec: source, metadata: { annotations: { [PROVISIONED_BY]: "x.example.com" } } }, undefined],
    ["Delete", { spec: source, metadata: { annotations: { [MIGRATED_TO]: "x.example.com" } } }, undefined],
    [
      "Delete",
      { metadata: { annotations: { [PROVISIONED_BY]: "kubernetes.io/nfs" } } },
      "no volume plugin matched name: kubernetes.io/nfs",
    ],
    [
      "Delete",
      { spec: source },
      'error getting deleter volume plugin for volume "disk": no deletable volume plugin matched',
    ],
    ["Recycle", {}, "No recycler plugin found for the volume!"],
    ["Shred", {}, "Volume has unrecognized PersistentVolumeReclaimPolicy"],
  ] satisfies [string, VolumeSketch, string | undefined][])(
    "with policy %s: %j fails with %s",
    (policy, sketch, why) => {
      const { spec: more, ...rest }: VolumeSketch = sketch;
      const spec = { ...more, persistentVolumeReclaimPolicy: policy };
      const decision = decide({ ...rest, spec, phase: "Released" });
      if (why === undefined) expect(decision).toEqual({ kind: "phase", phase: "Released" });
      else expect(decision).toMatchObject({ kind: "phase", phase: "Failed", news: { type: "Warning", message: why } });
    },
  );

  test("and that has failed stays so", () => {
    expect(decide({ phase: "Failed" })).toEqual({ kind: "phase", phase: "Failed" });
  });
});

describe("the API server is asked for the claim", () => {
  test.each([
    ["never for a volume without a uid", { spec: { claimRef: { name: "data" } } }, undefined, false],
    ["not when it is held", { phase: "Bound" }, "1", false],
    ["when another of that name is held", { phase: "Released" }, "2", true],
    ["when none is held", { phase: "Bound" }, undefined, true],
    ["not again when the volume is released", { phase: "Released" }, undefined, false],
    ["not again when the volume has failed", { phase: "Failed" }, undefined, false],
  ] satisfies [string, VolumeSketch, string | undefined, boolean][])("%s", (_, sketch, uid, expected) => {
    const held = uid === undefined ? undefined : aClaim("data", { metadata: { uid } });
    expect(mustAskForClaim(volumeOf(sketch), held)).toBe(expected);
  });
});
