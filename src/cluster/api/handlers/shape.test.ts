/** Events are one object, told in the words of two versions. */
import { expect, test } from "vitest";
import { createCatalog } from "../catalog/catalog.ts";
import type { Resource } from "../catalog/resource.ts";
import { inVersion, toStored } from "./shape.ts";

const catalog = createCatalog();
const EVENTS = catalog.find("events.k8s.io", "v1", "events") as Resource;
const CORE = catalog.find("", "v1", "events") as Resource;

const told = {
  kind: "Event",
  apiVersion: "events.k8s.io/v1",
  metadata: { name: "e", namespace: "ns" },
  regarding: { kind: "Pod", name: "p" },
  note: "noted",
  reportingController: "c",
  eventTime: "2026-01-01T00:00:00.000000Z",
};

test("an event is stored as the core version tells it", () => {
  expect(toStored(EVENTS, told)).toMatchObject({
    apiVersion: "v1",
    involvedObject: { kind: "Pod", name: "p" },
    message: "noted",
    reportingComponent: "c",
  });
});

test("and comes back in the words in which it was told", () => {
  expect(inVersion(EVENTS, toStored(EVENTS, told))).toMatchObject(told);
  expect(Object.keys(inVersion(EVENTS, toStored(EVENTS, told)))).not.toContain("message");
});

test("what is in its version already is the same object", () => {
  expect(inVersion(EVENTS, told)).toBe(told);
  const stored = toStored(EVENTS, told);
  expect(inVersion(CORE, stored)).toBe(stored);
  expect(toStored(CORE, stored)).toBe(stored);
});
