/** One node for all nodes of the cluster that was imported. */
import { isNotFound, type KubeClient } from "../../../kube/index.ts";
import { NODES } from "../../controllers/node/controller/registration.ts";
import { type Machine, newNode } from "../../controllers/node/decide/node-object.ts";
import { STANDS_FOR_ALL } from "../../controllers/scheduler/index.ts";

/** Says it on the node, for the scheduler; makes the node when it has never been there. */
export async function standForAll(client: KubeClient, name: string, machine: Machine): Promise<void> {
  const annotations = { [STANDS_FOR_ALL]: "true" };
  try {
    await client.patch(NODES, { name }, { type: "merge", body: { metadata: { annotations } } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const node = newNode(name, machine);
    await client.create(NODES, { ...node, metadata: { ...node.metadata, annotations } });
  }
}
