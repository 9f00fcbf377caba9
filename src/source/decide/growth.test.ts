import { describe, expect, test } from "vitest";
import { Quantity } from "../../core/quantity.ts";
import type { ClaimTemplate, StatefulSet } from "../../core/types.ts";
import { growthWanted, type SourceClaim, wishesFor } from "./growth.ts";

const size = (text: string) => Quantity.parse(text);

function template(name: string, storage: string): ClaimTemplate {
  return { metadata: { name }, spec: { resources: { requests: { storage } } } };
}

function aSet(...templates: ClaimTemplate[]): StatefulSet {
  return { metadata: { name: "x" }, spec: { selector: {}, template: {}, volumeClaimTemplates: templates } };
}

function aClaim(request: string, capacity: string | undefined = request, failure?: string): SourceClaim {
  return {
    name: "d-x-0",
    template: "d",
    request: size(request),
    capacity: capacity === "" ? undefined : size(capacity),
    failure,
  };
}

/** How one claim stands when the resource asks for 20Gi and the set has that already. */
function standing(claim: SourceClaim): string | undefined {
  const [growth] = growthWanted([template("d", "20Gi")], aSet(template("d", "20Gi")), [claim]);
  return growth?.claims[0]?.standing;
}

describe("MOCO: only update if the actual PVC size is smaller than the PVC size after the change", () => {
  test.each<[string, SourceClaim, string]>([
    ["a smaller claim grows", aClaim("10Gi"), "grow"],
    ["although the StatefulSet's template has the size already", aClaim("10Gi", "10Gi"), "grow"],
    ["although its volume happens to be large enough: quota counts the request", aClaim("10Gi", "30Gi"), "grow"],
    ["one that asked and waits", aClaim("20Gi", "10Gi"), "growing"],
    ["one that has it", aClaim("20Gi"), "done"],
    ["one that has it in another notation", aClaim("20480Mi", "20Gi"), "done"],
    ["a larger one (an autoresizer was faster) is left alone", aClaim("50Gi"), "done"],
    ["a larger one that is still growing, past the wish", aClaim("50Gi", "30Gi"), "done"],
    ["a larger one that is still growing, below the wish", aClaim("50Gi", "10Gi"), "growing"],
    ["one that is not bound yet and asks for enough", aClaim("20Gi", ""), "done"],
    ["one that is not bound yet and asks for less", aClaim("10Gi", ""), "grow"],
    ["one whose storage said no", aClaim("20Gi", "10Gi", "out of space"), "failed"],
    ["one that may not ask for it", aClaim("10Gi", "10Gi", "exceeded quota"), "failed"],
    ["one that failed beyond the wish, and has that", aClaim("100Gi", "20Gi", "out of space"), "done"],
  ])("%s", (_, claim, expected) => {
    expect(standing(claim)).toBe(expected);
  });
});

describe("the wish against the StatefulSet's template", () => {
  test.each([
    ["10Gi", "behind"],
    ["20480Mi", "follows"],
    ["30Gi", "ahead"],
  ])("%s: %s", (inSet, expected) => {
    expect(growthWanted([template("d", "20Gi")], aSet(template("d", inSet)), [])[0]?.inSet).toBe(expected);
  });

  test("a template that the set does not have", () => {
    expect(growthWanted([template("d", "20Gi")], aSet(), [])[0]?.inSet).toBe("missing");
  });
});

describe("what the StatefulSet is asked for", () => {
  const wishes = (inSet: string, ...claims: SourceClaim[]) =>
    [...wishesFor(growthWanted([template("d", "20Gi")], aSet(template("d", inSet)), claims))].map(
      ([name, wish]) => `${name}=${wish.toString()}`,
    );

  test.each<[string, string[], string[]]>([
    ["the template is behind", wishes("10Gi", aClaim("20Gi")), ["d=20Gi"]],
    ["the template follows, a claim does not: no resize is ever lost", wishes("20Gi", aClaim("10Gi")), ["d=20Gi"]],
    ["a claim failed: it is tried again", wishes("20Gi", aClaim("50Gi", "10Gi", "out of space")), ["d=20Gi"]],
    ["offline, without a single claim", wishes("10Gi"), ["d=20Gi"]],
    ["all there", wishes("20Gi", aClaim("20Gi")), []],
    ["claims are on their way", wishes("20Gi", aClaim("20Gi", "10Gi")), []],
    ["a larger claim is left alone", wishes("20Gi", aClaim("50Gi")), []],
    ["the template is ahead: it is never asked to go down", wishes("30Gi", aClaim("10Gi")), []],
  ])("%s", (_, actual, expected) => {
    expect(actual).toEqual(expected);
  });
});

test("each template is judged by its own claims", () => {
  const growth = growthWanted(
    [template("d", "20Gi"), template("logs", "2Gi")],
    aSet(template("d", "20Gi"), template("logs", "1Gi")),
    [aClaim("20Gi"), { ...aClaim("1Gi"), name: "logs-x-0", template: "logs" }],
  );
  expect(
    growth.map(({ template, inSet, claims }) => [template, inSet, claims.map(({ standing }) => standing)]),
  ).toEqual([
    ["d", "follows", ["done"]],
    ["logs", "behind", ["grow"]],
  ]);
});

test("a template without a size is an error that shows a right one", () => {
  expect(() => growthWanted([{ metadata: { name: "d" }, spec: {} }], aSet(), [])).toThrow(
    'claim template "d" has no readable size; write spec.resources.requests.storage, for example 10Gi',
  );
});
