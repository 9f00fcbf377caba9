/** What a LimitRange gives to containers that do not say what they need. */
import type { ResourceList } from "../../../core/types.ts";
import type { PodLimits } from "./limit-checks.ts";
import type { Container, PodWithResources } from "./pod-resources.ts";

const ANNOTATION = "kubernetes.io/limit-ranger";

/** The pod with what its containers lack; the same object when they lack nothing. An annotation tells what was added. */
export function withContainerDefaults(pod: PodWithResources, range: PodLimits): PodWithResources {
  const defaults = (range.spec?.limits ?? []).filter(({ type }) => type === "Container");
  const requests = Object.assign({}, ...defaults.map((each) => each.defaultRequest)) as ResourceList;
  const limits = Object.assign({}, ...defaults.map((each) => each.default)) as ResourceList;
  const added: string[] = [];

  const fill = (containers: readonly Container[] | undefined, what: string) =>
    containers?.map((container) => {
      const missing = {
        requests: lackingIn(container.resources?.requests, requests),
        limits: lackingIn(container.resources?.limits, limits),
      };
      const told = (names: readonly string[], side: string) =>
        names.length === 0 ? [] : [`${names.join(", ")} ${side} for ${what} ${container.name}`];
      const before = added.length;
      added.push(...told(missing.requests, "request"), ...told(missing.limits, "limit"));
      return added.length === before ? container : filled(container, missing, { requests, limits });
    });

  const containers = fill(pod.spec.containers, "container");
  const initContainers = fill(pod.spec.initContainers, "init container");
  if (added.length === 0) return pod;
  const annotations = { ...pod.metadata.annotations, [ANNOTATION]: `LimitRanger plugin set: ${added.join("; ")}` };
  return {
    ...pod,
    metadata: { ...pod.metadata, annotations },
    spec: { ...pod.spec, ...(containers && { containers }), ...(initContainers && { initContainers }) },
  };
}

interface BothSides<T> {
  readonly requests: T;
  readonly limits: T;
}

function lackingIn(given: ResourceList | undefined, defaults: ResourceList): string[] {
  return Object.keys(defaults)
    .filter((name) => given?.[name] === undefined)
    .sort();
}

function filled(
  container: Container,
  missing: BothSides<readonly string[]>,
  defaults: BothSides<ResourceList>,
): Container {
  const resources: { requests?: ResourceList; limits?: ResourceList } = { ...container.resources };
  for (const side of ["limits", "requests"] as const) {
    if (missing[side].length === 0) continue;
    const added = missing[side].map((name) => [name, defaults[side][name] ?? "0"]);
    resources[side] = { ...resources[side], ...Object.fromEntries(added) };
  }
  return { ...container, resources };
}
