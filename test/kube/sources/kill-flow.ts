/** A growth through a custom resource, in whose every moment the controller can be killed. */
import type { Flow } from "../growth/kill-harness.ts";
import type { Stage } from "../growth/stage.ts";
import { DATA, type SourceScene } from "./scene.ts";
import type { SourceStage } from "./stage.ts";

/**
 * The flow, and the stage whose scenes it plays in: each has an operator. The controller's clock is a minute ahead, so that the
 * operator's turn is over as soon as it begins, and both create the set at the same time.
 */
export function sourceFlow(sources: SourceStage): { readonly flow: Flow; readonly stage: Stage } {
  const scenes = new Map<string, SourceScene>();
  const sceneOf = (namespace: string): SourceScene => {
    const scene = scenes.get(namespace);
    if (scene === undefined) throw new Error(`no operator was started in ${namespace}`);
    return scene;
  };
  return {
    stage: {
      ...sources.stage,
      async scene(namespace) {
        const scene = await sources.scene(namespace);
        scenes.set(namespace, scene);
        return scene.sets;
      },
    },
    flow: {
      name: "source",
      prepare: ({ namespace }) => sceneOf(namespace).make(),
      wish: ({ namespace }) => sceneOf(namespace).resize("2Gi"),
      sizes: { [DATA]: "2Gi" },
      untilDone: async ({ namespace }) => void (await sceneOf(namespace).untilResized("2Gi")),
    },
  };
}
