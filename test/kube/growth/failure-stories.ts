/** The storage or the quota says no to some of it: what becomes of the rest, what people are told, and the way back. */
import { expect } from "vitest";
import { Quantity } from "../../../src/core/quantity.ts";
import { waitFor } from "../wait.ts";
import { hasSizes, requestOf } from "./intact.ts";
import { isReady, type Look, SET } from "./look.ts";
import type { Scene } from "./scene.ts";
import type { Stage } from "./stage.ts";
import type { Story } from "./story.ts";

/** The classes that the stories need. */
export async function createFailingClasses(stage: Stage): Promise<void> {
  await stage.createClass("five-at-most", { controllerLimit: "5Gi" });
  await stage.createClass("five-at-most-on-node", { nodeLimit: "5Gi" });
}

const REPLICAS = 10;

/** A set of ten, one of whose claims has a class that cannot give more than 5Gi; in a namespace with a quota. */
async function withOneBad(scene: Scene, bad: number, className = "five-at-most"): Promise<void> {
  await scene.quota("1000Gi");
  await scene.plane.api.create(scene.path("persistentvolumeclaims"), {
    metadata: { name: `data-${SET}-${bad}`, labels: { app: SET } },
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: className,
      resources: { requests: { storage: "1Gi" } },
    },
  });
  await scene.create({ replicas: REPLICAS });
  await quotaIs(scene, "10Gi");
}

/** What quota counts, when the counting has come to its end. */
async function quotaIs(scene: Scene, size: string): Promise<void> {
  let last: string | undefined;
  const isExact = async (): Promise<boolean> => {
    last = await scene.quotaUsed();
    return last !== undefined && Quantity.parse(last).equals(Quantity.parse(size));
  };
  await waitFor(`${scene.namespace}: quota to be ${size}`, isExact, { timeoutMs: 120_000, everyMs: 200 }).catch(
    (error: unknown) => {
      throw new Error(`${String(error)}; it is ${last}`);
    },
  );
}

/** What each claim has, by ordinal, in the order of the ordinals. */
function capacities({ claims }: Look): string {
  return claims.map(({ status }) => status?.capacity?.["storage"] ?? "-").join(" ");
}

const row = ({ record }: Look, ordinal: number) =>
  record?.status?.claims?.find(({ name }) => name === `data-${SET}-${ordinal}`);

export const FAILURE_STORIES: readonly Story[] = [
  {
    name: "in parallel the rest grow; the record says why; a lower wish recovers the one",
    async play(scene) {
      await withOneBad(scene, 4);
      await scene.wish("data=10Gi");
      const failed = await scene.until(
        "the others to grow",
        (look) =>
          capacities(look) === "10Gi 10Gi 10Gi 10Gi 1Gi 10Gi 10Gi 10Gi 10Gi 10Gi" && row(look, 4)?.state === "Failed",
      );
      expect(row(failed, 4)?.message).toContain("the storage refused 10Gi");
      expect(row(failed, 4)?.message).toContain("ask for less, but more than 1Gi");
      await scene.until(
        "it to be stalled",
        ({ record }) =>
          record?.status?.conditions?.some(({ type, status }) => type === "Stalled" && status === "True") === true,
      );
      await quotaIs(scene, "100Gi");

      await scene.wish("data=4Gi");
      const after = await scene.until(
        "the one to recover",
        (look) =>
          capacities(look) === "10Gi 10Gi 10Gi 10Gi 4Gi 10Gi 10Gi 10Gi 10Gi 10Gi" &&
          look.record?.status?.phase === "Done",
      );
      expect(requestOf(after.claims[4] ?? { spec: {} }).toString()).toBe("4Gi");
      await quotaIs(scene, "94Gi");
      expect(isReady(after)).toBe(true);
    },
  },
  {
    name: "one by one the rest wait; told to go on despite it, they grow; a lower wish recovers the one",
    async play(scene) {
      await withOneBad(scene, 7);
      await scene.order({ rollout: { mode: "OneByOne" } });
      await scene.annotate("data=10Gi");
      const stopped = await scene.until("it to stop", ({ record }) => record?.status?.phase === "Stopped");
      expect(capacities(stopped)).toBe("1Gi 1Gi 1Gi 1Gi 1Gi 1Gi 1Gi 1Gi 10Gi 10Gi");
      expect(stopped.claims.map((claim) => requestOf(claim).toString()).join(" ")).toBe(
        "1Gi 1Gi 1Gi 1Gi 1Gi 1Gi 1Gi 10Gi 10Gi 10Gi",
      );
      expect(stopped.record?.status?.conditions?.find(({ type }) => type === "Stalled")?.message).toContain(
        `stopped: data-${SET}-7 failed`,
      );
      await quotaIs(scene, "37Gi");
      expect(stopped.set && hasSizes(stopped.set, { data: "1Gi" })).toBe(true);

      await scene.order({ rollout: { mode: "OneByOne", goOnDespite: [`data-${SET}-7`] } });
      await scene.until(
        "the others",
        (look) => capacities(look) === "10Gi 10Gi 10Gi 10Gi 10Gi 10Gi 10Gi 1Gi 10Gi 10Gi",
      );
      await quotaIs(scene, "100Gi");
      await scene.annotate("data=5Gi");
      await scene.until(
        "the one",
        (look) =>
          capacities(look) === "10Gi 10Gi 10Gi 10Gi 10Gi 10Gi 10Gi 5Gi 10Gi 10Gi" &&
          look.record?.status?.phase === "Done",
      );
      await quotaIs(scene, "95Gi");
    },
  },
  {
    name: "among the canaries it keeps the rest from being touched; a lower wish recovers it, and the rest follow",
    async play(scene) {
      await withOneBad(scene, 9);
      await scene.order({ rollout: { canary: 2 } });
      await scene.annotate("data=10Gi");
      const stopped = await scene.until(
        "it to stop",
        (look) => look.record?.status?.phase === "Stopped" && capacities(look).endsWith("10Gi 1Gi"),
      );
      expect(capacities(stopped)).toBe("1Gi 1Gi 1Gi 1Gi 1Gi 1Gi 1Gi 1Gi 10Gi 1Gi");
      expect(row(stopped, 0)?.state).toBe("Pending");
      await quotaIs(scene, "28Gi");
      // A new replica must not come up with a size that is not known to work.
      expect(stopped.set && hasSizes(stopped.set, { data: "1Gi" })).toBe(true);

      await scene.annotate("data=3Gi");
      await scene.until(
        "all of them",
        (look) =>
          capacities(look) === "3Gi 3Gi 3Gi 3Gi 3Gi 3Gi 3Gi 3Gi 10Gi 3Gi" && look.record?.status?.phase === "Done",
      );
      await quotaIs(scene, "37Gi");
    },
  },
  {
    name: "on the node: the volume keeps what it has, and quota goes on counting it",
    async play(scene) {
      await withOneBad(scene, 0, "five-at-most-on-node");
      await scene.wish("data=10Gi");
      const failed = await scene.until("it to fail", (look) => row(look, 0)?.state === "Failed");
      expect(row(failed, 0)?.message).toContain("the storage refused 10Gi");
      await scene.until(
        "the others",
        (look) => capacities(look) === "1Gi 10Gi 10Gi 10Gi 10Gi 10Gi 10Gi 10Gi 10Gi 10Gi",
      );
      await quotaIs(scene, "100Gi");
    },
  },
  {
    name: "more than the quota allows is refused as a whole, with the numbers; when there is room, it grows",
    async play(scene) {
      await scene.quota("5Gi");
      await scene.create();
      await quotaIs(scene, "2Gi");
      await scene.annotate("data=3Gi");
      const refused = await scene.untilSaid("quota");
      expect(capacities(refused)).toBe("1Gi 1Gi");
      await quotaIs(scene, "2Gi");
      await scene.plane.api.patch(scene.path("resourcequotas", "storage"), {
        spec: { hard: { "requests.storage": "6Gi" } },
      });
      await scene.untilGrown({ data: "3Gi" });
      await quotaIs(scene, "6Gi");
    },
  },
];
