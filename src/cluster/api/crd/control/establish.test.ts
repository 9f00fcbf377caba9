/** test/kube/crd/life.test.ts holds names, reasons and messages against a real server; here is what needs none. */
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../json.ts";
import { newDefinition } from "../testing/definition.ts";
import { establish } from "./establish.ts";
import { awaitsCleanup, CLEANUP_FINALIZER, finalize, holdDefinition } from "./finalize.ts";

const NOW = "2026-01-01T00:00:00Z";
const LATER = "2026-01-02T00:00:00Z";
const condition = (type: string, status: string, reason: string, message: string, at = NOW) => ({
  type,
  status,
  lastTransitionTime: at,
  reason,
  message,
});

const namesOf = (definition: JsonObject): JsonObject => (definition["spec"] as { names: JsonObject }).names;

describe("a new definition", () => {
  test("gets its names and is established at once", () => {
    const definition = newDefinition("things", "Thing", {}, { shortNames: ["th"], categories: ["all"] });
    expect(establish(definition, [definition], NOW)["status"]).toEqual({
      conditions: [
        condition("NamesAccepted", "True", "NoConflicts", "no conflicts found"),
        condition("Established", "True", "InitialNamesAccepted", "the initial names have been accepted"),
      ],
      acceptedNames: {
        plural: "things",
        singular: "thing",
        shortNames: ["th"],
        kind: "Thing",
        listKind: "ThingList",
        categories: ["all"],
      },
      storedVersions: ["v1"],
    });
  });

  test("that is established is left as it is", () => {
    const once = establish(newDefinition("things", "Thing"), [], NOW);
    expect(establish(once, [once], LATER)).toBe(once);
  });

  test("is not disturbed by names of another group", () => {
    const other = establish(newDefinition("others", "Thing", { group: "other.example.com" }), [], NOW);
    expect(JSON.stringify(establish(newDefinition("things", "Thing"), [other], NOW))).toContain("InitialNamesAccepted");
  });

  test("whose names are taken is told which, and is not established", () => {
    const other = establish(newDefinition("others", "Other", {}, { shortNames: ["a", "b"] }), [], NOW);
    const refused = establish(newDefinition("things", "Thing", {}, { shortNames: ["a", "b", "c"] }), [other], NOW);
    expect(refused["status"]).toMatchObject({
      conditions: [
        condition("NamesAccepted", "False", "ShortNamesConflict", '["a" is already in use, "b" is already in use]'),
        condition("Established", "False", "NotAccepted", "not all names are accepted"),
      ],
      acceptedNames: { plural: "things", kind: "Thing" },
    });
    expect(establish(refused, [other], LATER)).toBe(refused);
  });

  test("may not have its own singular as a short name as well, once it has that", () => {
    const once = establish(newDefinition("things", "Thing"), [], NOW);
    const spec = { ...(once["spec"] as JsonObject), names: { ...namesOf(once), shortNames: ["thing"] } };
    expect(establish({ ...once, spec }, [once], LATER)["status"]).toMatchObject({
      conditions: [
        condition("NamesAccepted", "False", "ShortNamesConflict", '"thing" is already in use', LATER),
        condition("Established", "True", "InitialNamesAccepted", "the initial names have been accepted"),
      ],
    });
  });

  test("is established as soon as they are free, from that moment on", () => {
    const other = establish(newDefinition("others", "Thing", {}, { listKind: "Others" }), [], NOW);
    const refused = establish(newDefinition("things", "Thing"), [other], NOW);
    expect(establish(refused, [], LATER)["status"]).toMatchObject({
      conditions: [
        condition("NamesAccepted", "True", "NoConflicts", "no conflicts found", LATER),
        condition("Established", "True", "InitialNamesAccepted", "the initial names have been accepted", LATER),
      ],
    });
  });
});

describe("a definition that is deleted", () => {
  const established = establish(newDefinition("things", "Thing"), [], NOW);
  const deleted = (definition: typeof established) =>
    holdDefinition({ ...definition, metadata: { name: "things.example.com", deletionTimestamp: NOW } });

  test("is held, and says so", () => {
    const held = deleted(established);
    expect(awaitsCleanup(held)).toBe(true);
    expect(awaitsCleanup(established)).toBe(false);
    expect(held).toMatchObject({ metadata: { finalizers: [CLEANUP_FINALIZER] } });
    expect(JSON.stringify(held)).toContain('"Terminating","status":"True"');
  });

  test("goes on while objects remain, without repeating itself", () => {
    const once = finalize(deleted(established), 2, LATER);
    expect(JSON.stringify(once)).toContain("InstanceDeletionInProgress");
    expect(finalize(once, 1, LATER)).toBe(once);
  });

  test("is let go when none remains; other finalizers stay", () => {
    const held = holdDefinition({
      ...established,
      metadata: { name: "things.example.com", deletionTimestamp: NOW, finalizers: ["example.com/hold"] },
    });
    const free = finalize(held, 0, LATER);
    expect(awaitsCleanup(free)).toBe(false);
    expect(free).toMatchObject({ metadata: { finalizers: ["example.com/hold"] } });
    expect(JSON.stringify(free)).toContain("removed all instances");
  });

  test("is let go at once when it never was established", () => {
    expect(JSON.stringify(finalize(deleted(newDefinition("things", "Thing")), 5, LATER))).toContain("NeverEstablished");
  });
});
