import { isForbidden, isNotFound, type KubeClient } from "../../kube/index.ts";
import { VOLUME_EXPANSIONS } from "../../statefulset/resource.ts";

/**
 * What a request for records gives; undefined where there is none, or no such kind: Outgrow is not installed then. A user
 * without rights to the kind is refused also where it does not exist; that is told apart by discovery, which all may read.
 */
export async function ifInstalled<T>(client: Pick<KubeClient, "serves">, request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    if (isForbidden(error) && !(await client.serves(VOLUME_EXPANSIONS))) return undefined;
    throw error;
  }
}
