import { describe, expect, it } from "vitest";
import { DEFAULT_GATES } from "../../core/gates.ts";
import { claimsOf } from "./claim-ownership.ts";
import { desiredSizes } from "./desired-sizes.ts";
import { aSet, type ClaimTraits, claimsFor, NOW, podsFor, type SetTraits } from "./fixtures.ts";
import type { TemplateFacts } from "./holds.ts";
import { templateWay } from "./template-way.ts";

function way(traits: SetTraits, facts: Partial<TemplateFacts> = {}, claims: ClaimTraits = {}) {
  const set = aSet(traits);
  return templateWay({
    set,
    desired: desiredSizes(set),
    claims: claimsOf(set, claimsFor(set, claims)).owned,
    pods: podsFor(set),
    takesEdits: false,
    dryRun: undefined,
    gates: DEFAULT_GATES,
    evenIfOwned: false,
    now: NOW,
    ...facts,
  });
}

describe("the way of a template to its size", () => {
  it.each<[string, SetTraits]>([
    ["without a wish", {}],
    ["with a wish for what it has", { wish: "data=100Gi" }],
    ["with the same wish in another notation", { wish: "data=102400Mi" }],
    ["during a rollout, when there is nothing to do", { wish: "data=100Gi", status: { currentRevision: "db-old" } }],
  ])("is at its end %s", (_, traits) => {
    expect(way(traits)).toEqual({ kind: "up-to-date" });
  });

  it("is a patch where the API server takes one", () => {
    const found = way({ wish: "data=200Gi,wal=20Gi" }, { takesEdits: true });
    expect(found).toMatchObject({ kind: "patch" });
    if (found.kind !== "patch") return;
    expect(found.after).toEqual(aSet({ wish: "data=200Gi,wal=20Gi", templates: { data: "200Gi", wal: "20Gi" } }));
  });

  it("is a re-creation where it does not", () => {
    const found = way({ wish: "data=200Gi" });
    expect(found.kind).toBe("re-create");
    if (found.kind === "re-create") expect(found.sizes.get("data")?.toString()).toBe("200Gi");
  });

  it("waits, and says for what", () => {
    const found = way({ wish: "data=200Gi", status: { currentRevision: "db-old" } });
    expect(found).toMatchObject({ kind: "wait", holds: [{ id: "rollout" }] });
  });

  it("does not wait for the claims: they may all have failed", () => {
    expect(
      way({ wish: "data=200Gi" }, {}, { request: "200Gi", capacity: "100Gi", state: "ControllerResizeInfeasible" })
        .kind,
    ).toBe("re-create");
  });

  it("goes down again with a wish that recovers", () => {
    const found = way({ wish: "data=50Gi" }, {}, { request: "100Gi", capacity: "20Gi" });
    expect(found.kind).toBe("re-create");
  });

  it("does not go down below what a claim has", () => {
    expect(way({ wish: "data=50Gi" }, {}, { request: "100Gi", capacity: "100Gi" }).kind).toBe("up-to-date");
  });
});
