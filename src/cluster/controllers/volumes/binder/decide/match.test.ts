import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PersistentVolume } from "../../../../../core/types.ts";
import { aClaim, aVolume, type ClaimSketch, type VolumeSketch } from "../../testing/objects.ts";
import { findVolume, isMeantFor, mismatch } from "./match.ts";

const available = (name: string, sketch: VolumeSketch = {}): PersistentVolume =>
  aVolume(name, { phase: "Available", ...sketch });
const found = (claim: ClaimSketch, volumes: readonly PersistentVolume[], delayed = false): string | undefined =>
  findVolume(aClaim("data", { metadata: { uid: "1" }, ...claim }), volumes, { delayed })?.metadata.name;
const keptFor = (name: string, uid?: string): VolumeSketch => ({
  spec: { claimRef: { namespace: "default", name, ...(uid === undefined ? {} : { uid }) } },
});

describe("the volume for a claim", () => {
  test("is the smallest that is large enough", () => {
    const volumes = [
      available("a", { size: "10Gi" }),
      available("b", { size: "2Gi" }),
      available("c", { size: "3000Mi" }),
    ];
    expect(found({ size: "2.5Gi" }, volumes)).toBe("c");
    expect(found({ size: "2Gi" }, volumes)).toBe("b");
    expect(found({ size: "11Gi" }, volumes)).toBeUndefined();
  });

  test("is the first by name of equals", () => {
    expect(found({}, [available("b"), available("a"), available("c")])).toBe("a");
  });

  test("is the one that is kept for the claim, though it is of another class, larger and not available yet", () => {
    const kept = aVolume("kept", { size: "9Gi", ...keptFor("data") });
    expect(
      found({ spec: { storageClassName: "fast" } }, [available("other", { spec: { storageClassName: "fast" } }), kept]),
    ).toBe("kept");
  });

  test.each([
    ["is too small", { size: "1Mi" }],
    ["has another mode", { spec: { ...keptFor("data").spec, volumeMode: "Block" } }],
    ["lacks an access mode", { spec: { ...keptFor("data").spec, accessModes: ["ReadOnlyMany"] } }],
    ["has another attributes class", { spec: { ...keptFor("data").spec, volumeAttributesClassName: "gold" } }],
    ["is being deleted", { metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } }],
  ] satisfies [string, VolumeSketch][])("is not even one that is kept for it when that %s", (_, sketch) => {
    expect(found({}, [available("kept", { ...keptFor("data"), ...sketch })])).toBeUndefined();
  });

  test.each([
    ["is not available", { phase: "Released" }],
    ["is of another class", { spec: { storageClassName: "fast" } }],
    ["is somebody else's", keptFor("other")],
    ["is kept for a claim of the same name that is gone", keptFor("data", "old")],
  ] satisfies [string, VolumeSketch][])("is none that %s", (_, sketch) => {
    expect(found({}, [available("disk", sketch)])).toBeUndefined();
  });

  test("has labels that the selector wants", () => {
    const volumes = [available("slow", { metadata: { labels: { speed: "slow" } } }), available("plain")];
    expect(found({ spec: { selector: { matchLabels: { speed: "slow" } } } }, volumes)).toBe("slow");
    expect(found({ spec: { selector: { matchLabels: { speed: "fast" } } } }, volumes)).toBeUndefined();
  });

  test("has as few access modes as there are", () => {
    const both = available("a", { spec: { accessModes: ["ReadWriteOnce", "ReadOnlyMany"] } });
    expect(found({}, [both, available("b", { size: "9Gi" })])).toBe("b");
    expect(found({ spec: { accessModes: ["ReadOnlyMany"] } }, [both])).toBe("a");
  });

  test("is only one that is kept for it while it waits for its first consumer", () => {
    expect(found({}, [available("disk")], true)).toBeUndefined();
    expect(found({}, [available("disk"), available("kept", keptFor("data"))], true)).toBe("kept");
  });

  test("does not depend on the order in which volumes come, and no smaller one would do", () => {
    const volume = fc.record({ size: fc.integer({ min: 1, max: 9 }), many: fc.boolean(), free: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(volume, { maxLength: 6 }),
        fc.integer({ min: 1, max: 9 }),
        fc.nat(),
        (sketches, size, turn) => {
          const volumes = sketches.map(({ size, many, free }, index) =>
            available(`v${index}`, {
              size: `${size}Gi`,
              phase: free ? "Available" : "Bound",
              spec: { accessModes: many ? ["ReadWriteOnce", "ReadWriteMany"] : ["ReadWriteOnce"] },
            }),
          );
          const at = volumes.length === 0 ? 0 : turn % volumes.length;
          const name = found({ size: `${size}Gi` }, volumes);
          expect(found({ size: `${size}Gi` }, [...volumes.slice(at), ...volumes.slice(0, at)])).toBe(name);
          const fitting = sketches.filter((each) => each.free && each.size >= size);
          expect(name !== undefined).toBe(fitting.length > 0);
          const chosen = sketches[Number(name?.slice(1))];
          const alike = fitting.filter(({ many }) => many === chosen?.many);
          if (chosen !== undefined) expect(chosen.size).toBe(Math.min(...alike.map((each) => each.size)));
        },
      ),
      { seed: 6 },
    );
  });
});

describe("a volume that a claim names", () => {
  test.each([
    [{}, undefined],
    [{ metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } }, 'the volume is marked for deletion "disk"'],
    [{ size: "1023Mi" }, "requested PV is too small"],
    [{ spec: { storageClassName: "fast" } }, "storageClassName does not match"],
    [{ spec: { volumeAttributesClassName: "gold" } }, "volumeAttributesClassName does not match"],
    [{ spec: { volumeMode: "Block" } }, "incompatible volumeMode"],
    [{ spec: { accessModes: ["ReadWriteMany"] } }, "incompatible accessMode"],
  ] satisfies [VolumeSketch, string | undefined][])("%j: %s", (sketch, why) => {
    expect(mismatch(aVolume("disk", sketch), aClaim("data"))).toBe(why);
  });
});

describe("a volume is meant for a claim", () => {
  test.each([
    [undefined, false],
    [{ namespace: "default", name: "data" }, true],
    [{ namespace: "default", name: "data", uid: "" }, true],
    [{ namespace: "default", name: "data", uid: "1" }, true],
    [{ namespace: "default", name: "data", uid: "2" }, false],
    [{ namespace: "prod", name: "data" }, false],
    [{ namespace: "default", name: "wal" }, false],
  ])("%j: %s", (claimRef, expected) => {
    const volume = aVolume("disk", { spec: claimRef === undefined ? {} : { claimRef } });
    expect(isMeantFor(volume, aClaim("data", { metadata: { uid: "1" } }))).toBe(expected);
  });
});
