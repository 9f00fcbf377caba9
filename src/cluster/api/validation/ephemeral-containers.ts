/** Containers that are added to a pod that is there, to look into it: what they may be, and that they stay (upstream validateEphemeralContainers). */
import { duplicate, type FieldError, forbidden, notFound } from "../../../admission/verdict.ts";
import { semanticallyEqual } from "../../../core/semantic-equal.ts";
import { type Container, checkContainer } from "./pod/container.ts";
import { checkVolumes } from "./pod/volumes.ts";
import { aroundOf, type PodSpecToCheck } from "./pod.ts";
import { repeated } from "./repeated.ts";

export interface EphemeralContainer extends Container {
  readonly targetContainerName?: string;
}

export interface PodWithEphemeral {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: PodSpecToCheck & { readonly ephemeralContainers?: readonly EphemeralContainer[] };
}

/** What only a container that is part of the pod's work may have. */
const NOT_FOR_THEM = [
  "ports",
  "resources",
  "resizePolicy",
  "restartPolicy",
  "restartPolicyRules",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
];

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
  const others = new Set([...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name }) => name));
  const again = repeated(containers, ({ name }) => name ?? "");
  // What is wrong with the volumes was told when the pod was made.
  const around = aroundOf(spec, checkVolumes(spec.volumes ?? [], undefined, "spec.volumes").usable);
  return containers.flatMap((container, index) => {
    const at = `${PATH}[${index}]`;
    const { name, targetContainerName: target = "" } = container;
    return [
      ...checkContainer(container, around, at),
      ...(others.has(name) || again.has(index) ? [duplicate(`${at}.name`, name)] : []),
      ...(target === "" || others.has(target) ? [] : [notFound(`${at}.targetContainerName`, target)]),
      ...NOT_FOR_THEM.filter((field) => isSaid(container, field)).map((field) =>
        forbidden(`${at}.${field}`, "cannot be set for an Ephemeral Container"),
      ),
    ];
  });
}

function isSaid(container: object, field: string): boolean {
  const value = (container as Readonly<Record<string, unknown>>)[field];
  if (value === undefined || value === null) return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
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
