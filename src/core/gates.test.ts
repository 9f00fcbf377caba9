import { expect, test } from "vitest";
import { DEFAULT_GATES, parseGates } from "./gates.ts";

const on = { StatefulSetVolumeExpansion: true, RecoverExpansionFailure: true };

test("both gates are on by default", () => {
  expect(DEFAULT_GATES).toEqual(on);
  expect(parseGates("")).toEqual(on);
});

test.each([
  ["RecoverExpansionFailure=false", { ...on, RecoverExpansionFailure: false }],
  ["RecoverVolumeExpansionFailure=false", { ...on, RecoverExpansionFailure: false }],
  ["StatefulSetVolumeExpansion=false,RecoverExpansionFailure=true", { ...on, StatefulSetVolumeExpansion: false }],
  [" StatefulSetVolumeExpansion = false , ", { ...on, StatefulSetVolumeExpansion: false }],
  ["StatefulSetVolumeExpansion=F", { ...on, StatefulSetVolumeExpansion: false }],
  ["StatefulSetVolumeExpansion=0,StatefulSetVolumeExpansion=1", on],
  ["RecoverExpansionFailure=false,RecoverVolumeExpansionFailure=True", on],
])("%j", (text, gates) => {
  expect(parseGates(text)).toEqual(gates);
});

test("what is not named keeps the default that was handed in", () => {
  const off = { StatefulSetVolumeExpansion: false, RecoverExpansionFailure: false };
  expect(parseGates("RecoverExpansionFailure=true", off)).toEqual({ ...off, RecoverExpansionFailure: true });
  expect(off.RecoverExpansionFailure).toBe(false);
});

test.each(["ExpandTheMoon", "toString", "__proto__", "recoverexpansionfailure"])(
  "%s=true is an error that lists the known gates",
  (name) => {
    expect(() => parseGates(`${name}=true`)).toThrow(
      expect.objectContaining({
        code: "GATE_UNKNOWN",
        message: `feature gate "${name}" is not known; known gates: StatefulSetVolumeExpansion, RecoverExpansionFailure, RecoverVolumeExpansionFailure`,
      }),
    );
  },
);

test.each([
  "RecoverExpansionFailure",
  "RecoverExpansionFailure=",
  "RecoverExpansionFailure=yes",
  "RecoverExpansionFailure=true=false",
  "=true",
  "RecoverExpansionFailure=true;StatefulSetVolumeExpansion=true",
])("%j is an error that shows the right form", (text) => {
  expect(() => parseGates(text)).toThrow(
    expect.objectContaining({
      code: "GATE_MALFORMED",
      message: `${JSON.stringify(text)} is not a feature gate; write NAME=true or NAME=false`,
    }),
  );
});
