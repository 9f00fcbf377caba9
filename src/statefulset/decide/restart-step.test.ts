import { describe, expect, test } from "vitest";
import { toTimestamp } from "../../core/clock.ts";
import { DEFAULT_GATES } from "../../core/gates.ts";
import type { PersistentVolumeClaim, Pod } from "../../core/types.ts";
import { desiredSizes } from "./desired-sizes.ts";
import { aClaim, aSet, CLASSES, type ClaimTraits, NOW, podsFor } from "./fixtures.ts";
import { planClaims } from "./plan-claims.ts";
import {
  HOLD_FOR,
  isRestarting,
  NODE_PATIENCE,
  RESTART_AGAIN,
  RESTART_FINALIZER,
  type RestartFacts,
  type RestartStep,
  restartStep,
} from "./restart-step.ts";
import { RECREATE_FINALIZER } from "./saved-set.ts";

const SET = aSet({ templates: { data: "100Gi" }, wish: "data=200Gi" });
const MINUTE = 60_000;
const ago = (milliseconds: number): string => toTimestamp(NOW - milliseconds);

const DONE: ClaimTraits = { request: "200Gi", capacity: "200Gi" };
/** As the resizer leaves a claim whose driver said "volume in use". */
const IN_USE: ClaimTraits = {
  request: "200Gi",
  capacity: "100Gi",
  state: "ControllerResizeInProgress",
  conditions: { ControllerResizeError: "failed to expand pvc with rpc error: code = FailedPrecondition desc = in use" },
};
const NODE: ClaimTraits = {
  request: "200Gi",
  capacity: "100Gi",
  state: "NodeResizePending",
  conditions: { FileSystemResizePending: "waiting" },
};

/** Claims 0, 1 and 2, with every condition this old. */
function claims(traits: readonly ClaimTraits[], age = MINUTE): PersistentVolumeClaim[] {
  return traits.map((each, ordinal) => {
    const claim = aClaim(`data-db-${ordinal}`, each);
    const conditions = claim.status?.conditions?.map((each) => ({ ...each, lastTransitionTime: ago(age) }));
    return conditions === undefined ? claim : { ...claim, status: { ...claim.status, conditions } };
  });
}

interface PodTraits {
  readonly ready?: boolean;
  readonly age?: number;
  /** For how long it has been deleted. */
  readonly deleted?: number;
  readonly held?: boolean;
}

function pods(traits: Readonly<Record<number, PodTraits>> = {}): Pod[] {
  return podsFor(SET).map((pod, ordinal) => {
    const { ready = true, age = 60 * MINUTE, deleted, held = false } = traits[ordinal] ?? {};
    return {
      ...pod,
      metadata: {
        ...pod.metadata,
        creationTimestamp: ago(age),
        ...(deleted === undefined ? {} : { deletionTimestamp: ago(deleted) }),
        ...(held ? { finalizers: [RESTART_FINALIZER] } : {}),
      },
      status: { phase: "Running", conditions: [{ type: "Ready", status: ready ? "True" : "False" }] },
    };
  });
}

function stepFor(traits: readonly ClaimTraits[], more: Partial<RestartFacts> = {}, age = MINUTE): RestartStep {
  const objects = claims(traits, age);
  const plans = planClaims({
    set: SET,
    desired: desiredSizes(SET),
    claims: objects,
    classes: CLASSES,
    gates: DEFAULT_GATES,
    beyondReplicas: false,
  });
  const facts = { set: SET, plans, claims: objects, pods: pods(), mode: "WhenNeeded", now: NOW } as const;
  return restartStep({ ...facts, ...more });
}

function decide(...about: Parameters<typeof stepFor>): string {
  const step = stepFor(...about);
  switch (step.kind) {
    case "nothing":
      return "nothing";
    case "evict":
      return `evict ${step.pod.metadata.name}${step.hold ? " and hold it" : ""}`;
    case "let-go":
      return `let go ${step.pods.map(({ metadata }) => metadata.name).join()}`;
    case "wait":
      return `${step.pod} ${step.reason}${step.at === undefined ? "" : ` until ${(step.at - NOW) / MINUTE} min`}`;
  }
}

describe("a driver that grows only what is not in use", () => {
  test.each([["Never"], [undefined]] as const)("restartPods %s: nobody is restarted", (mode) => {
    expect(decide([IN_USE, IN_USE, IN_USE], { mode })).toBe("nothing");
  });

  test("from the highest ordinal down, and only those that need it", () => {
    expect(decide([IN_USE, IN_USE, IN_USE])).toBe("evict db-2 and hold it");
    expect(decide([IN_USE, IN_USE, DONE])).toBe("evict db-1 and hold it");
    expect(decide([DONE, DONE, DONE])).toBe("nothing");
  });

  test.each<[string, Readonly<Record<number, PodTraits>>, string]>([
    ["on its way out", { 2: { deleted: 0 } }, "db-2 waits for db-2 to stop"],
    ["back, and not ready yet", { 2: { age: 0, ready: false } }, "db-2 waits for db-2 to be ready"],
    ["another one that is not ready", { 0: { ready: false } }, "db-0 waits for db-0 to be ready"],
  ])("one at a time: %s", (_, traits, said) => {
    expect(decide([DONE, IN_USE, IN_USE], { pods: pods(traits) })).toBe(said);
  });

  test("one that is gone is waited for", () => {
    expect(decide([IN_USE, IN_USE, IN_USE], { pods: pods().slice(0, 2) })).toBe("db-2 waits for db-2 to come back");
  });

  test("one that is not ready and needs it is restarted: its disk may be full", () => {
    expect(decide([DONE, DONE, IN_USE], { pods: pods({ 2: { ready: false } }) })).toBe("evict db-2 and hold it");
  });

  test("nobody is stopped in the middle of a re-creation of the set; one that is held is let go", () => {
    const set = { ...SET, metadata: { ...SET.metadata, finalizers: [RECREATE_FINALIZER] } };
    expect(decide([IN_USE, IN_USE, IN_USE], { set })).toBe("db-2 waits for the set to be re-created");
    const held = pods({ 2: { deleted: MINUTE, held: true } });
    expect(decide([IN_USE, IN_USE, DONE], { set, pods: held })).toBe("let go db-2");
  });

  test("one that was restarted in vain has its time before it, or anybody else, is restarted again", () => {
    const restarted = pods({ 2: { age: RESTART_AGAIN / 2 } });
    const waits = `db-2 waits for its volumes to grow after the restart until ${RESTART_AGAIN / 2 / MINUTE} min`;
    expect(decide([DONE, IN_USE, IN_USE], { pods: restarted })).toBe(waits);
    const old = pods({ 2: { age: RESTART_AGAIN } });
    expect(decide([DONE, IN_USE, IN_USE], { pods: old }, 60 * MINUTE)).toBe("evict db-2 and hold it");
  });
});

describe("a pod that is held", () => {
  const stopped = { 2: { deleted: MINUTE, held: true } };
  const growing = { request: "200Gi", capacity: "100Gi", state: "ControllerResizeInProgress" };
  const failed = { ...growing, state: "ControllerResizeInfeasible" };

  test.each([
    ["the driver is asked again", IN_USE],
    ["the storage grows", growing],
  ])("stays away while %s", (_, claim) => {
    const stays = `db-2 waits for the volumes of db-2 to grow while it is stopped until ${HOLD_FOR / MINUTE - 1} min`;
    expect(decide([DONE, IN_USE, claim], { pods: pods(stopped) })).toBe(stays);
  });

  test.each([
    ["its volume has grown and the node is to go on", [DONE, IN_USE, NODE], {}],
    ["it has its size", [DONE, DONE, DONE], {}],
    ["the storage has refused the size", [DONE, DONE, failed], {}],
    ["nobody wants restarts any more", [DONE, DONE, IN_USE], { mode: "Never" as const }],
    ["its time is over", [DONE, DONE, IN_USE], { pods: pods({ 2: { deleted: HOLD_FOR, held: true } }) }],
  ])("makes room when %s", (_, claims, more) => {
    expect(decide(claims, { pods: pods(stopped), ...more })).toBe("let go db-2");
  });

  test("and was not deleted yet is evicted, or let go when there is no more need", () => {
    const held = pods({ 2: { held: true } });
    expect(decide([DONE, DONE, IN_USE], { pods: held })).toBe("evict db-2 and hold it");
    expect(decide([DONE, DONE, DONE], { pods: held })).toBe("let go db-2");
  });
});

describe("a file system that waits for its node", () => {
  test("is given time: drivers that grow online say so for a moment, too", () => {
    expect(decide([DONE, DONE, NODE])).toBe(
      `db-2 waits for the node to grow its file system until ${NODE_PATIENCE / MINUTE - 1} min`,
    );
  });

  test("for long has its pod restarted", () => {
    expect(decide([DONE, DONE, NODE], {}, NODE_PATIENCE)).toBe("evict db-2");
  });
});

describe("pods are being restarted", () => {
  test.each<[string, readonly ClaimTraits[], Partial<RestartFacts>]>([
    ["when one is about to be", [IN_USE, IN_USE, IN_USE], {}],
    ["when one is held", [DONE, DONE, IN_USE], { pods: pods({ 2: { deleted: MINUTE, held: true } }) }],
    ["when one is let go", [DONE, DONE, DONE], { pods: pods({ 2: { deleted: MINUTE, held: true } }) }],
    ["when the next waits for the one before", [DONE, IN_USE, DONE], { pods: pods({ 2: { age: 0, ready: false } }) }],
  ])("%s", (_, claims, more) => {
    expect(isRestarting(stepFor(claims, more))).toBe(true);
  });

  test.each<[string, readonly ClaimTraits[], Partial<RestartFacts>]>([
    ["when none needs it", [DONE, DONE, DONE], {}],
    ["when nobody wants it", [IN_USE, IN_USE, IN_USE], { mode: "Never" }],
    ["while a node has time to grow a file system under a running pod", [DONE, DONE, NODE], {}],
  ])("not %s", (_, claims, more) => {
    expect(isRestarting(stepFor(claims, more))).toBe(false);
  });
});

test("a claim that the storage is working on needs no restart", () => {
  const growing = { request: "200Gi", capacity: "100Gi", state: "ControllerResizeInProgress" };
  expect(decide([growing, growing, growing])).toBe("nothing");
});
