import { expect, test } from "vitest";
import { DEFAULT_GATES, type Gates } from "../../core/gates.ts";
import { Quantity } from "../../core/quantity.ts";
import type { PersistentVolumeClaim } from "../../core/types.ts";
import { aClaim, CLASSES } from "../../statefulset/decide/fixtures.ts";
import { followClaims } from "./follow-claims.ts";
import { outcomeOf } from "./outcome.ts";
import type { Target } from "./targets.ts";

function target(size: string): Target {
  const template = {
    template: "data",
    size: Quantity.tryParse(size),
    written: size,
    path: "spec.storage.size",
    at: [],
    claimTemplate: undefined,
  };
  return {
    statefulSet: undefined,
    claimSelector: { matchLabels: { cluster: "shop" } },
    templates: [template],
    listPath: undefined,
  };
}

interface Around {
  readonly refused?: ReadonlyMap<string, string>;
  readonly gates?: Gates;
}

function follow(size: string, claims: readonly PersistentVolumeClaim[], around: Around = {}) {
  const { refused = new Map<string, string>(), gates = DEFAULT_GATES } = around;
  const { errors, growth, start } = followClaims({ target: target(size), claims, classes: CLASSES, gates, refused });
  const { kind, message } = outcomeOf({ errors, growth, refusals: [] });
  return { start: start.map((plan) => `${plan.kind} ${plan.name} to ${plan.to}`), kind, message };
}

const small = aClaim("shop-1", { request: "100Gi", capacity: "100Gi" });
const large = aClaim("shop-2", { request: "300Gi", capacity: "300Gi" });

test("each claim that is smaller grows, all at once; one that is larger is left alone", () => {
  const other = aClaim("shop-3", { request: "100Gi", capacity: "100Gi" });
  expect(follow("200Gi", [small, large, other])).toMatchObject({
    start: ["grow shop-1 to 200Gi", "grow shop-3 to 200Gi"],
    kind: "growing",
  });
});

test("nothing is ever asked to go down that has its size", () => {
  expect(follow("50Gi", [small, large])).toMatchObject({ start: [], kind: "resized" });
});

test("what the API server refused is told, and not asked again at once", () => {
  expect(follow("200Gi", [small], { refused: new Map([["shop-1", "exceeded quota"]]) })).toEqual({
    start: [],
    kind: "failed",
    message: "Resize failed: shop-1: the API server refused 200Gi: exceeded quota",
  });
});

test("with the gate off nothing new is started, and it is told", () => {
  const gates = { ...DEFAULT_GATES, StatefulSetVolumeExpansion: false };
  expect(follow("200Gi", [small], { gates })).toMatchObject({ start: [], kind: "failed" });
});

test("a class that does not allow expansion is told with the way out", () => {
  const rigid = aClaim("shop-1", { request: "100Gi", capacity: "100Gi", className: "rigid" });
  expect(follow("200Gi", [rigid])).toMatchObject({ start: [], kind: "failed" });
});

test("what is no size is told by its field", () => {
  expect(follow("lots", [small])).toMatchObject({
    kind: "invalid",
    message:
      'Validation failed: spec.storage.size: Invalid value: "lots": is not a size; write a number and its unit, for example 10Gi',
  });
});
