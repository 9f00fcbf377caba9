/**
 * KEP-1790, "User flow stories": case 0 to 5 of both texts, bullet by bullet, in the words of the first text, of the text
 * of v1.27, and of Kubernetes of today. The message at an assertion is the bullet that it holds us to.
 */
import { describe, expect, test } from "vitest";
import { DIALECTS } from "../../src/core/dialect.ts";
import { Quantity } from "../../src/core/quantity.ts";
import { fails, failsNode, Play, type Scene } from "./play.ts";

/** The spelling of each state, and of none, in the field that the text gives it. */
const EXPANSION = {
  text: "the first text",
  dialect: DIALECTS.expansion,
  ControllerInProgress: { resizeStatus: "ControllerExpansionInProgress" },
  ControllerFailed: { resizeStatus: "ControllerExpansionFailed" },
  NodePending: { resizeStatus: "NodeExpansionPending" },
  NodeInProgress: { resizeStatus: "NodeExpansionInProgress" },
  NodeFailed: { resizeStatus: "NodeExpansionFailed" },
  none: { resizeStatus: "" },
} as const;
const RESIZE = {
  text: "the text of v1.27",
  dialect: DIALECTS.resize,
  ControllerInProgress: { allocatedResourceStatuses: { storage: "ControllerResizeInProgress" } },
  ControllerFailed: { allocatedResourceStatuses: { storage: "ControllerResizeFailed" } },
  NodePending: { allocatedResourceStatuses: { storage: "NodeResizePending" } },
  NodeInProgress: { allocatedResourceStatuses: { storage: "NodeResizeInProgress" } },
  NodeFailed: { allocatedResourceStatuses: { storage: "NodeResizeFailed" } },
  none: {},
} as const;
const INFEASIBLE = {
  ...RESIZE,
  text: "Kubernetes of today",
  dialect: DIALECTS.infeasible,
  ControllerFailed: { allocatedResourceStatuses: { storage: "ControllerResizeInfeasible" } },
  NodeFailed: { allocatedResourceStatuses: { storage: "NodeResizeInfeasible" } },
} as const;

/** The fields that record a state, and nothing else of the status. */
function stateOf({ status }: Play): object {
  const { resizeStatus, allocatedResourceStatuses } = status;
  return {
    ...(resizeStatus === undefined ? {} : { resizeStatus }),
    ...(allocatedResourceStatuses === undefined ? {} : { allocatedResourceStatuses }),
  };
}

const canonical = (size: string) => Quantity.parse(size).toString();

describe.each([EXPANSION, RESIZE, INFEASIBLE])("in the words of $text", (words) => {
  const play = (scene: Scene = {}) => new Play({ dialect: words.dialect, ...scene });

  test("case 0: default PVC creation", () => {
    const story = play({ size: "10Gi" });
    expect(story.requested, "user creates a 10Gi PVC").toBe("10Gi");
    expect(story.used).toBe("10Gi");
    expect(story.allocated).toBeUndefined();
    expect(story.controller.looks().kind).toBe("nothing");
    expect(story.node.looks().kind).toBe("done");
  });

  test("case 1: a controller and node expandable volume recovers at 20Gi, and quota goes back to 20Gi", () => {
    const story = play();
    const { controller, node } = story;

    expect(story.userAsksFor("100Gi"), "user increases 10Gi PVC to 100Gi; quota adds 90Gi").toBe("90Gi");

    controller.starts();
    expect(story.allocated, "expansion controller sets AllocatedResources to 100Gi").toBe("100Gi");
    expect(stateOf(story), "and the state to ControllerExpansionInProgress").toEqual(words.ControllerInProgress);

    controller.hears(fails("OutOfRange"));
    expect([story.volume, story.capacity], "expansion fails, both capacities stay at 10Gi").toEqual(["10Gi", "10Gi"]);
    expect(stateOf(story), "controller sets ControllerExpansionFailed").toEqual(words.ControllerFailed);

    expect(story.userAsksFor("20Gi"), "user requests 20Gi; the record still counts").toBe("0");
    expect(story.used).toBe("100Gi");

    expect(controller.looks(), "controller notices that the last expansion failed").toMatchObject({ recovers: true });
    controller.starts();
    expect(story.allocated, "so it sets new allocatedResources to 20Gi").toBe("20Gi");

    controller.hears();
    node.starts();
    node.hears();
    expect([story.capacity, story.volume], "expansion succeeds, both report 20Gi").toEqual(["20Gi", "20Gi"]);
    expect(stateOf(story)).toEqual(words.none);
    expect(story.used, "quota controller sees a reduction: 20Gi").toBe("20Gi");
    expect(controller.calls).toEqual(["100Gi", "20Gi"]);
  });

  test("case 2: a node only expandable volume recovers at 20Gi, and the volume goes back with it", () => {
    const story = play({ driver: "node-only" });
    const { controller, node } = story;

    expect(story.userAsksFor("100Gi"), "user increases 10Gi PVC to 100Gi; quota adds 90Gi").toBe("90Gi");

    controller.starts();
    expect(story.allocated, "controller sets AllocatedResources to 100Gi").toBe("100Gi");
    expect(stateOf(story), "and ControllerExpansionInProgress").toEqual(words.ControllerInProgress);

    controller.hears();
    expect(story.volume, "control-plane is NO-OP, pv.Spec is set to 100Gi").toBe("100Gi");
    expect(stateOf(story), "controller sets NodeExpansionPending").toEqual(words.NodePending);

    node.starts();
    expect(stateOf(story), "kubelet sets NodeExpansionInProgress").toEqual(words.NodeInProgress);

    node.hears(failsNode("OutOfRange"));
    expect(stateOf(story), "expansion fails on the node: NodeExpansionFailed").toEqual(words.NodeFailed);
    expect(node.looks().kind, "kubelet stops retrying, and waits for NodeExpansionPending").toBe("wait");

    expect(story.userAsksFor("20Gi"), "user requests 20Gi").toBe("0");
    controller.starts();
    expect(story.allocated, "the driver has no control-plane expansion: AllocatedResources is set to 20Gi").toBe(
      "20Gi",
    );
    expect(stateOf(story), "and ControllerExpansionInProgress").toEqual(words.ControllerInProgress);

    controller.hears();
    expect(story.volume, "control-plane is NO-OP, pv.Spec is set to 20Gi").toBe("20Gi");
    expect(stateOf(story), "controller sets NodeExpansionPending").toEqual(words.NodePending);

    node.starts();
    node.hears();
    expect(node.calls, "kubelet retries with the latest allocatedResources").toEqual(["100Gi", "20Gi"]);
    expect(stateOf(story), "kubelet clears the state").toEqual(words.none);
    expect(story.capacity, "and sets Status.Capacity to the new value").toBe("20Gi");
    expect(story.used, "quota controller sees a reduction: 20Gi").toBe("20Gi");
  });

  test("case 3: a malicious user lowers the request while the volume grows, and gains nothing", () => {
    const story = play();
    const { controller, node } = story;

    expect(story.userAsksFor("100Gi"), "user increases 10Gi PVC to 100Gi; quota adds 90Gi").toBe("90Gi");

    controller.starts();
    expect(story.allocated, "controller sets AllocatedResources to 100Gi before expanding").toBe("100Gi");
    expect(stateOf(story), "and ControllerExpansionInProgress").toEqual(words.ControllerInProgress);
    expect([story.volume, story.capacity], "both capacities stay at 10Gi meanwhile").toEqual(["10Gi", "10Gi"]);

    expect(story.userAsksFor("20Gi"), "user requests 20Gi while the backend is at work").toBe("0");
    expect(controller.looks(), "the previous expansion is still in progress: it goes on").toMatchObject({
      kind: "expand",
      size: Quantity.parse("100Gi"),
    });

    controller.hears();
    node.starts();
    node.hears();
    expect([story.volume, story.capacity], "expansion to 100Gi succeeds").toEqual(["100Gi", "100Gi"]);
    expect(story.requested).toBe("20Gi");
    expect(controller.looks().kind).toBe("nothing");
    expect(controller.calls, "expansion to 20Gi is never attempted").toEqual(["100Gi"]);
    expect(story.used, "quota sees no change, because AllocatedResources is 100Gi").toBe("100Gi");
  });

  test("case 4: a malicious user, rounding and a crash: the last known allocatedResources is finished", () => {
    const story = play({ size: "10.1G", driver: "controller-only" });
    const { controller } = story;
    expect([story.capacity, story.volume], "11GB were provisioned, 10.1GB are recorded").toEqual([
      canonical("10.1G"),
      canonical("10.1G"),
    ]);

    expect(story.userAsksFor("100G"), "user expands to 100GB; quota adds 89.9GB").toBe(canonical("89.9G"));

    controller.starts();
    expect(story.allocated, "controller sets AllocatedResources to 100GB before expanding").toBe("100G");
    expect(stateOf(story), "and ControllerExpansionInProgress").toEqual(words.ControllerInProgress);
    expect([story.volume, story.capacity], "both capacities stay at 10.1GB meanwhile").toEqual([
      canonical("10.1G"),
      canonical("10.1G"),
    ]);

    controller.dies();
    expect(story.userAsksFor("10.5G"), "the controller crashes; user reduces to 10.5GB").toBe("0");
    expect(controller.looks(), "the previous expansion is still in progress").toMatchObject({
      kind: "expand",
      size: Quantity.parse("100G"),
    });
    controller.starts();
    controller.hears();
    expect([story.volume, story.capacity], "expansion to 100G succeeds").toEqual(["100G", "100G"]);
    expect(story.requested).toBe(canonical("10.5G"));
    expect(controller.looks().kind).toBe("nothing");
    expect(controller.calls, "expansion to 10.5GB is never attempted").toEqual(["100G", "100G"]);
    expect(story.used, "quota sees no change, because AllocatedResources is 100G").toBe("100G");
  });

  test("case 5: rapid expansion and shrink ends at 100Gi and quota stays 100Gi", () => {
    const story = play();
    const { controller, node } = story;

    expect(story.userAsksFor("100Gi"), "user increases 10Gi PVC to 100Gi; quota adds 90Gi").toBe("90Gi");

    controller.starts();
    expect(story.allocated, "controller sets AllocatedResources to 100Gi before expanding").toBe("100Gi");
    expect(stateOf(story), "and ControllerResizeInProgress").toEqual(words.ControllerInProgress);
    expect([story.volume, story.capacity], "both capacities stay at 10Gi meanwhile").toEqual(["10Gi", "10Gi"]);

    expect(story.userAsksFor("200Gi"), "user requests 200Gi meanwhile; quota adds 100Gi").toBe("100Gi");
    expect(controller.looks(), "still in progress: the last AllocatedResources is chosen").toMatchObject({
      kind: "expand",
      size: Quantity.parse("100Gi"),
    });

    expect(story.userAsksFor("20Gi"), "user reduces to 20Gi; quota returns 100Gi").toBe("-100Gi");
    expect(story.used).toBe("100Gi");
    expect(controller.looks(), "still in progress: it keeps expanding to allocatedResources").toMatchObject({
      kind: "expand",
      size: Quantity.parse("100Gi"),
    });

    controller.hears();
    node.starts();
    node.hears();
    expect([story.volume, story.capacity], "expansion to 100Gi succeeds").toEqual(["100Gi", "100Gi"]);
    expect(story.requested).toBe("20Gi");
    expect(controller.looks().kind).toBe("nothing");
    expect(controller.calls, "expansion to 20Gi is never attempted").toEqual(["100Gi"]);
    expect(story.used, "quota sees no change, because AllocatedResources is 100Gi").toBe("100Gi");
  });

  test("all changes to pvc.Status of one step are submitted in one patch: no claim tells half of it", () => {
    const story = play();
    story.userAsksFor("100Gi");
    story.controller.starts();
    story.controller.hears();
    story.node.starts();
    story.node.hears();
    // Created, edited, recorded, the node's turn, the node at work, done.
    expect(story.history).toHaveLength(6);
    const record = (status: (typeof story.history)[number]["status"]) => [
      status?.allocatedResources?.["storage"],
      status?.resizeStatus ?? status?.allocatedResourceStatuses?.["storage"],
      status?.capacity?.["storage"],
    ];
    const { states } = words.dialect;
    expect(story.history.map(({ status }) => record(status))).toEqual([
      [undefined, undefined, "10Gi"],
      [undefined, undefined, "10Gi"],
      ["100Gi", states["controller-in-progress"], "10Gi"],
      ["100Gi", states["node-pending"], "10Gi"],
      ["100Gi", states["node-in-progress"], "10Gi"],
      ["100Gi", words === EXPANSION ? "" : undefined, "100Gi"],
    ]);
  });
});
