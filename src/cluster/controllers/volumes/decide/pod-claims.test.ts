import { describe, expect, test } from "vitest";
import type { Pod } from "../../../../core/types.ts";
import { holdPod } from "../shared/held-pod.ts";
import { aClaim } from "../testing/objects.ts";
import { claimNamesOf, holdsClaim } from "./pod-claims.ts";

const pod = (more: Partial<Pod["spec"]> = {}, metadata: object = {}): Pod => ({
  metadata: { name: "web", namespace: "default", uid: "p", ...metadata },
  spec: {
    nodeName: "node",
    volumes: [
      { name: "data", persistentVolumeClaim: { claimName: "data" } },
      { name: "scratch", ephemeral: { volumeClaimTemplate: {} } },
      { name: "conf", configMap: {} },
    ],
    ...more,
  },
});
const owned = (uid: string) =>
  aClaim("web-scratch", {
    metadata: { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "web", uid, controller: true }] },
  });
const GONE = { deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 0 };

test("a pod names its claims, and has one for each ephemeral volume", () => {
  expect(claimNamesOf(pod())).toEqual(["data", "web-scratch"]);
});

describe("a claim must outlive", () => {
  test.each([
    ["a pod on a node that names it", pod(), aClaim("data"), true],
    ["no pod that names another", pod(), aClaim("wal"), false],
    ["no pod of another namespace", pod(), aClaim("data", { metadata: { namespace: "prod" } }), false],
    ["no pod without a node", pod({ nodeName: "" }), aClaim("data"), false],
    ["a pod that is over, until it is gone", { ...pod({}, GONE), status: { phase: "Failed" } }, aClaim("data"), true],
    ["the pod that it was made for", pod(), owned("p"), true],
    ["no pod of that pod's name", pod(), owned("q"), false],
    ["not the pod that it was made for, once the node is done with that", pod({}, GONE), owned("p"), false],
  ])("%s", (_, each, claim, expected) => {
    expect(holdsClaim(each, claim)).toBe(expected);
    expect(holdsClaim(holdPod(each), claim)).toBe(expected);
  });
});
