/** What test/kube/crd sends to a real server is not repeated: here are the formats that are rarely met. */
import { expect, test } from "vitest";
import { formatOf } from "./formats.ts";

test.each([
  ["isbn10", "0321751043", "0321751044"],
  ["isbn13", "978-0321751041", "978-0321751042"],
  ["isbn", "978-0321751041", "x"],
  ["creditcard", "4111 1111 1111 1111", "4111 1111 1111 1112"],
  ["ssn", "111-22-3333", "111223333"],
  ["hexcolor", "#FFaa00", "#FFaa0"],
  ["rgbcolor", "rgb(255, 0,1)", "rgb(256,0,1)"],
  ["bsonobjectid", "507f1f77bcf86cd799439011", "507f"],
  ["uuid3", "6fa459ea-ee8a-3ca4-894e-db77e160355e", "6fa459ea-ee8a-4ca4-894e-db77e160355e"],
  ["uuid4", "6fa459ea-ee8a-4ca4-894e-db77e160355e", "6fa459ea-ee8a-4ca4-094e-db77e160355e"],
  ["uuid5", "6fa459ea-ee8a-5ca4-894e-db77e160355e", "6fa459ea-ee8a-3ca4-894e-db77e160355e"],
  ["k8s-short-name", "a-b", "a.b"],
  ["duration", "1d2h", "3 fortnights"],
  ["duration", "2 hours 3 minutes", "99999999999999999999 s"],
])("%s takes %s and not %s", (name, fine, wrong) => {
  const check = formatOf(name, ["string"])?.check;
  expect(check?.(fine)).toBe(true);
  expect(check?.(wrong)).toBe(false);
});

test("a format counts for its own types only", () => {
  expect(formatOf("int32", ["integer"])).toEqual({ name: "int32" });
  expect(formatOf("int32", ["string"])).toBeUndefined();
  expect(formatOf("date-time", ["integer"])).toBeUndefined();
  expect(formatOf("no-such-format", ["string"])).toBeUndefined();
  expect(formatOf("date", ["object"])).toBeUndefined();
});
