/** Containers that were added to a pod to look into it: what they may be (upstream validateEphemeralContainers). */
import { duplicate, type FieldError, forbidden, notFound } from "../../../../admission/verdict.ts";
import { repeated } from "../repeated.ts";
import { type Container, checkContainer, type PodAround } from "./container.ts";

export interface EphemeralContainer extends Container {
  readonly targetContainerName?: string;
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

/** `others`: those that do the pod's work. */
export function checkEphemeralContainers(
  containers: readonly EphemeralContainer[],
  others: readonly Container[],
  around: PodAround,
  path: string,
): FieldError[] {
  const names = new Set(others.map(({ name }) => name));
  const again = repeated(containers, ({ name }) => name ?? "");
  return containers.flatMap((container, index) => {
    const at = `${path}[${index}]`;
    const { name, targetContainerName: target = "" } = container;
    return [
      ...checkContainer(container, around, at),
      ...(names.has(name) || again.has(index) ? [duplicate(`${at}.name`, name)] : []),
      ...(target === "" || names.has(target) ? [] : [notFound(`${at}.targetContainerName`, target)]),
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
