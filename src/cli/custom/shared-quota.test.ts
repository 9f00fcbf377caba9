import { expect, test } from "vitest";
import { quotaErrors } from "./shared-quota.ts";

const part = (after: string, quota = "storage") => ({
  quota: [{ quota, resource: "requests.storage", before: "10Gi", after, limit: "20Gi" }],
});

test.each<[string, ReturnType<typeof part>[], string[]]>([
  ["room for all", [part("14Gi"), part("16Gi")], []],
  [
    "room for each, and not for all",
    [part("16Gi"), part("18Gi")],
    [
      'exceeded quota: storage, requested: requests.storage=14Gi, used: requests.storage=10Gi, limited: requests.storage=20Gi; raise quota "storage", free storage in the namespace, or ask for less',
    ],
  ],
  ["what one exceeds by itself is said there", [part("21Gi"), part("18Gi")], []],
  ["quotas are counted apart", [part("16Gi"), part("18Gi", "other")], []],
  ["nothing grows", [], []],
])("%s", (_, parts, errors) => {
  expect(quotaErrors(parts)).toEqual(errors);
});
