import type { KubeClient } from "../../kube/index.ts";
import { VOLUME_EXPANSIONS } from "../../statefulset/resource.ts";

/** Why a wish would never be heard in this cluster, and the way out; undefined when Outgrow is installed. */
export async function whyNotInstalled(client: Pick<KubeClient, "serves">): Promise<string | undefined> {
  if (await client.serves(VOLUME_EXPANSIONS)) return undefined;
  return "Outgrow is not installed in this cluster; install it with: outgrow manifests | kubectl apply -f -, or grow the claims one by one (outgrow resize pvc/NAME SIZE)";
}
