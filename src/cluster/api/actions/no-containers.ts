/** What a pod's containers would have to say or do. No container runs in this cluster, and that is what is said. */
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
