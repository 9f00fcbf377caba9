import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../json.ts";
import { asDefinition } from "../definition/definition.ts";
import { newDefinition, version } from "../testing/definition.ts";
import { type StoredForm, storedForm } from "./stored-form.ts";

const text = { type: "string" };
const schema = (properties: JsonObject): JsonObject => ({
  schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } } },
});
const OLD = version("v1", schema({ size: text, old: text }));
const NEW = version("v2", schema({ size: text, color: { ...text, default: "red" } }));

function formOf(name: string, versions: readonly JsonObject[], generation = 1, more: JsonObject = {}): StoredForm {
  const definition = asDefinition(newDefinition("things", "Thing", { versions, ...more }));
  return storedForm({ ...definition, metadata: { ...definition.metadata, generation } }, { name });
}

const thing = (apiVersion: string, spec: JsonObject): JsonObject => ({
  apiVersion: `example.com/${apiVersion}`,
  kind: "Thing",
  metadata: { name: "a" },
  spec,
});

describe("an object of a custom kind", () => {
  test("is served as it is stored while its definition is the first, with one version", () => {
    expect(formOf("v1", [OLD]).fromStored).toBeUndefined();
  });

  test("loses what a later definition does not know, and gets its defaults", () => {
    const later = version("v1", schema({ size: text, color: { ...text, default: "red" } }));
    const { fromStored } = formOf("v1", [later], 2);
    const stored = thing("v1", { size: "1", old: "x" });
    expect(fromStored?.(stored)).toEqual(thing("v1", { size: "1", color: "red" }));
    expect(fromStored?.(stored), "made once").toBe(fromStored?.(stored));
  });

  test("is stored as the version of the storage has it", () => {
    const { toStored } = formOf("v2", [OLD, NEW]);
    expect(toStored(thing("v2", { size: "1", color: "blue" }))).toEqual(thing("v1", { size: "1" }));
  });

  test("has the defaults of the version that it is stored in, and of no other", () => {
    const stored = thing("v1", { size: "1", old: "x" });
    expect(formOf("v2", [OLD, NEW]).fromStored?.(stored)).toEqual(thing("v2", { size: "1" }));
    expect(formOf("v1", [OLD, NEW]).fromStored?.(stored)).toEqual(stored);
    expect(formOf("v1", [OLD, NEW]).fromStored?.(thing("v2", { size: "1" }))).toEqual(thing("v1", { size: "1" }));
  });

  test("of a version that is no more has what the one that is served knows", () => {
    expect(formOf("v1", [OLD], 2).fromStored?.(thing("v0", { size: "1", odd: "x" }))).toEqual(
      thing("v1", { size: "1" }),
    );
  });

  test("stays as it was written where a webhook would tell it anew", () => {
    const conversion = { strategy: "Webhook" };
    const { toStored, fromStored } = formOf("v2", [OLD, NEW], 1, { conversion });
    expect(toStored(thing("v2", { odd: "x" }))).toEqual(thing("v1", { odd: "x" }));
    expect(fromStored?.(thing("v1", { odd: "x" }))).toEqual(thing("v2", { odd: "x" }));
  });
});
