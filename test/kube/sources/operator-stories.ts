/** What operators do at the worst of moments, on API servers where the set has to be created again. */
import { expect } from "vitest";
import type { StatefulSet } from "../../../src/core/types.ts";
import { STATEFUL_SETS } from "../../../src/kube/index.ts";
import { RECREATE_FINALIZER } from "../../../src/statefulset/decide/saved-set.ts";
import { hasSizes, losses, requestOf } from "../growth/intact.ts";
import type { SourceStory } from "./moco-stories.ts";
import { DATA, dataOf, type SourceScene } from "./scene.ts";
import type { SourceStage } from "./stage.ts";

export const OPERATOR_STORIES: readonly SourceStory[] = [
  {
    name: "an operator that is down: after a minute the set comes back from the journal, with the new size",
    async play(scene) {
      const before = await scene.create();
      await scene.operator.stop();
      await scene.resize("2Gi");
      await scene.sets.untilSaid("waits for the operator of MySQLCluster shop to create the set again");
      expect(losses(before, await scene.untilResized("2Gi"))).toEqual([]);
    },
  },
  {
    name: "an operator that writes to the set while it is made ready to be deleted, again and again, stops nothing",
    async play(scene, stage) {
      const before = await scene.create();
      await using busy = startBusy(scene, stage);
      await scene.resize("2Gi");
      const after = await scene.untilResized("2Gi");
      expect(busy.writes()).toBe(BUSY_WRITES);
      const lost = losses(before, after).filter((loss) => !loss.startsWith("annotations"));
      expect(lost.filter((loss) => !loss.startsWith("managers"))).toEqual([]);
    },
  },
  {
    name: "an operator that takes our finalizer off: the set is not deleted, and it is told why",
    async play(scene, stage) {
      const before = await scene.create();
      await using jealous = startJealous(scene, stage);
      await scene.resize("2Gi");
      await scene.sets.untilSaid("takes back what makes deleting the set safe");
      await scene.untilCondition("False ResizeFailed: Resize failed: ");
      const after = await scene.sets.look();
      expect(jealous.writes()).toBeGreaterThan(0);
      expect(after.set?.metadata.uid).toBe(before.set?.metadata.uid);
      expect(losses(before, after).filter((loss) => !loss.startsWith("managers"))).toEqual([]);
      expect(after.claims.map((claim) => requestOf(claim).toString())).toEqual(["2Gi", "2Gi"]);
    },
  },
  {
    name: "a size below the set's: nothing shrinks",
    async play(scene) {
      const before = await scene.create({ storage: "2Gi" });
      await scene.resize("1Gi");
      await scene.untilCondition(`True Resized: every claim has its size: ${DATA} 1Gi`);
      const after = await scene.sets.look();
      expect(after.set !== undefined && hasSizes(after.set, { [DATA]: "2Gi" })).toBe(true);
      expect(after.claims.map((claim) => requestOf(claim).toString())).toEqual(["2Gi", "2Gi"]);
      expect(losses(before, after)).toEqual([]);
    },
  },
  {
    name: "a template that was added: it is told, and nothing is changed until it is gone again",
    async play(scene) {
      const before = await scene.create();
      const templates = [dataOf("2Gi", "memory"), dataOf("1Gi", "memory", "more")];
      await scene.change({ spec: { volumeClaimTemplates: templates } });
      await scene.untilCondition(
        'False ValidationFailed: Validation failed: spec.volumeClaimTemplates[1]: Forbidden: StatefulSet "moco-shop" has no claim template "more"',
      );
      expect((await scene.sets.look()).claims.map((claim) => requestOf(claim).toString())).toEqual(["1Gi", "1Gi"]);
      await scene.resize("2Gi");
      expect(losses(before, await scene.untilResized("2Gi"))).toEqual([]);
    },
  },
];

interface Actor extends AsyncDisposable {
  /** How often it has come in between. */
  writes(): number;
}

/** How often the busy one writes; then it has other things to do. */
const BUSY_WRITES = 15;

/** From the moment that our finalizer is on the set it changes it, without asking what it is about. */
function startBusy(scene: SourceScene, stage: SourceStage): Actor {
  let count = 0;
  const edit = ({ metadata }: StatefulSet): object | undefined => {
    const isBusy = count < BUSY_WRITES && (count > 0 || metadata.finalizers?.includes(RECREATE_FINALIZER) === true);
    return isBusy ? { metadata: { annotations: { "example.com/seen": String(count++) } } } : undefined;
  };
  return startActor(scene, stage, edit, 50);
}

/** Takes foreign finalizers off, as those do who write whole objects. */
function startJealous(scene: SourceScene, stage: SourceStage): Actor {
  return startActor(
    scene,
    stage,
    ({ metadata }) =>
      metadata.finalizers?.includes(RECREATE_FINALIZER) === true && metadata.deletionTimestamp === undefined
        ? { metadata: { finalizers: metadata.finalizers.filter((each) => each !== RECREATE_FINALIZER) } }
        : undefined,
    20,
  );
}

function startActor(
  { sets: { namespace } }: SourceScene,
  { client }: SourceStage,
  edit: (set: StatefulSet) => object | undefined,
  everyMs: number,
): Actor {
  let writes = 0;
  const stopping = new AbortController();
  const ref = { namespace, name: "moco-shop" };
  async function act(): Promise<void> {
    const set = await client.get(STATEFUL_SETS, ref, {}, stopping.signal);
    const body = edit(set) as Readonly<Record<string, unknown>> | undefined;
    if (body === undefined) return;
    writes++;
    await client.patch(STATEFUL_SETS, ref, { type: "merge", body }, {}, stopping.signal);
  }
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      // The set may be away for a moment.
      await act().catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  }
  const running = run();
  return {
    writes: () => writes,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  };
}
