import { describe, expect, test } from "vitest";
import { Quantity } from "../core/quantity.ts";
import { claimUsage } from "./claim-usage.ts";

const on = { RecoverExpansionFailure: true };
const off = { RecoverExpansionFailure: false };

function usage(request: string, allocated: string | undefined, gates = on): string {
  return claimUsage(
    { request: Quantity.parse(request), allocated: allocated === undefined ? undefined : Quantity.parse(allocated) },
    gates,
  ).toString();
}

describe("what a claim counts for", () => {
  test.each([
    ["case 0: a new claim counts its request", "10Gi", undefined, "10Gi"],
    ["case 1: growing counts at once, before anything is allocated", "100Gi", "10Gi", "100Gi"],
    ["case 1: the request is lowered after a failure, the record still counts", "20Gi", "100Gi", "100Gi"],
    ["case 1: the controller lowered the record, the reduction is seen", "20Gi", "20Gi", "20Gi"],
    ["case 3: a malicious user lowers the request while the expansion is in progress", "20Gi", "100Gi", "100Gi"],
    ["case 5: 200Gi asked for while 100Gi is in progress", "200Gi", "100Gi", "200Gi"],
    ["case 5: back to 20Gi returns 100Gi of 200Gi, no more", "20Gi", "100Gi", "100Gi"],
    ["fractions of a byte are rounded up before they are compared", "1001m", "1", "2"],
    ["an allocated fraction is rounded up as well", "1", "1001m", "2"],
    ["equal sizes print as the request is written", "1Gi", "1024Mi", "1Gi"],
  ])("%s", (_, request, allocated, expected) => {
    expect(usage(request, allocated)).toBe(expected);
  });

  test("with the recovery gate off only the request counts", () => {
    expect(usage("20Gi", "100Gi", off)).toBe("20Gi");
  });

  test("when the gate is on again the recorded size counts again", () => {
    expect(usage("20Gi", "100Gi", on)).toBe("100Gi");
  });
});
