import { expect, test } from "vitest";
import type { AfterAnswer } from "../decide/answer.ts";
import { createResizeEvents } from "./events.ts";

const claim = { metadata: { namespace: "prod", name: "data", uid: "claim-1" }, spec: {} };
const volume = { metadata: { name: "pv-1", uid: "volume-1" }, spec: {} };
const onClaim = { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace: "prod", name: "data", uid: "claim-1" };
const onVolume = { apiVersion: "v1", kind: "PersistentVolume", name: "pv-1", uid: "volume-1" };

function heard(happen: (events: ReturnType<typeof createResizeEvents>) => void): unknown[] {
  const told: unknown[] = [];
  happen(createResizeEvents({ event: (...words) => void told.push(words) }, "csi.example.com"));
  return told;
}
const ended = (result: AfterAnswer["result"], message?: string): unknown[] =>
  heard((events) =>
    events.ended(claim, volume, { result, claim: {}, memory: {}, ...(message === undefined ? {} : { message }) }),
  );

test("an expansion begins", () => {
  expect(heard((events) => events.started(claim, volume))).toEqual([
    [onClaim, "Normal", "Resizing", "External resizer is resizing volume pv-1"],
  ]);
});

test("an expansion goes on at the node", () => {
  expect(ended("node-expansion-required")).toEqual([
    [onClaim, "Normal", "FileSystemResizeRequired", "Require file system resize of volume on node"],
  ]);
});

test("an expansion is finished", () => {
  expect(ended("finished")).toEqual([[onClaim, "Normal", "VolumeResizeSuccessful", "Resize volume succeeded"]]);
});

test.each(["infeasible", "failed", "in-doubt"] as const)("an expansion fails: %s", (result) => {
  expect(ended(result, "rpc error: code = OutOfRange desc = too large")).toEqual([
    [
      onClaim,
      "Warning",
      "VolumeResizeFailed",
      'resize volume "pv-1" by resizer "csi.example.com" failed: rpc error: code = OutOfRange desc = too large',
    ],
  ]);
});

test("an answer that somebody else has overtaken is nobody's news", () => {
  expect(ended("overtaken")).toEqual([]);
});

test("the driver grows only what nobody uses", () => {
  expect(heard((events) => events.inUse(claim))).toEqual([
    [
      onClaim,
      "Warning",
      "VolumeResizeFailed",
      "Unable to expand prod/data because CSI driver csi.example.com only supports offline expansion and volume is currently in-use",
    ],
  ]);
});

test("a lowered request is told on the claim and on the volume", () => {
  expect(heard((events) => events.lowered(claim, volume, "20Gi", "15Gi"))).toEqual([
    [onClaim, "Normal", "VolumeResizeLowered", "requested size was lowered from 20Gi to 15Gi"],
    [onVolume, "Normal", "VolumeResizeLowered", "prod/data: requested size was lowered from 20Gi to 15Gi"],
  ]);
});

test("a lowered request of a claim whose volume is not known is told on the claim alone", () => {
  expect(heard((events) => events.lowered(claim, undefined, "20Gi", "15Gi"))).toHaveLength(1);
});
