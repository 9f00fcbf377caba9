import { describe, expect, it } from "vitest";
import { claimsOf } from "./claim-ownership.ts";
import { desiredSizes } from "./desired-sizes.ts";
import { aClaim, aSet, size } from "./fixtures.ts";
import { templateTarget, withTemplateSizes } from "./template-target.ts";

/** The target of template data, which says 100Gi, for this wish and claims of these capacities. */
function target(wish: string, ...capacities: string[]): string | undefined {
  const set = aSet({ wish, templates: { data: "100Gi" } });
  const claims = capacities.map((capacity, ordinal) => aClaim(`data-db-${ordinal}`, { request: "300Gi", capacity }));
  return templateTarget(desiredSizes(set), claimsOf(set, claims).owned).get("data")?.toString();
}

describe("a template goes", () => {
  it.each<[string, string, string[], string]>([
    ["up to the desired size", "data=200Gi", ["100Gi"], "200Gi"],
    ["up to the desired size, although a claim was made larger by somebody else", "data=200Gi", ["300Gi"], "200Gi"],
    ["nowhere when it is what is desired", "data=100Gi", ["300Gi"], "100Gi"],
    ["down to the desired size, to recover", "data=50Gi", ["40Gi", "40Gi"], "50Gi"],
    ["down, but not below what a claim already has", "data=50Gi", ["40Gi", "80Gi"], "80Gi"],
    ["not down when a claim has all of it", "data=50Gi", ["40Gi", "100Gi"], "100Gi"],
    ["not up because of claims that are larger, when it should go down", "data=50Gi", ["300Gi"], "100Gi"],
    ["down to the desired size when there are no claims", "data=50Gi", [], "50Gi"],
  ])("%s", (_, wish, capacities, expected) => {
    expect(target(wish, ...capacities)).toBe(expected);
  });
});

describe("a set with other template sizes", () => {
  it("differs in nothing else", () => {
    const set = aSet();
    const after = withTemplateSizes(set, new Map([["data", size("200Gi")]]));
    expect(after).toEqual(aSet({ templates: { data: "200Gi", wal: "10Gi" } }));
    expect(set).toEqual(aSet());
  });

  it("is the same object when the sizes are the same, in whatever notation", () => {
    const set = aSet();
    expect(withTemplateSizes(set, new Map([["data", size("102400Mi")]]))).toBe(set);
  });
});
