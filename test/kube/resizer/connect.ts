/** Our own client, as the administrator of a test cluster. */
import { createClient, createTransport, type KubeClient, loadConfig } from "../../../src/kube/index.ts";
import type { ControlPlane } from "../control-plane.ts";

/** The caller closes it. */
export async function connectAsAdmin({ admin }: ControlPlane): Promise<KubeClient> {
  return createClient(createTransport(await loadConfig({ env: {}, kubeconfig: admin.kubeconfig })));
}
