import { expect, test } from "vitest";
import { fieldErrorText } from "../../../admission/verdict.ts";
import {
  type Counts,
  checkDaemonSetStatus,
  checkDeploymentStatus,
  checkReplicaSetStatus,
  checkStatefulSetStatus,
} from "./workload-statuses.ts";

type Check = (next: Counts, old: Counts) => ReturnType<typeof checkDeploymentStatus>;

const CASES: readonly (readonly [string, Check, Counts, Counts, readonly string[]])[] = [
  [
    "a Deployment with all that it wants",
    checkDeploymentStatus,
    { replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2, conditions: [] },
    {},
    [],
  ],
  [
    "a Deployment with more available than ready",
    checkDeploymentStatus,
    { replicas: 2, readyReplicas: 1, availableReplicas: 2 },
    {},
    ["status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas"],
  ],
  [
    "a Deployment with more updated than there are, and less than none",
    checkDeploymentStatus,
    { replicas: 1, updatedReplicas: 2, unavailableReplicas: -1 },
    {},
    [
      "status.unavailableReplicas: Invalid value: -1: must be greater than or equal to 0",
      "status.updatedReplicas: Invalid value: 2: cannot be greater than status.replicas",
    ],
  ],
  [
    "a ReplicaSet with more labeled than there are",
    checkReplicaSetStatus,
    { replicas: 1, fullyLabeledReplicas: 2 },
    {},
    ["status.fullyLabeledReplicas: Invalid value: 2: cannot be greater than status.replicas"],
  ],
  [
    "a StatefulSet with more available than ready",
    checkStatefulSetStatus,
    { replicas: 2, availableReplicas: 1 },
    {},
    ["status.availableReplicas: Invalid value: 1: cannot be greater than status.readyReplicas"],
  ],
  ["a DaemonSet with more ready than wanted", checkDaemonSetStatus, { numberReady: 3, numberAvailable: 5 }, {}, []],
  ["collisions that go on", checkDaemonSetStatus, { collisionCount: 2 }, { collisionCount: 1 }, []],
  [
    "collisions that are fewer",
    checkDeploymentStatus,
    { collisionCount: 1 },
    { collisionCount: 2 },
    ["status.collisionCount: Invalid value: 1: cannot be decremented"],
  ],
  [
    "collisions that are forgotten",
    checkStatefulSetStatus,
    {},
    { collisionCount: 0 },
    ["status.collisionCount: Invalid value: 0: cannot be decremented"],
  ],
];

test.each(CASES)("%s", (_, check, next, old, expected) => {
  expect(check(next, old).map(fieldErrorText)).toEqual(expected);
});
