/** Who applies no less than before leaves nothing behind: the short way to that answer leads where the long one does. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../json.ts";
import { kindType } from "../../schema/schema.ts";
import { atOnce } from "../../steps.ts";
import { arbitraryObject } from "../testing/arbitrary-object.ts";
import { type FieldSet, NO_FIELDS } from "./field-set.ts";
import type { Managed, Manager } from "./managed-fields.ts";
import { merge } from "./merge.ts";
import { prune, pruneTheLongWay } from "./prune.ts";
import { toFieldSet } from "./to-field-set.ts";
import { validate } from "./validate.ts";

const by = (name: string, fields: FieldSet): Managed => {
  const manager: Manager = { name, operation: "Apply", apiVersion: "v1", subresource: "" };
  return new Map([[name, { manager, fields }]]);
};

test.each([
  ["v1", "Pod"],
  ["v1", "Service"],
  ["apps/v1", "StatefulSet"],
  ["v1", "ConfigMap"],
])("objects of %s %s, applied again with more or less", (apiVersion, kind) => {
  const type = kindType(apiVersion, kind);
  if (typeof type !== "object" || !("ref" in type)) throw new Error(`${kind} is no structure`);
  const any = arbitraryObject(type.ref, 4).filter((object) => validate(object, type) === undefined);
  let short = 0;
  const property = fc.property(any, any, any, fc.boolean(), (first, second, theirs, isMore) => {
    const config = (isMore ? merge(first, second, type) : second) as JsonObject;
    const [last, fields] = [toFieldSet(first, type), toFieldSet(config, type)];
    const merged = merge(merge(first, theirs, type), config, type) ?? {};
    const owners = new Map([...by("me", fields), ...by("them", toFieldSet(theirs, type))]);
    const steps = prune(merged, type, owners, last, fields);
    if (steps.next().done === true) short++;
    expect(atOnce(prune(merged, type, owners, last, fields)) ?? {}).toEqual(
      atOnce(pruneTheLongWay(merged, type, owners, last)) ?? {},
    );
  });
  fc.assert(property, { numRuns: 200, seed: 1 });
  // Both ways were gone.
  expect(short).toBeGreaterThan(50);
  expect(short).toBeLessThan(200);
});

test("what was never applied is not looked for", () => {
  const steps = prune({ a: 1 }, "any", new Map(), NO_FIELDS, NO_FIELDS);
  expect(steps.next()).toEqual({ done: true, value: { a: 1 } });
});
