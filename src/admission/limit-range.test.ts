import { describe, expect, test } from "vitest";
import { aClaim } from "./fixtures.ts";
import { limitRangeRefusal } from "./limit-range.ts";

describe("LimitRange for claims", () => {
  const range = {
    metadata: { name: "sizes" },
    spec: {
      limits: [
        { type: "Container", max: { storage: "1" } },
        { type: "PersistentVolumeClaim", min: { storage: "1Gi" }, max: { storage: "50Gi" } },
      ],
    },
  };

  test.each([
    ["100Gi", "maximum storage usage per PersistentVolumeClaim is 50Gi, but request is 100Gi"],
    ["512Mi", "minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 512Mi"],
    ["50Gi", undefined],
    ["1024Mi", undefined],
  ])("a request of %s", (request, expected) => {
    expect(limitRangeRefusal(aClaim({ request }), [range])).toBe(expected);
  });

  test("a claim on its way out is left alone", () => {
    const old = aClaim({ request: "100Gi" });
    const leaving = { ...old, metadata: { ...old.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } };
    expect(limitRangeRefusal(old, [range], leaving)).toBeUndefined();
    expect(limitRangeRefusal(old, [range], old)).toContain("maximum");
  });

  test("several reasons of one range are listed together; the first range that refuses speaks", () => {
    const odd = {
      metadata: { name: "odd" },
      spec: { limits: [{ type: "PersistentVolumeClaim", min: { storage: "20Gi" }, max: { storage: "5Gi" } }] },
    };
    expect(limitRangeRefusal(aClaim(), [odd, range])).toBe(
      "[minimum storage usage per PersistentVolumeClaim is 20Gi, but request is 10Gi, maximum storage usage per PersistentVolumeClaim is 5Gi, but request is 10Gi]",
    );
  });
});
