import { expect, test } from "vitest";
import { createRecent } from "./recent.ts";

test("what was used lately is there, and what nobody used for long is not", () => {
  const recent = createRecent<number, string>(3, () => 1);
  for (let n = 1; n <= 6; n++) recent.set(n, `value ${n}`);
  expect([1, 4, 6].map((n) => recent.get(n))).toEqual(["value 1", "value 4", "value 6"]);
  for (let n = 7; n <= 10; n++) {
    recent.set(n, `value ${n}`);
    expect(recent.get(6)).toBe("value 6");
  }
  expect(recent.get(2)).toBeUndefined();
  expect(recent.get(6)).toBe("value 6");
});

test("of what weighs much, little is kept", () => {
  const recent = createRecent<number, string>(10, (key) => key);
  for (const key of [20, 30, 40]) recent.set(key, String(key));
  expect([20, 30, 40].map((key) => recent.get(key))).toEqual([undefined, "30", "40"]);
});
