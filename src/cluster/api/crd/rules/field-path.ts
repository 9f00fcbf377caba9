/** `fieldPath` of a rule: a path from the schema that has the rule to one of its fields, `.spec.name` or `.labels['a.b']`. */
import type { Schema } from "../schema/schema.ts";

const STEP = /\.([^.[\]]+)|\[('(?:[^'\\]|\\.)*')\]/gsuy;
const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "'": "'",
  "\\": "\\",
};

/** The path as errors show it; undefined for one that leads nowhere. */
export function fieldPathOf(written: string, schema: Schema): string | undefined {
  let current: Schema = schema;
  let path = "";
  let end = 0;
  for (const found of written.matchAll(STEP)) {
    end = found.index + found[0].length;
    const name = found[1] ?? unescaped(found[2] ?? "");
    if (name === undefined) return undefined;
    if (current.properties.size > 0) {
      const inner = current.properties.get(name);
      if (inner === undefined) return undefined;
      path += path === "" ? name : `.${name}`;
      current = inner;
    } else if (typeof current.additional === "object") {
      path += `[${name}]`;
      current = current.additional;
    } else return undefined;
  }
  return end === written.length ? path : undefined;
}

function unescaped(quoted: string): string | undefined {
  let isWrong = false;
  const text = quoted.slice(1, -1).replaceAll(/\\(.)/gs, (_, letter: string) => {
    if (!(letter in ESCAPES)) isWrong = true;
    return ESCAPES[letter] ?? "";
  });
  return isWrong ? undefined : text;
}
