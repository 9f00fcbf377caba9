/** Tells of the pods behind each service, in Endpoints and EndpointSlices. */
import { isDeepStrictEqual } from "node:util";
import {
  isAlreadyExists,
  isNotFound,
  keyOf,
  mergePatch,
  type Outcome,
  refOf,
  refOfKey,
  withPrecondition,
} from "../../../../../kube/index.ts";
import {
  type Controller,
  type ControllerOptions,
  runController,
  type Surroundings,
} from "../../../shared/run-controller.ts";
import { isNamespaceTerminating } from "../../../shared/terminating.ts";
import { endpointsOf } from "../decide/endpoints.ts";
import { isBehind } from "../decide/pods.ts";
import { planSlices, SERVICE_NAME } from "../decide/slices.ts";
import { isTold, type Service, type ServingPod } from "../decide/types.ts";
import { ENDPOINTS, SLICES } from "../resources.ts";
import { startView } from "./view.ts";

const ZONE = "topology.kubernetes.io/zone";
/** A slice that we have just made is not known of yet. In milliseconds. */
const LOOK_AGAIN = 100;

/** Starts at once. */
export function startEndpointController(options: ControllerOptions): Controller {
  return runController({ ...options, name: "endpoint", component: "endpoint-controller" }, begin);
}

function begin(surroundings: Surroundings) {
  const { client, queue, signal } = surroundings;
  const view = startView(surroundings);
  const { services, pods, nodes, endpoints, slices } = view;
  const look = (pod: ServingPod): void => {
    for (const service of services.byIndex("namespace", pod.metadata.namespace ?? "")) {
      if (isBehind(service, pod)) queue.add(keyOf(service.metadata));
    }
  };
  services.addHandler({
    added: ({ metadata }) => queue.add(keyOf(metadata)),
    updated: (_, { metadata }) => queue.add(keyOf(metadata)),
    deleted: ({ metadata }) => queue.add(keyOf(metadata)),
  });
  pods.addHandler({
    added: look,
    updated(before, after) {
      if (isSameBut(before, after)) return;
      look(before);
      look(after);
    },
    deleted: look,
  });
  endpoints.addHandler({
    // Without a service, they are left over from one.
    added: ({ metadata }, source) => source === "list" && queue.add(keyOf(metadata)),
    updated: (_, { metadata }, source) => source === "write" || queue.add(keyOf(metadata)),
    deleted: ({ metadata }) => queue.add(keyOf(metadata)),
  });
  const lookAtService = ({ metadata }: { metadata: { namespace?: string; labels?: Record<string, string> } }): void => {
    queue.add(keyOf({ namespace: metadata.namespace, name: metadata.labels?.[SERVICE_NAME] ?? "" }));
  };
  slices.addHandler({
    updated: (_, after, source) => source === "write" || lookAtService(after),
    deleted: lookAtService,
  });

  async function reconcile(key: string): Promise<Outcome> {
    const service = services.get(refOfKey(key));
    try {
      if (service === undefined) {
        await removeEndpoints(key);
      } else if (isTold(service)) {
        const behind = pods
          .byIndex("namespace", service.metadata.namespace ?? "")
          .filter((pod) => isBehind(service, pod));
        await writeEndpoints(key, service, behind);
        await writeSlices(key, service, behind);
      }
    } catch (error) {
      if (isAlreadyExists(error)) return { after: LOOK_AGAIN };
      if (!isNotFound(error) && !isNamespaceTerminating(error)) throw error;
    }
    return undefined;
  }

  /** Slices go with their owner; Endpoints have none. */
  async function removeEndpoints(key: string): Promise<void> {
    const found = endpoints.get(refOfKey(key));
    if (found?.metadata.labels?.["endpoints.kubernetes.io/managed-by"] === undefined) return;
    const { uid = "", resourceVersion = "" } = found.metadata;
    await client.delete(ENDPOINTS, refOf(found), { preconditions: { uid, resourceVersion } }, signal);
  }

  async function writeEndpoints(key: string, service: Service, behind: readonly ServingPod[]): Promise<void> {
    const found = endpoints.get(refOfKey(key));
    const wanted = endpointsOf(service, behind, found);
    if (found === undefined) {
      if (service.metadata.deletionTimestamp === undefined) await client.create(ENDPOINTS, wanted, {}, signal);
      return;
    }
    const difference = mergePatch({ subsets: [], ...found }, wanted);
    if (difference === undefined) return;
    const patch = { type: "merge", body: withPrecondition(difference, found) } as const;
    const written = await client.patch(ENDPOINTS, refOf(found), patch, {}, signal);
    endpoints.observe(written, found.metadata.resourceVersion ?? "");
  }

  async function writeSlices(key: string, service: Service, behind: readonly ServingPod[]): Promise<void> {
    const zoneOf = (name: string): string | undefined => nodes.get({ name })?.metadata.labels?.[ZONE];
    const plan = planSlices(service, behind, slices.byIndex("service", key), zoneOf);
    for (const slice of plan.update) {
      const written = await client.update(SLICES, slice, {}, signal);
      slices.observe(written, slice.metadata.resourceVersion ?? "");
    }
    // The collector takes the slices of a service that goes; new ones would only get in its way.
    if (service.metadata.deletionTimestamp === undefined) {
      for (const slice of plan.create) await client.create(SLICES, slice, {}, signal);
    }
    for (const slice of plan.remove) {
      const { uid = "", resourceVersion = "" } = slice.metadata;
      await client.delete(SLICES, refOf(slice), { preconditions: { uid, resourceVersion } }, signal);
    }
  }

  return { informers: Object.values(view), reconcile };
}

/** Pods are written often, and most of it is no business of a service. */
function isSameBut(before: ServingPod, after: ServingPod): boolean {
  const { resourceVersion: _, ...old } = before.metadata;
  const { resourceVersion: __, ...now } = after.metadata;
  return isDeepStrictEqual([old, before.spec, before.status], [now, after.spec, after.status]);
}
