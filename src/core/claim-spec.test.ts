import { expect, test } from "vitest";
import { specDifferences } from "./claim-spec.ts";
import type { PersistentVolumeClaimSpec } from "./types.ts";

const spec: PersistentVolumeClaimSpec = {
  accessModes: ["ReadWriteOnce"],
  resources: { requests: { storage: "1Gi" } },
};

test.each<[string, PersistentVolumeClaimSpec, string[]]>([
  ["the same size in another notation", { ...spec, resources: { requests: { storage: "1024Mi" } } }, []],
  ["a default filled in", { ...spec, volumeMode: "Filesystem" }, []],
  ["empty limits", { ...spec, resources: { requests: { storage: "1Gi" }, limits: {} } }, []],
  ["null, which is missing", { ...spec, storageClassName: null as never }, []],
  ["an empty class, which asks for no provisioning", { ...spec, storageClassName: "" }, ["storageClassName"]],
  ["an empty selector, which rules it out", { ...spec, selector: {} }, ["selector"]],
  ["the order of access modes", { ...spec, accessModes: ["ReadOnlyMany", "ReadWriteOnce"] }, ["accessModes"]],
  [
    "several fields, sorted",
    { accessModes: ["ReadWriteMany"], resources: { requests: { storage: "2Gi" }, limits: { storage: "3Gi" } } },
    ["accessModes", "resources.limits.storage", "resources.requests.storage"],
  ],
])("%s", (_, other, expected) => {
  expect(specDifferences(spec, other).map(({ path }) => path)).toEqual(expected);
  expect(specDifferences(other, spec).map(({ path }) => path)).toEqual(expected);
});

test("a difference shows both values as they were written", () => {
  expect(specDifferences(spec, { ...spec, resources: { requests: { storage: "2048Mi" } } })).toEqual([
    { path: "resources.requests.storage", from: "1Gi", to: "2048Mi" },
  ]);
});
