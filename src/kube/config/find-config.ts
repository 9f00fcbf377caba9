/** The cluster of a program that may be a pod's. */

import { systemTimers } from "../timers.ts";
import type { ClusterConfig } from "./cluster-config.ts";
import { inClusterConfig, isInCluster } from "./in-cluster.ts";
import { type LoadOptions, loadConfig } from "./load-config.ts";

/** In a pod, without a word to the contrary, the pod's own cluster: as every sidecar does, whatever else lies around. */
export function findConfig(options: Pick<LoadOptions, "env" | "kubeconfig" | "master">): Promise<ClusterConfig> {
  const { env, kubeconfig, master } = options;
  if (kubeconfig === undefined && master === undefined && isInCluster(env)) {
    return inClusterConfig({ env, timers: systemTimers });
  }
  return loadConfig({ env, kubeconfig, master });
}
