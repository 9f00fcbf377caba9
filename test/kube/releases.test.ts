import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pinnedVersion } from "./kube-module.ts";
import { gatesOn, PINNED_ONLY, skippedOn, wantedVersion } from "./releases.ts";

describe("the release to run on", () => {
  it.each<[string | undefined, string | undefined, string]>([
    [undefined, undefined, pinnedVersion()],
    [undefined, "", pinnedVersion()],
    [undefined, "v1.34.4", "1.34.4"],
    ["1.31.0", "1.34.4", "1.31.0"],
  ])("given %s, and %s in the environment, is %s", (given, variable, wanted) => {
    expect(wantedVersion(given, { OUTGROW_KUBE_VERSION: variable })).toBe(wanted);
  });
});

describe("suites", () => {
  it("are all run on the pinned release", () => {
    expect(skippedOn(pinnedVersion())).toEqual([]);
  });

  it("that are skipped on others exist, and are skipped for a reason", () => {
    const skipped = skippedOn("1.31.0");
    expect(skipped.map(({ suites }) => suites)).toEqual(Object.keys(PINNED_ONLY));
    for (const { suites, why } of skipped) {
      expect(why).not.toBe("");
      expect(existsSync(join(import.meta.dirname, suites)), suites).toBe(true);
    }
  });
});

it("recovery is asked for where it is not on by itself", () => {
  expect(gatesOn("1.31.0")).toEqual({ RecoverVolumeExpansionFailure: true });
  expect(gatesOn("1.34.4")).toEqual({});
});
