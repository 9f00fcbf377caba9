/** The short way to the owner of a new object leads where the long one does, through sets of fields. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../json.ts";
import { kindType, knownKinds, structureOf } from "../../schema/schema.ts";
import { atOnce } from "../../steps.ts";
import { arbitraryObject } from "../testing/arbitrary-object.ts";
import { NOBODY, withManaged } from "./managed-fields.ts";
import { trackUpdate, updateEntries } from "./track-update.ts";
import type { WriteRequest } from "./write-request.ts";

const NOW = Date.UTC(2026, 0, 1);

function theLongWay(object: JsonObject, request: WriteRequest): JsonObject {
  return withManaged(object, atOnce(updateEntries(undefined, object, NOBODY, request)));
}

/** The order of keys counts: it is what clients see. */
function expectSame(object: JsonObject, request: WriteRequest): void {
  const short = JSON.stringify(trackUpdate(undefined, object, request), null, 1);
  expect(short).toBe(JSON.stringify(theLongWay(object, request), null, 1));
}

test.each(knownKinds())("objects of %s, whatever is in them", (name) => {
  const at = name.lastIndexOf("/");
  const [apiVersion, kind] = [name.slice(0, at), name.slice(at + 1)];
  const type = kindType(apiVersion, kind);
  if (typeof type !== "object" || !("ref" in type)) throw new Error(`${name} is no structure`);
  const { fields } = structureOf(type.ref);
  const property = fc.property(
    arbitraryObject(type.ref, 4),
    fc.constantFrom(...["", "status"].filter((each) => each === "" || Object.hasOwn(fields, each))),
    (object, subresource) =>
      expectSame({ ...object, apiVersion, kind }, { apiVersion, kind, manager: "test", now: NOW, subresource }),
  );
  fc.assert(property, { numRuns: 20, seed: 1 });
});

const JSON_VALUE = fc.jsonValue({ maxDepth: 4, stringUnit: fc.constantFrom("a", "b", ".", "\u{1f600}", "\ue000") });

test.each([
  { what: "nothing known", type: "any" },
  {
    what: "some fields known",
    type: {
      fields: {
        apiVersion: "string",
        kind: "string",
        metadata: { ref: "meta.v1.ObjectMeta" },
        spec: "any",
        size: { map: "any" },
      },
      inline: ["metadata"],
    },
  },
] as const)("custom resources with $what of their kind", ({ type }) => {
  const property = fc.property(
    arbitraryObject("meta.v1.ObjectMeta", 3),
    JSON_VALUE,
    fc.dictionary(fc.constantFrom("a", "b", "\u{1f600}", "\ue000"), JSON_VALUE),
    (metadata, spec, size) => {
      const object = { apiVersion: "a/v1", kind: "A", metadata, spec, size } as JsonObject;
      const custom = { type, hasStatus: true };
      expectSame(object, { apiVersion: "a/v1", kind: "A", manager: "test", now: NOW, custom });
    },
  );
  fc.assert(property, { numRuns: 300, seed: 1 });
});

test("an item that is there twice", () => {
  const ports = [{ containerPort: 80, name: "a" }, { containerPort: 80 }, { containerPort: 81 }];
  const object = { apiVersion: "v1", kind: "Pod", spec: { containers: [{ name: "b", ports }, { name: "a" }] } };
  expectSame(object, { apiVersion: "v1", kind: "Pod", manager: "test", now: NOW });
});
