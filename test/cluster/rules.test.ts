/**
 * Whatever is missing or wrong in an object, the rules find words for it: no mistake of a client is an error inside. test/kube/fields
 * holds the words against those of a real server.
 */
import { expect, test } from "vitest";
import { withDefaults } from "../../src/cluster/api/defaults/defaults.ts";
import type { JsonObject } from "../../src/cluster/api/json.ts";
import { BUILT_IN } from "../../src/cluster/api/kinds/built-in.ts";
import { groupVersionOf } from "../../src/cluster/api/kinds/kind.ts";
import { canonicalObject } from "../../src/cluster/api/protobuf/canonical.ts";
import { kindType } from "../../src/cluster/api/schema/schema.ts";
import {
  validateCreate,
  validateSubresourceUpdate,
  validateUpdate,
} from "../../src/cluster/api/validation/validate.ts";
import { DEFAULT_GATES } from "../../src/core/gates.ts";
import { RICH } from "../kube/fields/index.ts";
import { mistakesIn } from "../kube/fields/mistakes.ts";

const AROUND = { gates: DEFAULT_GATES, classes: { named: () => undefined, defaultClass: undefined } };
const named = RICH.map((rich) => ({ ...rich, title: `${rich.kind} ${rich.called ?? ""}`.trim() }));

test.each(named)("$title", ({ apiVersion, kind: name, object, status }) => {
  const kind = BUILT_IN.find((each) => each.kind === name && groupVersionOf(each) === apiVersion)!;
  const metadata = { name: "x", resourceVersion: "7", ...(kind.namespaced ? { namespace: "default" } : {}) };
  const whole = { apiVersion, kind: name, ...object, metadata, ...(status === undefined ? {} : { status }) };
  const complete = (each: JsonObject): JsonObject => canonicalObject(withDefaults(each));
  const stored = complete(whole);
  const mistakes = mistakesIn(whole, kindType(apiVersion, name)!);
  expect(mistakes.length).toBeGreaterThan(5);
  for (const { name: what, object: wrong } of mistakes) {
    const judge = (): void => {
      const next = complete(wrong);
      validateCreate(kind, next);
      validateUpdate(kind, stored, next, AROUND);
      validateUpdate(kind, next, stored, AROUND);
      validateSubresourceUpdate(kind, stored, next, "status");
    };
    expect(judge, what).not.toThrow();
  }
});
