/** The growths in whose every moment the controller is killed. */

import type { Flow } from "./kill-harness.ts";
import { isReady } from "./look.ts";

/** Everything that a re-creation has to do: a policy to suspend, and a claim to untie that no controller unties. */
export const RICH: Flow = {
  name: "rich",
  async prepare(scene) {
    await scene.create({ replicas: 2, policy: { whenDeleted: "Delete", whenScaled: "Retain" } });
    await scene.change({ spec: { replicas: 1 } });
    return scene.until("the second pod to go", isReady);
  },
  wish: (scene) => scene.wish("data=2Gi"),
  sizes: { data: "2Gi" },
};

/** No policy, two pods with two claims each. */
export const PLAIN: Flow = {
  name: "plain",
  prepare: (scene) => scene.create({ sizes: { data: "1Gi", wal: "1Gi" } }),
  wish: (scene) => scene.wish("data=2Gi,wal=3Gi"),
  sizes: { data: "2Gi", wal: "3Gi" },
};

/** Too much first, then less: what was asked for is taken back. */
export const RECOVERY: Flow = {
  name: "recovery",
  prepare: (scene) => scene.create({ replicas: 1, className: "five-at-most" }),
  async wish(scene) {
    await scene.wish("data=10Gi");
    await scene.untilSaid("the storage refused 10Gi");
    await scene.wish("data=3Gi");
  },
  sizes: { data: "3Gi" },
};
