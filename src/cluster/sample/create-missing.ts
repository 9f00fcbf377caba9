/** Objects that should be there: what is missing is created, and what is there stays as it is. */
import { defineResource, isAlreadyExists, type KubeClient } from "../../kube/index.ts";
import type { SampleObject } from "./objects.ts";

/** In their order. Rejects with what the API server refuses. */
export async function createMissing(
  client: Pick<KubeClient, "create">,
  objects: readonly SampleObject[],
): Promise<void> {
  for (const { apiVersion, kind, plural, object } of objects) {
    const scope = object.metadata.namespace === undefined ? "Cluster" : "Namespaced";
    try {
      await client.create(defineResource(apiVersion, kind, plural, scope), object);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }
}
