/** The embedded cluster. */
export { type Cluster, type ClusterOptions, startCluster } from "./start-cluster.ts";
