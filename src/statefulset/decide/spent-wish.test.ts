import { describe, expect, test } from "vitest";
import { WISH_ANNOTATION } from "../../core/names.ts";
import type { StatefulSet } from "../../core/types.ts";
import { aSet } from "./fixtures.ts";
import { withoutSpentWish } from "./spent-wish.ts";

const wishOf = (set: StatefulSet): string | undefined => set.metadata.annotations?.[WISH_ANNOTATION];
const GROWN = { data: "200Gi", wal: "10Gi" };
/** Fields as the API server writes down who owns them. */
const owning = (manager: string, fieldsV1: object) => ({ manager, operation: "Update", fieldsV1 });
const ANNOTATION = { "f:metadata": { "f:annotations": { [`f:${WISH_ANNOTATION}`]: {} } } };

describe("a wish that the templates have come to", () => {
  test.each(["data=200Gi", "data=200Gi,wal=10Gi", "data=204800Mi", ""])("%j is taken off", (wish) => {
    const set = aSet({ wish, templates: GROWN });
    const after = withoutSpentWish(set);
    expect(wishOf(after)).toBeUndefined();
    expect(after.metadata.annotations).toEqual({ "meta.helm.sh/release-name": "db" });
    expect(after.spec).toBe(set.spec);
  });

  test("is taken off when it was written by admission, by kubectl annotate, or by nobody who says so", () => {
    for (const managedFields of [
      undefined,
      [owning("helm", { "f:spec": { "f:replicas": {} } })],
      [owning("kubectl-annotate", ANNOTATION)],
    ]) {
      expect(
        wishOf(withoutSpentWish(aSet({ wish: "data=200Gi", templates: GROWN, metadata: { managedFields } }))),
      ).toBe(undefined);
    }
  });

  test("stays where a manifest declares it: taking it off would be put right again and again", () => {
    const declared = { metadata: { annotations: { [WISH_ANNOTATION]: "data=200Gi" } } };
    const annotations = {
      [WISH_ANNOTATION]: "data=200Gi",
      "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify(declared),
    };
    for (const metadata of [
      { annotations },
      { managedFields: [owning("helm", { ...ANNOTATION, "f:spec": { "f:replicas": {} } })] },
    ]) {
      const set = aSet({ wish: "data=200Gi", templates: GROWN, metadata });
      expect(withoutSpentWish(set)).toBe(set);
    }
  });
});

describe("a wish that has something to tell", () => {
  test.each([
    ["larger than the template", "data=300Gi"],
    ["smaller: a failure is being recovered from", "data=150Gi"],
    ["come true for one template only", "data=200Gi,wal=20Gi"],
    ["for a template that is not there", "data=200Gi,logs=1Gi"],
    ["that cannot be read", "data=lots"],
  ])("%s stays", (_, wish) => {
    const set = aSet({ wish, templates: GROWN });
    expect(withoutSpentWish(set)).toBe(set);
  });

  test("a set without a wish is the same", () => {
    const set = aSet();
    expect(withoutSpentWish(set)).toBe(set);
  });

  test("what kubectl was last given may be garbled: that declares nothing", () => {
    const annotations = {
      [WISH_ANNOTATION]: "data=200Gi",
      "kubectl.kubernetes.io/last-applied-configuration": "{",
    };
    expect(wishOf(withoutSpentWish(aSet({ templates: GROWN, metadata: { annotations } })))).toBeUndefined();
  });
});
