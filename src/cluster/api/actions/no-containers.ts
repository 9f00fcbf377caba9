/** What a pod's containers, a node or a service would have to say or do. No container runs in this cluster, and that is what is said. */
import type { Action } from "../handlers/dispatch.ts";
import { get } from "../json.ts";
import { badRequest, StatusError } from "../status-error.ts";
import { objectAt } from "./pod-condition.ts";

/** Throws 404 without the pod, 400 for one that has no node, and 501 for any other. */
export const noContainers: Action = async ({ objects }, { resource, namespace, name = "", subresource = "" }) => {
  const pod = objects.get(resource.kind, namespace, name);
  const node = get(objectAt(pod, "spec"), "nodeName") ?? "";
  if (node === "") throw badRequest(`pod ${name} does not have a host assigned`);
  throw new StatusError(
    501,
    "NotImplemented",
    `no container runs in this cluster, so there is no ${subresource} of pod ${JSON.stringify(name)}`,
  );
};

/** The way through a node, a pod or a service to what listens there. Throws 404 without the object, and 501 for any. */
export const nothingBehind: Action = async ({ objects }, { resource, namespace, name = "" }) => {
  const { kind } = resource;
  const called = behind(name);
  objects.get(kind, namespace, called);
  throw new StatusError(
    501,
    "NotImplemented",
    `no container runs in this cluster, so nothing listens behind ${kind.singular} ${JSON.stringify(called)}`,
  );
};

/** The path may name a scheme and a port beside the object: `https:web:443`, `web:http`. */
function behind(name: string): string {
  const parts = name.split(":");
  return (parts.length === 3 ? parts[1] : parts[0]) ?? "";
}
