import { describe, expect, test } from "vitest";
import { BETA_STORAGE_CLASS } from "../core/names.ts";
import { explainObstacle, resizeObstacle, resizeRefusal } from "./claim-resize.ts";
import { aClaim, aClass, type ClaimTraits } from "./fixtures.ts";
import { storageClasses } from "./storage-classes.ts";

const classes = storageClasses([
  aClass("fast"),
  aClass("rigid", { allowVolumeExpansion: false }),
  { metadata: { name: "silent" }, provisioner: "csi.example.com" },
]);
const inClass = (name: string): ClaimTraits => ({ spec: { storageClassName: name } });
const ONLY_BOUND = "Only bound persistent volume claims can be expanded";
const ONLY_DYNAMIC =
  "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize";

describe("PersistentVolumeClaimResize", () => {
  test.each<[string, ClaimTraits, ClaimTraits, string | undefined, string]>([
    ["A2: a claim that is not bound", { phase: "Pending" }, {}, ONLY_BOUND, "the claim is Pending; only a bound claim"],
    ["A3: no class", inClass(""), inClass(""), ONLY_DYNAMIC, "the claim names no storage class"],
    [
      "A3: the classes differ",
      inClass("fast"),
      inClass("rigid"),
      ONLY_DYNAMIC,
      'made with storage class "fast", not "rigid"',
    ],
    ["A4: the class was deleted", inClass("gone"), inClass("gone"), ONLY_DYNAMIC, '"gone" does not exist; create it'],
    [
      "A5: allowVolumeExpansion is false",
      inClass("rigid"),
      inClass("rigid"),
      ONLY_DYNAMIC,
      'storage class "rigid" does not allow expansion; set allowVolumeExpansion: true on it',
    ],
    [
      "A5: allowVolumeExpansion is not set",
      inClass("silent"),
      inClass("silent"),
      ONLY_DYNAMIC,
      '"silent" does not allow',
    ],
    [
      "the beta annotation wins over the field",
      { ...inClass("fast"), annotations: { [BETA_STORAGE_CLASS]: "rigid" } },
      { ...inClass("fast"), annotations: { [BETA_STORAGE_CLASS]: "rigid" } },
      ONLY_DYNAMIC,
      '"rigid" does not allow',
    ],
  ])("%s: refused in Kubernetes' words, explained in ours", (_, before, after, refusal, explanation) => {
    const obstacle = resizeObstacle(aClaim(before), aClaim({ ...after, request: "20Gi" }), classes);
    expect(obstacle && resizeRefusal(obstacle)).toBe(refusal);
    expect(obstacle && explainObstacle(obstacle)).toContain(explanation);
  });

  test.each<[string, ClaimTraits, string]>([
    ["A1: lowering does not look at the class", { request: "100Gi", ...inClass("gone") }, "20Gi"],
    ["A1: nor does an equal size in another notation", { request: "1Gi", ...inClass("rigid") }, "1024Mi"],
    ["A6: the class allows expansion", inClass("fast"), "20Gi"],
  ])("%s: allowed", (_, traits, request) => {
    expect(resizeObstacle(aClaim(traits), aClaim({ ...traits, request }), classes)).toBeUndefined();
  });

  test("a claim without any phase is not bound either", () => {
    const { status: _, ...old } = aClaim();
    const obstacle = resizeObstacle(old, aClaim({ request: "20Gi" }), classes);
    expect(obstacle && explainObstacle(obstacle)).toContain("the claim is not bound");
  });
});
