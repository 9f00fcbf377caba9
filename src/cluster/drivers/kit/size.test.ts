import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CsiError } from "../../../csi/index.ts";
import { grantedSize } from "./size.ts";

const RULES = { defaultBytes: 1000n, minimumBytes: 30n, stepBytes: 20n };

describe("the size that is given", () => {
  test.each([
    ["nothing asked", undefined, 1000n],
    ["an exact multiple", { requiredBytes: 60n, limitBytes: 0n }, 60n],
    ["rounded up", { requiredBytes: 61n, limitBytes: 0n }, 80n],
    ["never less than can be made", { requiredBytes: 1n, limitBytes: 0n }, 40n],
    ["only a limit", { requiredBytes: 0n, limitBytes: 75n }, 60n],
    ["a limit beyond the default", { requiredBytes: 0n, limitBytes: 5000n }, 1000n],
    ["rounded within the limit", { requiredBytes: 61n, limitBytes: 80n }, 80n],
  ])("%s", (_, range, bytes) => {
    expect(grantedSize(range, RULES)).toBe(bytes);
  });

  test.each([
    ["rounding goes beyond the limit", { requiredBytes: 61n, limitBytes: 79n }, "OutOfRange"],
    ["the least that can be made is beyond the limit", { requiredBytes: 0n, limitBytes: 39n }, "OutOfRange"],
    ["no integer can hold it", { requiredBytes: 2n ** 63n - 1n, limitBytes: 0n }, "OutOfRange"],
    ["more is required than the limit", { requiredBytes: 9n, limitBytes: 8n }, "InvalidArgument"],
    ["below zero", { requiredBytes: -1n, limitBytes: 0n }, "InvalidArgument"],
  ])("is refused where %s", (_, range, code) => {
    expect(() => grantedSize(range, RULES)).toThrow(expect.objectContaining({ code }));
  });

  test("is always a multiple, within what was asked for, or refused", () => {
    const size = fc.bigInt({ min: 0n, max: 500n });
    fc.assert(
      fc.property(size, size, fc.bigInt({ min: 1n, max: 50n }), (requiredBytes, limitBytes, stepBytes) => {
        try {
          const bytes = grantedSize({ requiredBytes, limitBytes }, { ...RULES, stepBytes });
          expect(bytes % stepBytes).toBe(0n);
          expect(bytes).toBeGreaterThanOrEqual(requiredBytes);
          expect(bytes).toBeGreaterThanOrEqual(RULES.minimumBytes);
          if (limitBytes > 0n) expect(bytes).toBeLessThanOrEqual(limitBytes);
        } catch (error) {
          if (!(error instanceof CsiError)) throw error;
          expect(limitBytes).toBeGreaterThan(0n);
        }
      }),
      { seed: 284 },
    );
  });
});
