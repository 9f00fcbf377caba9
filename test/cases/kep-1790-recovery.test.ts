/**
 * KEP-1790 between the cases: when allocatedResources may be lowered, what a user may ask for, what is tried again, and
 * what becomes of all this when the gate RecoverExpansionFailure is switched.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { Quantity } from "../../src/core/quantity.ts";
import { fails, failsNode, Play, type Scene } from "./play.ts";

const BELOW_CAPACITY =
  'PersistentVolumeClaim "data" is invalid: spec.resources.requests.storage: Forbidden: field can not be less than status.capacity';
const BELOW_PREVIOUS =
  'PersistentVolumeClaim "data" is invalid: spec.resources.requests.storage: Forbidden: field can not be less than previous value';

/** 100Gi asked for, and the driver called. */
function calledFor100Gi(scene: Scene = {}): Play {
  const story = new Play(scene);
  story.userAsksFor("100Gi");
  story.controller.starts();
  return story;
}

/** 100Gi done by the controller half and infeasible on the node. */
function failedOnNode(scene: Scene = {}): Play {
  const story = calledFor100Gi(scene);
  story.controller.hears();
  story.node.starts();
  story.node.hears(failsNode("OutOfRange"));
  return story;
}

/** To what size the controller would go now, and whether that lowers the record. */
function plan({ controller }: Play): string {
  const decision = controller.looks();
  if (decision.kind !== "expand") return decision.kind;
  return `${decision.recovers ? "lower the record to" : "go for"} ${decision.size}`;
}

describe("allocatedResources is lowered only if", () => {
  test("1. the controller's expansion failed, and control-plane expansion has not succeeded", () => {
    const story = calledFor100Gi();
    story.controller.hears(fails("OutOfRange"));
    story.userAsksFor("20Gi");
    expect(plan(story)).toBe("lower the record to 20Gi");
  });

  test("1. …not when it has succeeded before: the volume tells", () => {
    const story = calledFor100Gi();
    story.controller.writesVolume();
    story.controller.dies();
    story.controller.starts();
    story.controller.hears(fails("OutOfRange"));
    story.userAsksFor("20Gi");
    expect(plan(story)).toBe("wait-until");
    story.minutesPass(10);
    expect(plan(story)).toBe("go for 100Gi");
    expect(story.used).toBe("100Gi");
  });

  test("1. …nor while the driver has not refused: an expansion in doubt is finished first", () => {
    const story = calledFor100Gi();
    story.controller.hears(fails("DeadlineExceeded"));
    story.userAsksFor("20Gi");
    expect(plan(story)).toBe("go for 100Gi");
  });

  test("1. a refusal that is not infeasible counts as long as the process that heard it lives", () => {
    const story = calledFor100Gi();
    story.controller.hears(fails("Internal"));
    story.userAsksFor("20Gi");
    expect(plan(story)).toBe("lower the record to 20Gi");
    story.controller.dies();
    expect(plan(story)).toBe("go for 100Gi");
  });

  test("2. the node's expansion failed, and the driver is node-only", () => {
    const story = failedOnNode({ driver: "node-only" });
    story.userAsksFor("20Gi");
    expect(plan(story)).toBe("lower the record to 20Gi");
  });

  test("2. …not for a driver with a controller half: no recovery is possible if only the node fails", () => {
    const story = failedOnNode();
    story.userAsksFor("20Gi");
    expect(plan(story)).toBe("wait-until");
    story.minutesPass(10);
    expect(plan(story)).toBe("go for 100Gi");
    expect(story.used).toBe("100Gi");
  });

  test("3. no state is recorded and the expansion has not succeeded: stricter here, nobody knows that it has not", () => {
    const story = new Play();
    story.userAsksFor("100Gi");
    story.somebodyWrites({ allocated: Quantity.parse("100Gi") });
    story.userAsksFor("20Gi");
    expect(plan(story)).toBe("go for 100Gi");
  });
});

describe("what a user may ask for", () => {
  test("requested size must be greater than status.capacity: not all the way back", () => {
    const story = calledFor100Gi();
    story.controller.hears(fails("OutOfRange"));
    expect(story.userAsksFor("10Gi")).toBe(BELOW_CAPACITY);
    expect(story.userAsksFor("5Gi")).toBe(BELOW_CAPACITY);
    expect(story.userAsksFor("11Gi")).toBe("0");
  });

  test("growing and lowering fast never gets anybody more than the quota allows", () => {
    const story = new Play({ hard: "100Gi" });
    story.userAsksFor("100Gi");
    story.controller.starts();
    expect(story.userAsksFor("11Gi")).toBe("0");
    expect(story.userAsksFor("101Gi")).toBe(
      'persistentvolumeclaims "data" is forbidden: exceeded quota: storage, requested: requests.storage=1Gi, used: requests.storage=100Gi, limited: requests.storage=100Gi',
    );
    story.controller.hears();
    expect(story.used).toBe("100Gi");
  });

  test("a request that is changed before anybody took it up is simply another request", () => {
    const story = new Play();
    story.userAsksFor("100Gi");
    expect(story.userAsksFor("20Gi")).toBe("-80Gi");
    story.controller.starts();
    expect(story.controller.calls).toEqual(["20Gi"]);
  });
});

describe("what is tried again", () => {
  test("an infeasible size: once in a while, with no second call right after the first", () => {
    const story = calledFor100Gi();
    story.controller.hears(fails("OutOfRange"));
    expect(plan(story)).toBe("wait-until");
    story.minutesPass(5);
    expect(plan(story)).toBe("go for 100Gi");
  });

  test("an infeasible size that is being tried again is in doubt when the process dies: it is not forgotten", () => {
    const story = calledFor100Gi();
    story.controller.hears(fails("OutOfRange"));
    story.minutesPass(5);
    story.controller.starts();
    story.controller.dies();
    story.userAsksFor("20Gi");
    expect(plan(story)).toBe("go for 100Gi");
  });

  test("a size that the node called infeasible: the two halves do not chase each other", () => {
    const story = failedOnNode();
    story.minutesPass(5);
    story.controller.starts();
    story.controller.hears();
    story.node.starts();
    story.node.hears(failsNode("OutOfRange"));
    expect(plan(story)).toBe("wait-until");
    expect(story.node.calls).toEqual(["100Gi", "100Gi"]);
  });

  test("a size that the node refused twice goes back to the controller when it is no longer wanted", () => {
    const story = calledFor100Gi({ driver: "node-only" });
    story.controller.hears();
    for (const lower of ["20Gi", undefined]) {
      story.node.starts();
      story.node.hears(failsNode("Internal"));
      if (lower !== undefined) story.userAsksFor(lower);
    }
    expect(plan(story)).toBe("lower the record to 20Gi");
  });

  test("a volume that must not be in use: when the last pod is gone", () => {
    const story = calledFor100Gi();
    story.controller.hears(fails("FailedPrecondition"));
    expect(plan(story)).toBe("wait-for-release");
    story.controller.usedByPod = false;
    expect(plan(story)).toBe("go for 100Gi");
  });

  test("a write that is lost with its process: the driver is asked for the same, and nothing is counted twice", () => {
    const story = calledFor100Gi();
    story.controller.writesVolume();
    story.controller.dies();
    story.controller.starts();
    story.controller.hears();
    expect(story.controller.calls).toEqual(["100Gi", "100Gi"]);
    expect([story.volume, story.used]).toEqual(["100Gi", "100Gi"]);
    expect(story.node.looks()).toMatchObject({ kind: "expand", size: Quantity.parse("100Gi") });
  });
});

describe("what older programs leave behind", () => {
  test("a kubelet that grows the file system and forgets the state: taken back, and the next growth goes on", () => {
    const story = calledFor100Gi();
    story.controller.hears();
    story.somebodyWrites({ capacity: Quantity.parse("100Gi"), clear: ["resizing", "file-system-pending"] });
    story.controller.tidies();
    expect(story.status).not.toHaveProperty("allocatedResourceStatuses");
    story.userAsksFor("200Gi");
    expect(plan(story)).toBe("go for 200Gi");
  });

  test("the same, and the user was faster: the next growth goes on", () => {
    const story = calledFor100Gi();
    story.controller.hears();
    story.somebodyWrites({ capacity: Quantity.parse("100Gi") });
    story.userAsksFor("200Gi");
    expect(plan(story)).toBe("go for 200Gi");
  });

  test("a server that drops the new fields: conditions alone tell how far it is, and it comes to its end", () => {
    const story = new Play({ dropsFields: true });
    story.userAsksFor("100Gi");
    story.controller.starts();
    expect(story.allocated).toBeUndefined();
    story.controller.hears();
    expect(story.conditions).toEqual(["FileSystemResizePending"]);
    expect(plan(story)).toBe("wait-for-node");
    story.node.starts();
    story.node.hears();
    expect(story.capacity).toBe("100Gi");
    expect(story.conditions).toEqual([]);
    expect(plan(story)).toBe("nothing");
  });
});

describe("the gate RecoverExpansionFailure: on, off, on, off, on", () => {
  let story: Play;
  beforeEach(() => {
    story = calledFor100Gi();
    story.controller.hears(fails("OutOfRange"));
    story.userAsksFor("20Gi");
  });

  test("off: quota is stale until it is computed anew, then only requests count", () => {
    story.switchGate(false);
    expect(story.used).toBe("100Gi");
    story.recreateQuota();
    expect(story.used).toBe("20Gi");
  });

  test("off: a record is followed, but never lowered", () => {
    story.switchGate(false);
    story.minutesPass(10);
    expect(plan(story)).toBe("go for 100Gi");
  });

  test("on again: quota counts what was recorded, and the user recovers", () => {
    story.switchGate(false);
    story.recreateQuota();
    story.switchGate(true);
    story.recreateQuota();
    expect(story.used).toBe("100Gi");
    expect(plan(story)).toBe("lower the record to 20Gi");
    story.controller.starts();
    story.controller.hears();
    story.node.starts();
    story.node.hears();
    expect([story.capacity, story.used]).toEqual(["20Gi", "20Gi"]);
  });

  test("off, on, off, on in the middle of a recovery: it comes to its end", () => {
    story.controller.starts();
    for (const on of [false, true, false, true]) {
      story.switchGate(on);
      expect(plan(story)).toBe("go for 20Gi");
    }
    story.controller.starts();
    story.controller.hears();
    story.switchGate(false);
    story.node.starts();
    story.node.hears();
    expect([story.volume, story.capacity, story.allocated]).toEqual(["20Gi", "20Gi", "20Gi"]);
  });

  test("off: a claim without a record cannot ask for less, and goes the old way", () => {
    const plain = new Play();
    plain.switchGate(false);
    expect(plain.userAsksFor("100Gi")).toBe("90Gi");
    expect(plain.userAsksFor("20Gi")).toBe(BELOW_PREVIOUS);
    plain.controller.starts();
    expect(plain.allocated).toBeUndefined();
    expect(plain.status).not.toHaveProperty("allocatedResourceStatuses");
    plain.controller.hears();
    plain.node.starts();
    plain.node.hears();
    expect([plain.volume, plain.capacity]).toEqual(["100Gi", "100Gi"]);
  });

  test("on again while the old way is under way: nobody can ask for less before it is done, for nothing records it", () => {
    const plain = new Play();
    plain.switchGate(false);
    plain.userAsksFor("100Gi");
    plain.controller.starts();
    plain.switchGate(true);
    expect(plain.userAsksFor("20Gi")).toBe(BELOW_PREVIOUS);
    plain.controller.starts();
    expect(plain.allocated).toBe("100Gi");
    expect(plain.userAsksFor("20Gi")).toBe("0");
    expect(plan(plain)).toBe("go for 100Gi");
  });
});
