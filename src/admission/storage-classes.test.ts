import { describe, expect, test } from "vitest";
import { aClass } from "./fixtures.ts";
import { storageClasses } from "./storage-classes.ts";

describe("the default class", () => {
  const ga = { "storageclass.kubernetes.io/is-default-class": "true" };
  const beta = { "storageclass.beta.kubernetes.io/is-default-class": "true" };
  const made = (name: string, creationTimestamp: string, annotations: Record<string, string>) =>
    aClass(name, { metadata: { name, creationTimestamp, annotations } });

  test.each([
    ["none is marked", [aClass("a")], undefined],
    [
      "marked false",
      [made("a", "2026-01-01T00:00:00Z", { ...ga, ["storageclass.kubernetes.io/is-default-class"]: "false" })],
      undefined,
    ],
    ["marked by the old annotation", [aClass("a"), made("b", "2026-01-01T00:00:00Z", beta)], "b"],
    ["the newest of several", [made("a", "2026-01-01T00:00:00Z", ga), made("b", "2026-01-02T00:00:00Z", ga)], "b"],
    [
      "of equally old ones the first by name",
      [made("b", "2026-01-01T00:00:00Z", ga), made("a", "2026-01-01T00:00:00Z", ga)],
      "a",
    ],
  ])("%s", (_, list, expected) => {
    expect(storageClasses(list).defaultClass?.metadata.name).toBe(expected);
  });
});
