import { expect, test } from "vitest";
import { keyOf, prefixOf } from "./keys.ts";

test("a key says resource, namespace and name, in this order", () => {
  expect(keyOf({ resource: "pods", namespace: "prod", name: "db-0" })).toBe("pods/prod/db-0");
  expect(keyOf({ resource: "persistentvolumes", name: "pv-1" })).toBe("persistentvolumes/pv-1");
});

test("a prefix is that of a resource or of a namespace in it", () => {
  expect(prefixOf("mysqlclusters.moco.cybozu.com")).toBe("mysqlclusters.moco.cybozu.com/");
  expect(prefixOf("pods", "prod")).toBe("pods/prod/");
});

test.each([
  { resource: "pods", namespace: "a/b", name: "c" },
  { resource: "pods", namespace: "a", name: "b/c" },
  { resource: "pods", namespace: "", name: "c" },
  { resource: "pods", name: "" },
  { resource: "", name: "c" },
])("%j has no key: another object could have the same", (name) => {
  expect(() => keyOf(name)).toThrow(expect.objectContaining({ reason: "Unstorable" }));
});
