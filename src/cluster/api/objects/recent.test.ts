import { expect, test } from "vitest";
import { createRecent } from "./recent.ts";

test("what was used lately is there, and what nobody used for long is not", () => {
  const recent = createRecent<number, string>(3);
  for (let n = 1; n <= 6; n++) recent.set(n, `value ${n}`);
  expect([1, 4, 6].map((n) => recent.get(n))).toEqual(["value 1", "value 4", "value 6"]);
  for (let n = 7; n <= 10; n++) {
    recent.set(n, `value ${n}`);
    expect(recent.get(6)).toBe("value 6");
  }
  expect(recent.get(2)).toBeUndefined();
  expect(recent.get(6)).toBe("value 6");
});
