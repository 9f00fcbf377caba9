import { expect, test } from "vitest";
import { BUILT_IN } from "../kinds/built-in.ts";
import { groupVersionOf } from "../kinds/kind.ts";
import { kindType, knownKinds, shapeOf } from "../schema/schema.ts";
import type { FieldType } from "../schema/types.ts";
import { type GoType, goType } from "./go-types.ts";

const split = (name: string) => [name.slice(0, name.lastIndexOf("/")), name.slice(name.lastIndexOf("/") + 1)] as const;

test.each(BUILT_IN.map((kind) => [groupVersionOf(kind), kind.kind] as const))(
  "%s %s has a type",
  (apiVersion, kind) => {
    expect(goType(apiVersion, kind)?.kind).toBe("struct");
  },
);

/** Paths of fields that one of both does not have. */
function missing(go: GoType, type: FieldType, path: string, seen: Set<GoType>): string[] {
  if (go.kind === "list" || go.kind === "map") {
    const shape = shapeOf(type, go.kind === "list" ? [] : {});
    const item = shape.kind === "list" ? shape.item : shape.kind === "map" ? shape.rest : undefined;
    return item === undefined ? [path] : missing(go.item, item, `${path}[]`, seen);
  }
  if (go.kind !== "struct" || seen.has(go)) return [];
  seen.add(go);
  const shape = shapeOf(type, {});
  if (shape.kind !== "map" || shape.structure === undefined) return [path];
  const { fields } = shape.structure;
  const unknown = Object.keys(fields).filter((name) => !go.fields.has(name));
  return [
    ...unknown.map((name) => `${path}.${name}`),
    ...[...go.fields.values()].flatMap(({ name, type: inner }) => {
      const field = fields[name];
      return field === undefined ? [`${path}.${name}`] : missing(inner, field, `${path}.${name}`, seen);
    }),
  ];
}

test.each(knownKinds().map(split))("%s %s has the fields of its schema, and no other", (apiVersion, kind) => {
  const [go, schema] = [goType(apiVersion, kind)!, kindType(apiVersion, kind)!];
  expect(missing(go, schema, kind, new Set())).toEqual([]);
});

test("DeleteOptions are the same in every version", () => {
  expect(goType("apps/v1", "DeleteOptions")).toBe(goType("v1", "DeleteOptions"));
});

test("what is not known has no type", () => {
  expect(goType("v1", "Foo")).toBeUndefined();
  expect(goType("", "constructor")).toBeUndefined();
});
