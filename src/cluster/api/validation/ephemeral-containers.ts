/** Containers that are added to a pod that is there, to look into it: that they stay, and are what they may be (upstream ValidatePodEphemeralContainersUpdate). */
import { type FieldError, forbidden } from "../../../admission/verdict.ts";
import { semanticallyEqual } from "../../../core/semantic-equal.ts";
import { checkEphemeralContainers, type EphemeralContainer } from "./pod/ephemeral.ts";
import { checkVolumes } from "./pod/volumes.ts";
import { aroundOf, type PodSpecToCheck } from "./pod.ts";

export interface PodWithEphemeral {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: PodSpecToCheck;
}

const PATH = "spec.ephemeralContainers";
const MIRROR = "kubernetes.io/config.mirror";

/** Every error of a change through the endpoint that is for them alone. */
export function validateEphemeralContainers(old: PodWithEphemeral, next: PodWithEphemeral): FieldError[] {
  if (old.metadata.annotations?.[MIRROR] !== undefined) {
    return [forbidden("", "static pods do not support ephemeral containers")];
  }
  const { ephemeralContainers: containers = [] } = next.spec;
  return [...containerErrors(containers, next.spec), ...changes(old.spec.ephemeralContainers ?? [], containers)];
}

function containerErrors(containers: readonly EphemeralContainer[], spec: PodSpecToCheck): FieldError[] {
  // What is wrong with the volumes was told when the pod was made.
  const around = aroundOf(spec, checkVolumes(spec.volumes ?? [], undefined, "spec.volumes").usable);
  return checkEphemeralContainers(
    containers,
    [...(spec.containers ?? []), ...(spec.initContainers ?? [])],
    around,
    PATH,
  );
}

/** They may come, and neither change nor go. */
function changes(old: readonly EphemeralContainer[], next: readonly EphemeralContainer[]): FieldError[] {
  const byName = new Map(next.map((container) => [container.name, container] as const).toReversed());
  return old.flatMap((container) => {
    const now = byName.get(container.name);
    const shown = JSON.stringify(container.name);
    if (now === undefined) return [forbidden(PATH, `existing ephemeral containers ${shown} may not be removed\n`)];
    if (semanticallyEqual(container, now)) return [];
    return [forbidden(PATH, `existing ephemeral containers ${shown} may not be changed\n`)];
  });
}
