import { describe, expect, test } from "vitest";
import { parseSidecarGates, type SidecarGates } from "./gates.ts";

const DEFAULTS: SidecarGates = { recovery: true, annotate: false, modifyAskedFor: false, withoutEffect: [] };

test.each<[string, Partial<SidecarGates>]>([
  ["", {}],
  ["RecoverVolumeExpansionFailure=false", { recovery: false }],
  ["RecoverExpansionFailure=false", { recovery: false }],
  ["AnnotateFsResize=true", { annotate: true }],
  ["AnnotateFsResize=true,AnnotateFsResize=false", { annotate: false }],
  ["VolumeAttributesClass=true", { modifyAskedFor: true }],
  ["VolumeAttributesClass=false", {}],
  ["ReleaseLeaderElectionOnExit=true", {}],
  ["ReleaseLeaderElectionOnExit=false", { withoutEffect: ["ReleaseLeaderElectionOnExit=false"] }],
  ["StatefulSetVolumeExpansion=true", { withoutEffect: ["StatefulSetVolumeExpansion=true"] }],
  [" AnnotateFsResize = T , RecoverVolumeExpansionFailure=0 ", { annotate: true, recovery: false }],
])("%j", (text, changed) => {
  expect(parseSidecarGates(text)).toEqual({ ...DEFAULTS, ...changed });
});

describe("what is refused", () => {
  test("a gate that nobody knows; all that are known are named", () => {
    expect(() => parseSidecarGates("AnnotateFsResize=true,AllAlpha=true")).toThrow(
      expect.objectContaining({
        code: "GATE_UNKNOWN",
        message:
          'feature gate "AllAlpha" is not known; known gates: StatefulSetVolumeExpansion, RecoverExpansionFailure, ' +
          "RecoverVolumeExpansionFailure, AnnotateFsResize, ReleaseLeaderElectionOnExit, VolumeAttributesClass",
      }),
    );
  });

  test.each(["AnnotateFsResize", "AnnotateFsResize=yes", "AnnotateFsResize=true=true", "RecoverExpansionFailure="])(
    "%s",
    (text) => {
      expect(() => parseSidecarGates(text)).toThrow(
        expect.objectContaining({
          code: "GATE_MALFORMED",
          message: `"${text}" is not a feature gate; write NAME=true or NAME=false`,
        }),
      );
    },
  );
});
