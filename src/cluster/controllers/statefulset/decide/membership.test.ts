import { expect, test } from "vitest";
import type { Pod } from "../../../../core/types.ts";
import { aPod, aSet } from "../testing/objects.ts";
import { membersOf } from "./membership.ts";
import { controllerReference } from "./names.ts";

const set = aSet();
const pod = (metadata: Partial<Pod["metadata"]> = {}): Pod => aPod(set, { ordinal: 0, metadata });
const LABELS = { app: "db" };
const ORPHAN = { ownerReferences: [], labels: LABELS };
const other = controllerReference("StatefulSet", { metadata: { name: "db", uid: "other" } });
const deleting = aSet({}, { metadata: { ...set.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } });

test.each([
  ["its own", set, pod(), "members"],
  ["one without an owner", set, pod(ORPHAN), "adopt"],
  ["one without an owner that goes", set, pod({ ...ORPHAN, deletionTimestamp: "2026-01-01T00:00:00Z" }), undefined],
  ["one without an owner and of another name", set, pod({ ...ORPHAN, name: "web-0" }), undefined],
  ["one whose name only looks like it", set, pod({ ...ORPHAN, name: "db-00" }), undefined],
  ["one without an owner and with other labels", set, pod({ ownerReferences: [], labels: {} }), undefined],
  ["one of another owner", set, pod({ ownerReferences: [other] }), undefined],
  ["its own with other labels", set, pod({ labels: { app: "web" } }), "release"],
  ["its own with other labels, while the set goes", deleting, pod({ labels: { app: "web" } }), undefined],
  ["one without an owner, while the set goes", deleting, pod(ORPHAN), undefined],
  ["its own, while the set goes", deleting, pod(), "members"],
] as const)("of the pods, %s", (_, owner, each, group) => {
  const expected = { members: [], adopt: [], release: [], ...(group === undefined ? {} : { [group]: [each] }) };
  expect(membersOf(owner, [each])).toEqual(expected);
});
