import { describe, expect, test } from "vitest";
import type { PersistentVolumeClaim, StatefulSet } from "../../core/types.ts";
import { aClaim, aSet, type ClaimTraits } from "../../statefulset/decide/fixtures.ts";
import { diagnose } from "./diagnosis.ts";
import { failureOf, propose } from "./failures.ts";
import { renderDiagnosis } from "./render.ts";

const REFUSED = { state: "ControllerResizeInfeasible", conditions: { ControllerResizeError: "no room" } };
const failed = (name: string, traits: ClaimTraits = {}): PersistentVolumeClaim =>
  aClaim(name, { request: "200Gi", capacity: "100Gi", ...REFUSED, ...traits });

function about(word: string, claims: readonly PersistentVolumeClaim[], sets: readonly StatefulSet[] = []) {
  const [kind, name = ""] = word.split("/");
  const target = { kind: kind === "sts" ? "StatefulSet" : "PersistentVolumeClaim", name } as const;
  return diagnose(target, "prod", { claims, sets, records: undefined, classes: undefined });
}

describe("a failure", () => {
  test.each<[behaviour: string, traits: ClaimTraits, at: string | undefined]>([
    ["the storage calls the size infeasible", REFUSED, "storage"],
    ["the storage refuses, and is asked again", { conditions: { ControllerResizeError: "no" } }, "storage"],
    ["the node calls it infeasible", { state: "NodeResizeInfeasible", conditions: { NodeResizeError: "no" } }, "node"],
    [
      "the node has trouble, and tries again",
      { state: "NodeResizeInProgress", conditions: { NodeResizeError: "no" } },
      undefined,
    ],
    ["nobody has said anything yet", {}, undefined],
    ["it got what it asked for", { capacity: "200Gi" }, undefined],
  ])("%s", (_, traits, at) => {
    expect(failureOf(aClaim("x", { request: "200Gi", capacity: "100Gi", ...traits }))?.at).toBe(at);
  });

  test("tells when it was last tried", () => {
    const claim = failed("x");
    const [condition] = claim.status?.conditions ?? [];
    if (condition !== undefined) condition.lastProbeTime = "2026-03-01T12:00:00Z";
    expect(failureOf(claim)?.tried).toBe("2026-03-01T12:00:00Z");
  });
});

describe("the size that is proposed", () => {
  test.each([
    ["100Gi", "200Gi", "101Gi"],
    ["1Gi", "2Gi", "1025Mi"],
    ["1Gi", "1025Mi", undefined],
    ["1500M", "10Gi", "2Gi"],
    ["1G", "1050M", "954Mi"],
  ])("has %s, asked for %s: %s", (capacity, request, expected) => {
    const failure = failureOf(failed("x", { capacity, request }));
    expect(failure && propose([failure])?.toString()).toBe(expected);
  });

  test("none when only the file system failed: the storage has grown already", () => {
    const failure = failureOf(failed("x", { state: "NodeResizeInfeasible" }));
    expect(failure && propose([failure])).toBeUndefined();
  });
});

describe("a claim", () => {
  test("on its own", () => {
    const diagnosis = about("pvc/x", [failed("x")]);
    expect(diagnosis.parts).toMatchObject([{ name: "", failures: [{ claim: "x", message: "no room" }] }]);
    expect(renderDiagnosis(diagnosis, undefined)).toBe(
      `FAILED  x: asked for 200Gi, has 100Gi
WHY     no room
LEGAL   any size of more than 100Gi; for example 101Gi. What the storage cannot do fails again
`,
    );
  });

  test("whose node failed: asking for less is no help", () => {
    const claim = failed("x", { state: "NodeResizeInfeasible", conditions: { NodeResizeError: "too large" } });
    const text = renderDiagnosis(about("pvc/x", [claim]), 80);
    expect(text).toContain(
      "WHY     too large\nLEGAL   the storage has grown already, and only the file system has not",
    );
    expect(text.split("\n").every((line) => line.length <= 80)).toBe(true);
  });

  test("that its set would ask for the same again can only be recovered with it", () => {
    const claim = failed("data-db-0");
    const heldBy = { set: "db", template: "data" };
    expect(about("pvc/data-db-0", [claim], [aSet({ wish: "data=200Gi" })])).toMatchObject({ heldBy });
    expect(about("pvc/data-db-0", [claim], [aSet()])).not.toHaveProperty("heldBy");
  });

  test("that has not failed", () => {
    expect(about("pvc/x", [aClaim("x")])).toMatchObject({ parts: [], apart: [] });
    expect(() => about("pvc/y", [aClaim("x")])).toThrow(
      'there is no PersistentVolumeClaim "y" in namespace prod; there is prod/x',
    );
  });
});

describe("a set", () => {
  test("goes above what any of its failed claims has", () => {
    const set = aSet({ wish: "data=200Gi" });
    const claims = [
      failed("data-db-0"),
      failed("data-db-1", { capacity: "120Gi" }),
      aClaim("data-db-2", { request: "200Gi" }),
    ];
    const diagnosis = about("sts/db", claims, [set]);
    expect(diagnosis.parts.map(({ name, above, proposal }) => [name, String(above), String(proposal)])).toEqual([
      ["data", "120Gi", "121Gi"],
    ]);
    expect(renderDiagnosis(diagnosis, undefined)).toContain(
      "FAILED  data: 2 claims (data-db-0, data-db-1): asked for 200Gi, has 100Gi",
    );
  });

  test("each template by itself", () => {
    const set = aSet({ wish: "data=200Gi,wal=20Gi" });
    const wal = { request: "20Gi", capacity: "10Gi" };
    const { parts } = about("sts/db", [failed("data-db-0"), failed("wal-db-0", wal)], [set]);
    expect(parts.map(({ name, proposal }) => `${name}=${proposal}`)).toEqual(["data=101Gi", "wal=11Gi"]);
  });

  test("what somebody else asked a claim for is not the set's to take back", () => {
    const diagnosis = about("sts/db", [failed("data-db-0")], [aSet()]);
    expect(diagnosis).toMatchObject({ parts: [], apart: ["data-db-0"] });
    expect(renderDiagnosis(diagnosis, undefined)).toBe(
      "ALSO    data-db-0 failed on a size that the set does not ask for: outgrow recover pvc/NAME\n",
    );
  });

  test("a claim that the controller is about to bring down is no news", () => {
    const { parts, apart } = about("sts/db", [failed("data-db-0")], [aSet({ wish: "data=150Gi" })]);
    expect({ parts, apart }).toEqual({ parts: [], apart: [] });
  });
});
