import { describe, expect, it } from "vitest";
import { desiredSizes } from "./desired-sizes.ts";
import { aSet } from "./fixtures.ts";
import { parseWish } from "./wish.ts";

function told(sizes: ReturnType<typeof desiredSizes>): string[] {
  return sizes.map(({ template, size, from }) => `${template} ${size} by ${from}`);
}

describe("the desired size of a template", () => {
  it.each([
    ["is the template's own without a wish", undefined, ["data 100Gi by template", "wal 10Gi by template"]],
    ["is the wish where there is one", "data=200Gi", ["data 200Gi by wish", "wal 10Gi by template"]],
    ["is the wish for several templates at once", "wal=20Gi,data=200Gi", ["data 200Gi by wish", "wal 20Gi by wish"]],
    ["may be lowered by a wish, to recover", "data=50Gi", ["data 50Gi by wish", "wal 10Gi by template"]],
    ["ignores a wish for a template that is not there", "log=5Gi", ["data 100Gi by template", "wal 10Gi by template"]],
  ])("%s", (_, wish, expected) => {
    expect(told(desiredSizes(aSet(wish === undefined ? {} : { wish })))).toEqual(expected);
  });

  it("comes from the wish that is handed in, rather than from the set's own", () => {
    const sizes = desiredSizes(aSet({ wish: "data=200Gi" }), parseWish("data=300Gi"));
    expect(told(sizes)).toEqual(["data 300Gi by wish", "wal 10Gi by template"]);
  });

  it("goes with what the template says now and the class that it names", () => {
    const [data] = desiredSizes(aSet({ wish: "data=200Gi" }));
    expect(data?.templateSize.toString()).toBe("100Gi");
    expect(data?.className).toBe("fast");
  });

  it("of a template that cannot be read is an error that names set and field", () => {
    expect(() => desiredSizes(aSet({ templates: { data: "huge" } }))).toThrow(
      "StatefulSet prod/db: spec.volumeClaimTemplates[data].spec.resources.requests.storage:",
    );
  });
});
