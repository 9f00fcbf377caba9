/** One actor at one moment of a re-creation, from the manifest to the outcome. */
import { ApiRefusal } from "../api.ts";
import { type Actor, grownAndIntact, MANIFEST } from "./actors.ts";
import type { Write } from "./calls.ts";
import type { Interference } from "./interference.ts";
import { isReady } from "./look.ts";
import type { Stage } from "./stage.ts";

/** Rejects when something was lost, or the outcome is another one. */
export async function playActor(
  stage: Stage,
  interference: Interference,
  namespace: string,
  { act, outcome }: Actor,
  moment: Write,
): Promise<void> {
  const scene = await stage.scene(namespace);
  await stage.plane.kubectl(["-n", namespace, "apply", "-f", "-"], { input: JSON.stringify(MANIFEST) });
  const before = await scene.until("its pods to be ready", isReady);
  let isTurnedAway = false;
  const acted = interference.at(scene, moment, async () => {
    await act(scene).catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      isTurnedAway = true;
    });
  });
  await Promise.all([scene.annotate("data=2Gi"), acted]);
  await (isTurnedAway ? grownAndIntact(scene, before) : outcome(scene, before, moment));
}

/** What an actor meets when it comes too late or too early is no failure of ours. Then it is as if nobody had come. */
function isRefusal(error: unknown): boolean {
  if (error instanceof ApiRefusal) return error.status < 500;
  return (
    error instanceof Error &&
    /\((?:NotFound|Conflict|AlreadyExists|Forbidden)\)|is invalid|forbidden/.test(error.message)
  );
}
