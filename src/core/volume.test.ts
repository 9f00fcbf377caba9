import { expect, test } from "vitest";
import { readClaim } from "./claim.ts";
import type { PersistentVolume } from "./types.ts";
import { isBoundTo, readVolume } from "./volume.ts";

const volume: PersistentVolume = {
  kind: "PersistentVolume",
  metadata: { name: "pv-1", annotations: { note: "x" } },
  spec: {
    capacity: { storage: "10Gi" },
    claimRef: { namespace: "prod", name: "data-db-0", uid: "u1" },
    csi: { driver: "disk.example.com", volumeHandle: "vol-1" },
  },
};

test("a volume with everything on it", () => {
  const view = readVolume(volume);
  expect(view).toMatchObject({
    name: "pv-1",
    driver: "disk.example.com",
    claimNamespace: "prod",
    claimUid: "u1",
    annotations: { note: "x" },
  });
  expect(view.capacity.toString()).toBe("10Gi");
});

test("a volume with nothing on it has capacity zero, as Kubernetes reads it", () => {
  const view = readVolume({ metadata: { name: "pv-1" }, spec: {} });
  expect(view).toMatchObject({ driver: undefined, claimNamespace: undefined, claimUid: undefined, annotations: {} });
  expect(view.capacity.toString()).toBe("0");
});

test("a capacity that cannot be read is an error that names the volume and the field", () => {
  expect(() => readVolume({ ...volume, spec: { capacity: { storage: "much" } } })).toThrow(
    expect.objectContaining({
      code: "OBJECT_MALFORMED",
      message: expect.stringContaining('PersistentVolume pv-1: spec.capacity.storage: "much"'),
    }),
  );
});

test.each([
  ["the very claim", "prod", "u1", true],
  ["a claim of the same name that came later", "prod", "u2", false],
  ["a claim in another namespace", "test", "u1", false],
])("it is bound to %s: %s/%s", (_, namespace, uid, bound) => {
  const claim = readClaim({ metadata: { name: "data-db-0", namespace, uid }, spec: {} });
  expect(isBoundTo(readVolume(volume), claim)).toBe(bound);
});
