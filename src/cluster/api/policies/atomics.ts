/**
 * Where a configuration would replace something as a whole: whoever writes one field of it hardly means to take all others
 * away, so policies may not.
 */
import { isList, isObject, type Json } from "../json.ts";
import { elementText, field, type PathElement } from "../patch/ownership/path-element.ts";
import { shapeOf, typeOfKey } from "../schema/schema.ts";
import type { FieldType } from "../schema/types.ts";

/** Paths as structured-merge-diff writes them: `.spec.template.spec.tolerations`. */
export function atomicsIn(value: Json, type: FieldType, path: readonly PathElement[] = []): string[] {
  const shape = shapeOf(type, value);
  switch (shape.kind) {
    case "scalar":
      return [];
    case "map": {
      if (!isObject(value)) return [];
      const inner = Object.entries(value).flatMap(([key, each]) => {
        const keyType = shape.fields?.has(key) === true ? typeOfKey(shape, key) : undefined;
        return keyType === undefined ? [] : atomicsIn(each, keyType, [...path, field(key)]);
      });
      return [...(shape.atomic ? [textOf(path)] : []), ...inner];
    }
    case "list": {
      if (!isList(value)) return [];
      const inner = value.flatMap((item, index) => atomicsIn(item, shape.item, [...path, { kind: "index", index }]));
      return [...(shape.atomic ? [textOf(path)] : []), ...inner];
    }
  }
}

function textOf(path: readonly PathElement[]): string {
  return path.map(elementText).join("");
}
