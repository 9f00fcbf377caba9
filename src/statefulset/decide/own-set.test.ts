import { expect, test } from "vitest";
import type { StatefulSet } from "../../core/types.ts";
import type { VolumeExpansion } from "../types.ts";
import { withOwnSet } from "./own-set.ts";

const spec = { selector: {}, template: {} };
const record = (saved?: StatefulSet): VolumeExpansion => ({
  metadata: { name: "db", namespace: "prod" },
  spec: { statefulSetName: "db" },
  status: { phase: "UpdatingTemplate", ...(saved === undefined ? {} : { savedStatefulSet: saved }) },
});

test("a record without a set, or with its own, is left as it is", () => {
  for (const same of [record(), record({ metadata: { name: "db", namespace: "prod", uid: "1" }, spec })]) {
    expect(withOwnSet(same)).toBe(same);
  }
});

test.each<[string, object | undefined]>([
  ["of another namespace", { name: "db", namespace: "kube-system", labels: { app: "db" } }],
  ["of another name", { name: "other", namespace: "prod", labels: { app: "db" } }],
  ["of no namespace", { name: "db", labels: { app: "db" } }],
])("a set %s is taken for the one that the record is named after", (_, metadata) => {
  const read = withOwnSet(record({ metadata, spec } as StatefulSet));
  expect(read.status).toEqual({
    phase: "UpdatingTemplate",
    savedStatefulSet: { metadata: { name: "db", namespace: "prod", labels: { app: "db" } }, spec },
  });
});

test("one without metadata gets a name", () => {
  const read = withOwnSet(record({ spec } as unknown as StatefulSet));
  expect(read.status?.savedStatefulSet?.metadata).toEqual({ name: "db", namespace: "prod" });
});
