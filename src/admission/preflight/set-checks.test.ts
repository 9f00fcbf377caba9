import { describe, expect, test } from "vitest";
import type { SetFacts } from "./facts.ts";
import { type Cases, casesById, found, setFacts } from "./fixtures.ts";

const ALONE = { set: undefined };
const set = (facts: Partial<SetFacts>) => ({ set: setFacts(facts) });
const waits = (id: string, reason: string) => set({ way: "wait", holds: [{ id, reason }] });

const CASES: Cases = {
  "owner-reverts": [
    ["nobody's set", {}, ["pass: no controller owns the set"]],
    [
      "an operator's set",
      set({ owner: "MySQLCluster my", way: "wait", holds: [{ id: "owned", reason: "owned" }] }),
      [
        "refuse: MySQLCluster my owns the set and would take the change of the template back → change the size there; an ExpansionSource tells Outgrow where it is written; or insist (evenIfOwned)",
      ],
    ],
    [
      "an operator's set, told to go on",
      set({ owner: "MySQLCluster my", evenIfOwned: true }),
      ["warn: MySQLCluster my owns the set and may take the change of the template back → change the size there, too"],
    ],
    ["the template stays: the question does not arise", set({ owner: "MySQLCluster my", way: "up-to-date" }), []],
    ["a claim on its own: the question does not arise", ALONE, []],
  ],
  "rollout-in-progress": [
    ["pods at rest", {}, ["pass: no rollout is in progress"]],
    [
      "an update held at a partition",
      waits("partition", "an update is held at partition 2; lower the partition to 0 or undo the update"),
      ["warn: an update is held at partition 2 → lower the partition to 0 or undo the update"],
    ],
    [
      "pods being updated",
      waits("rollout", "pods are being updated"),
      ["warn: pods are being updated → the claims do not wait for it; the template follows when that is over"],
    ],
    ["the API server takes the edit: the question does not arise", set({ way: "patch" }), []],
  ],
  "retention-policy": [
    ["claims are retained", {}, ["pass: claims are retained when the set is deleted or scaled"]],
    [
      "claims go with the set",
      set({ retention: { whenDeleted: "Delete", whenScaled: "Retain" } }),
      [
        "warn: whenDeleted: Delete: deleting the set would delete claims → the policy is set to Retain first, the set is deleted when no claim is tied to it any more, and the policy comes back in the end",
      ],
    ],
    ["the set is not re-created: the question does not arise", set({ way: "patch" }), []],
  ],
  "template-follows": [
    ["re-created", {}, ["pass: the set can be re-created around its running pods"]],
    ["patched", set({ way: "patch" }), ["pass: the API server takes the new size"]],
    ["there already", set({ way: "up-to-date" }), ["pass: the template stays as it is"]],
    [
      "a hold that goes by itself or can be lifted",
      waits("claim-deleting", "data-db-1 is being deleted"),
      ["warn: data-db-1 is being deleted → the claims do not wait for it; the template follows when that is over"],
    ],
    [
      "a hold that nothing should start under",
      waits("set-deleting", "the set is being deleted"),
      ["refuse: the set is being deleted → wait until that is over, then look again"],
    ],
    ["a rollout has a check of its own", waits("rollout", "pods are being updated"), []],
  ],
  "set-left-behind": [
    ["a claim of its own", ALONE, []],
    [
      "a claim of a set",
      { ...ALONE, memberOf: { set: "db", template: "data" } },
      [
        "warn: data-db-0 is a claim of StatefulSet db; its template and its other claims stay as they are → grow all of them: outgrow plan sts/db data=200Gi",
      ],
    ],
  ],
};

describe.each(casesById(CASES))("%s", (id, cases) => {
  test.each(cases)("%s", (_, facts, findings) => {
    expect(found(id, facts)).toEqual(findings);
  });
});
