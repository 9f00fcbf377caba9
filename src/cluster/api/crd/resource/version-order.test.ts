import { expect, test } from "vitest";
import { compareVersions } from "./version-order.ts";

test("stable versions come first, then the higher number, then names by the alphabet", () => {
  const ordered = ["v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1", "v11alpha2", "foo1", "foo10"];
  expect(ordered.toReversed().toSorted(compareVersions)).toEqual(ordered);
});
