/** How many pods the owners of these pods want together. */
import { OutgrowError } from "../../../../core/errors.ts";
import type { KubeObject, OwnerReference, Pod } from "../../../../core/types.ts";
import { isNotFound, type KubeClient, metadataOf } from "../../../../kube/index.ts";
import { controllerOf } from "../../../../statefulset/decide/references.ts";
import { type Kinds, unknownKind } from "../shared/kinds.ts";

interface Scale extends KubeObject {
  spec?: { replicas?: number };
}

export interface ExpectedScale {
  readonly replicas: number;
  /** Pods that nobody would replace: how many of them there should be, nobody knows. */
  readonly unmanaged: readonly string[];
}

/** Rejects when an owner cannot be asked, or is gone, or has no scale. */
export async function expectedScale(
  client: KubeClient,
  kinds: () => Promise<Kinds>,
  pods: readonly Pod[],
  signal: AbortSignal,
): Promise<ExpectedScale> {
  const scales = new Map<string, number>();
  const asked = new Set<string>();
  const unmanaged: string[] = [];
  for (const pod of pods) {
    const reference = controllerOf(pod);
    if (reference === undefined) {
      unmanaged.push(pod.metadata.name);
      continue;
    }
    if (asked.has(reference.uid)) continue;
    asked.add(reference.uid);
    const found = await scaleOf(client, await kinds(), pod, reference, signal);
    if (found === undefined) {
      throw new OutgrowError("OBJECT_MISSING", `found no controllers for pod ${JSON.stringify(pod.metadata.name)}`);
    }
    scales.set(found.uid, found.replicas);
  }
  return { replicas: [...scales.values()].reduce((sum, each) => sum + each, 0), unmanaged };
}

async function scaleOf(
  client: KubeClient,
  kinds: Kinds,
  pod: Pod,
  reference: OwnerReference,
  signal: AbortSignal,
): Promise<{ readonly uid: string; readonly replicas: number } | undefined> {
  const served = kinds.find(reference.apiVersion, reference.kind);
  if (served === undefined) throw unknownKind(reference.apiVersion, reference.kind);
  const { resource, subresources } = served;
  const ref = { namespace: pod.metadata.namespace, name: reference.name };
  try {
    if (resource.group === "apps" && resource.kind === "ReplicaSet") {
      const above = controllerOf(await client.get(metadataOf(resource), ref, {}, signal));
      // What a Deployment wants counts, and not what one of its sets still has.
      if (above?.kind === "Deployment") return await scaleOf(client, kinds, pod, above, signal);
    }
    if (!subresources.has("scale")) {
      const name = resource.group === "" ? resource.plural : `${resource.plural}.${resource.group}`;
      throw new OutgrowError("OBJECT_MALFORMED", `${name} does not implement the scale subresource`);
    }
    const { metadata, spec }: Scale = await client.get<Scale>(resource, ref, { subresource: "scale" }, signal);
    return metadata.uid === reference.uid ? { uid: reference.uid, replicas: spec?.replicas ?? 0 } : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
