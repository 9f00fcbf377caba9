import { expect, test } from "vitest";
import { distinctHeaders, type RequestHead, readHead } from "./request-head.ts";
import { GET } from "./testing/frames.ts";

const read = (...fields: [string, string][]): RequestHead => {
  const head = readHead([...GET, ...fields]);
  if (typeof head === "string") throw new Error(head);
  return head;
};

test("the name of the server is known, whichever way it is said", () => {
  expect(read().headers.host).toBe("localhost");
  expect(readHead([...GET.slice(0, 3), ["host", "localhost"]])).toMatchObject({ headers: { host: "localhost" } });
  expect(read(["host", "localhost"]).headers.host).toBe("localhost");
});

test("headers that come several times are joined, but for those that mean something else then", () => {
  const { headers } = read(
    ["x", "1"],
    ["x", "2"],
    ["cookie", "a"],
    ["cookie", "b"],
    ["authorization", "me"],
    ["authorization", "you"],
  );
  expect(headers).toMatchObject({ x: "1, 2", cookie: "a; b", authorization: "me" });
});

test.each(["constructor", "tostring", "hasownproperty"])("a header called %s is a header like any other", (name) => {
  const head = read([name, "x"], [name, "y"]);
  expect(Object.entries(head.headers)).toContainEqual([name, "x, y"]);
  expect(Object.entries(distinctHeaders(head))).toEqual([[name, ["x", "y"]]]);
});

test("a header called __proto__ has no effect", () => {
  const { headers } = read(["__proto__", "x"], ["authorization", "me"]);
  expect(Object.getPrototypeOf(headers)).toBe(Object.prototype);
  expect(Object.keys(headers)).toEqual(["authorization", "host"]);
});

test("a length is a number", () => {
  expect(read(["content-length", "12"]).contentLength).toBe(12);
  expect(read().contentLength).toBeUndefined();
  for (const length of ["", "-1", "+1", "1.5", "0x10", "9".repeat(16)]) {
    expect(readHead([...GET, ["content-length", length]])).toBe("content-length is no number");
  }
});
