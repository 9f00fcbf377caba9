/** How a growth is to be done, written where the controller looks: the spec of the set's record. */
import { isAlreadyExists, isNotFound, type KubeClient, type Ref } from "../../kube/index.ts";
import { VOLUME_EXPANSIONS } from "../../statefulset/resource.ts";
import type { HowToGrow } from "../growth-flags.ts";

/** Writes these settings and leaves the others as they are. A record that is not there yet is created. */
export async function writeHow(client: Pick<KubeClient, "patch" | "create">, ref: Ref, how: HowToGrow): Promise<void> {
  const patch = () => client.patch(VOLUME_EXPANSIONS, ref, { type: "merge", body: { spec: how } });
  try {
    await patch();
    return;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  const { namespace = "default", name } = ref;
  try {
    await client.create(VOLUME_EXPANSIONS, { metadata: { namespace, name }, spec: { statefulSetName: name, ...how } });
  } catch (error) {
    // The controller was quicker.
    if (!isAlreadyExists(error)) throw error;
    await patch();
  }
}
