/** Everything that Outgrow is in a cluster, in the order in which it is applied. */
import { EXPANSION_SOURCE_DEFINITION } from "../../source/install/definition.ts";
import { VOLUME_EXPANSION_DEFINITION } from "../../statefulset/index.ts";
import { controllerAccess, peoplesAccess } from "./access.ts";
import { admissionPolicies } from "./admission.ts";
import { controllerPods } from "./deployment.ts";
import { networkPolicy } from "./network.ts";
import type { InstallOptions } from "./options.ts";
import { type Explained, LABELS, type Part } from "./part.ts";
import { podMonitor } from "./pod-monitor.ts";
import { sourceObjects } from "./source.ts";
import { webhook } from "./webhook.ts";

/**
 * The parts in order: what others refer to comes first, and what lets sizes in comes last, when there is somebody to act on
 * them. Pure: the same options give the same objects.
 *
 * Within lists that are owned as a whole, what a server would fill in is written out: else everybody who applies this after
 * somebody else, with another tool, is told of conflicts.
 */
export function installation(options: InstallOptions): readonly Part[] {
  return [
    { name: "namespace", objects: options.ownNamespace ? [namespaceOf(options)] : [] },
    { name: "definition", objects: [recordDefinition()] },
    { name: "source-definition", objects: [sourceDefinition()] },
    { name: "access", objects: [...controllerAccess(options), ...peoplesAccess()] },
    { name: "controller", objects: [...controllerPods(options), networkPolicy(options)] },
    { name: "pod-monitor", objects: options.podMonitor ? [podMonitor(options)] : [] },
    ...admissionPolicies(options),
    { name: "webhook", objects: options.admission === "webhook" ? webhook(options) : [] },
    ...options.sources.map((source) => ({
      name: `source-${source.metadata.name}`,
      objects: sourceObjects(source, options),
    })),
  ];
}

function namespaceOf({ namespace }: InstallOptions): Explained {
  return {
    why: "A place of its own, for pods without any privilege.",
    object: {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: namespace, labels: { ...LABELS, "pod-security.kubernetes.io/enforce": "restricted" } },
    },
  };
}

function recordDefinition(): Explained {
  const { apiVersion, kind, metadata, spec } = VOLUME_EXPANSION_DEFINITION;
  return {
    why: "The record of each growth: its progress, how it is to be done, and the journal of what must not be forgotten.",
    object: { apiVersion, kind, metadata: { ...metadata, labels: { ...LABELS } }, spec },
  };
}

function sourceDefinition(): Explained {
  const { apiVersion, kind, metadata, spec } = EXPANSION_SOURCE_DEFINITION;
  return {
    why: "Where a kind of custom resource writes its sizes, so that they are followed. None is unless there is such an object.",
    object: { apiVersion, kind, metadata: { ...metadata, labels: { ...LABELS } }, spec },
  };
}
