/** The embedded cluster. */

export { CONTROLLERS, type ControllerName } from "./controllers/roster.ts";
export { type DriverName, NAMESPACE as SAMPLE_NAMESPACE } from "./sample/objects.ts";
export { type Cluster, type ClusterOptions, startCluster } from "./start-cluster.ts";
