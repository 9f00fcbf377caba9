/** The growths in whose every moment the controller is killed. */
import type { Flow } from "./kill-harness.ts";
import { isReady } from "./look.ts";
import type { Stage } from "./stage.ts";

/** The classes that some of them need, beyond the one that every stage has. */
export async function createClasses(stage: Stage): Promise<void> {
  await stage.createClass("five-at-most", { controllerLimit: "5Gi" });
  await stage.createClass("offline", { online: "false" });
}

/** Everything that a re-creation has to do: a policy to suspend, and a claim to untie that no controller unties. */
export const RICH: Flow = {
  name: "rich",
  async prepare(scene) {
    await scene.create({ replicas: 2, policy: { whenDeleted: "Delete", whenScaled: "Retain" } });
    await scene.change({ spec: { replicas: 1 } });
    return scene.until("the second pod to go", isReady);
  },
  wish: (scene) => scene.annotate("data=2Gi"),
  sizes: { data: "2Gi" },
};

/** No policy, two pods with two claims each. */
export const PLAIN: Flow = {
  name: "plain",
  prepare: (scene) => scene.create({ sizes: { data: "1Gi", wal: "1Gi" } }),
  wish: (scene) => scene.annotate("data=2Gi,wal=3Gi"),
  sizes: { data: "2Gi", wal: "3Gi" },
};

/** Too much first, then less: what was asked for is taken back. */
export const RECOVERY: Flow = {
  name: "recovery",
  prepare: (scene) => scene.create({ replicas: 1, className: "five-at-most" }),
  async wish(scene) {
    await scene.annotate("data=10Gi");
    await scene.untilSaid("the storage refused 10Gi");
    await scene.annotate("data=3Gi");
  },
  sizes: { data: "3Gi" },
};

/** All of its claims would go with the set, and with every pod that is one too many. */
export const TIED: Flow = {
  name: "tied",
  prepare: (scene) => scene.create({ policy: { whenDeleted: "Delete", whenScaled: "Delete" } }),
  wish: (scene) => scene.annotate("data=2Gi"),
  sizes: { data: "2Gi" },
};

/** Each claim waits for the one before it. */
export const ONE_BY_ONE: Flow = {
  name: "one-by-one",
  async prepare(scene) {
    const before = await scene.create();
    await scene.order({ rollout: { mode: "OneByOne" } });
    return before;
  },
  wish: (scene) => scene.annotate("data=2Gi"),
  sizes: { data: "2Gi" },
};

/** The driver grows volumes only when nobody uses them: pods make room, held until their volumes have grown. */
export const RESTARTS: Flow = {
  name: "restarts",
  podsRestart: true,
  async prepare(scene) {
    const before = await scene.create({ className: "offline" });
    await scene.order({ restartPods: "WhenNeeded" });
    return before;
  },
  wish: (scene) => scene.annotate("data=2Gi"),
  sizes: { data: "2Gi" },
};

export const FLOWS: readonly Flow[] = [PLAIN, RICH, TIED, ONE_BY_ONE, RECOVERY, RESTARTS];
