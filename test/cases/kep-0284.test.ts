/**
 * KEP-284, "Use Cases", "Controller Manager resize" and "File system resize on kubelet": the old way, of servers without
 * the recovery gate, and beside it the way of today. Conditions are told in the words of the text: ResizeStarted,
 * ResizeFailed, Ready.
 */
import { describe, expect, test } from "vitest";
import { DIALECTS } from "../../src/core/dialect.ts";
import { Quantity } from "../../src/core/quantity.ts";
import { fails, failsNode, Play, type Scene } from "./play.ts";

describe.each([
  ["without the recovery gate", false],
  ["with it", true],
])("%s", (_, recovery) => {
  const play = (scene: Scene = {}) => {
    const story = new Play({ dialect: DIALECTS.expansion, ...scene });
    story.switchGate(recovery);
    return story;
  };

  test("online and with data: MySQL on 100GB runs out of space, and grows under its pod", () => {
    const story = play({ size: "100G" });
    story.userAsksFor("150G");
    story.controller.starts();
    expect(story.conditions).toEqual(["Resizing", "ResizeStarted"]);
    story.controller.hears();
    expect([story.volume, story.capacity]).toEqual(["150G", "100G"]);
    expect(story.conditions).toContain("FileSystemResizePending");
    story.node.starts();
    story.node.hears();
    expect(story.capacity, "pvc.status.capacity matches pv.spec.capacity").toBe("150G");
    expect(story.conditions).toEqual(["Ready"]);
  });

  test("offline and no data on disk: 2GB asked for, no pod yet, more needed; the first mount formats the full size", () => {
    const story = play({ size: "2G" });
    story.controller.usedByPod = false;
    story.userAsksFor("5G");
    story.controller.starts();
    story.controller.hears();
    expect(story.controller.looks().kind, "pending until a pod uses the volume").toBe("wait-for-node");
    story.node.starts();
    expect(story.node.hears({ kind: "no-file-system" })).toMatchObject({ result: "format", mount: "proceed" });
    expect([story.volume, story.capacity]).toEqual(["5G", "5G"]);
  });

  test("offline but with data: an application down for maintenance finds its 10GB when it is back", () => {
    const story = play({ size: "5G" });
    story.controller.usedByPod = false;
    story.userAsksFor("10G");
    story.controller.starts();
    story.controller.hears();
    expect(story.capacity).toBe("5G");
    story.node.starts();
    expect(story.node.hears()).toMatchObject({ result: "expanded", mount: "proceed" });
    expect(story.capacity).toBe("10G");
  });

  test("a volume that needs no file system resize (glusterfs): one step, and it is done", () => {
    const story = play({ driver: "controller-only" });
    story.userAsksFor("20Gi");
    story.controller.starts();
    expect(story.controller.hears()).toBe("finished");
    expect([story.volume, story.capacity]).toEqual(["20Gi", "20Gi"]);
    expect(story.conditions).toEqual(["Ready"]);
  });

  test("volumes that fill again and again (187Gi for elastic search): each growth is like the first", () => {
    const story = play({ size: "187Gi" });
    for (const size of ["250Gi", "300Gi", "500Gi"]) {
      story.userAsksFor(size);
      story.controller.starts();
      expect(story.conditions).toEqual(["Resizing", "ResizeStarted"]);
      story.controller.hears();
      story.node.starts();
      story.node.hears();
      expect([story.volume, story.capacity]).toEqual([size, size]);
    }
    expect(story.controller.calls).toEqual(["250Gi", "300Gi", "500Gi"]);
    expect(story.node.calls).toEqual(["250Gi", "300Gi", "500Gi"]);
  });

  test("level based: of several requests that nobody has taken up, the last one replaces the others", () => {
    const story = play();
    for (const size of ["20Gi", "30Gi", "40Gi"]) story.userAsksFor(size);
    story.controller.starts();
    expect(story.controller.calls).toEqual(["40Gi"]);
  });

  test("if the resize fails, ResizeFailed tells why; success makes it Ready", () => {
    const story = play({ driver: "controller-only" });
    story.userAsksFor("20Gi");
    story.controller.starts();
    story.controller.hears(fails("Internal"));
    expect(story.status.conditions?.find(({ type }) => type === "ResizeFailed")).toMatchObject({
      status: "True",
      message: "failed to expand pvc with rpc error: code = Internal desc = the backend says no",
    });
    story.controller.starts();
    story.controller.hears();
    expect(story.conditions).toEqual(["Ready"]);
  });

  test("a volume that cannot be resized while attached (Cinder): the controller comes back until it is successful", () => {
    const story = play();
    story.userAsksFor("20Gi");
    story.controller.starts();
    story.controller.hears(fails("FailedPrecondition"));
    expect(story.controller.looks().kind).toBe("wait-for-release");
    story.controller.usedByPod = false;
    story.controller.starts();
    story.controller.hears();
    expect(story.volume).toBe("20Gi");
  });

  test("no call is made that would reduce the size of the volume", () => {
    const story = play();
    expect(story.userAsksFor("5Gi")).toContain("field can not be less than");
    expect(story.controller.looks().kind).toBe("nothing");
  });

  describe("on the node", () => {
    const pending = () => {
      const story = play();
      story.userAsksFor("20Gi");
      story.controller.starts();
      story.controller.hears();
      return story;
    };

    test("any other error than a missing file system fails the mount, and ResizeFailed tells why", () => {
      const story = pending();
      story.node.starts();
      expect(story.node.hears(failsNode("Internal"))).toMatchObject({ result: "failed", mount: "fail" });
      expect(story.conditions).toContain("ResizeFailed");
      expect(story.capacity).toBe("10Gi");
      story.node.starts();
      story.node.hears();
      expect(story.conditions).toEqual(["Ready"]);
    });

    test("nothing is resized where the volume is read-only; the next pod that may write does it", () => {
      const story = pending();
      story.node.readOnly = true;
      expect(story.node.looks().kind).toBe("read-only");
      story.node.readOnly = false;
      story.node.starts();
      story.node.hears();
      expect(story.capacity).toBe("20Gi");
    });
  });
});

describe("shared volumes (ReadWriteMany), of today", () => {
  const shared: Scene = { accessModes: ["ReadWriteMany"] };

  test("are grown on every node that mounts them; only the first writes on the claim", () => {
    const story = new Play(shared);
    story.userAsksFor("20Gi");
    story.controller.starts();
    story.controller.hears();
    story.node.starts();
    story.node.hears();
    const written = story.history.length;
    expect(story.node.looks()).toMatchObject({ kind: "expand", shared: true });
    story.node.starts();
    story.node.hears();
    expect(story.history).toHaveLength(written);
    expect(story.node.calls).toEqual(["20Gi", "20Gi"]);
  });

  test("are left alone by every node when the driver said that no node has anything to do", () => {
    const story = new Play(shared);
    story.userAsksFor("20Gi");
    story.controller.starts();
    const answer = { kind: "expanded", capacity: Quantity.parse("20Gi"), nodeExpansionRequired: false } as const;
    expect(story.controller.hears(answer)).toBe("finished");
    expect(story.node.looks()).toMatchObject({ kind: "done" });
  });
});
