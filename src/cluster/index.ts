/** The embedded cluster. */

export { CONTROLLERS, type ControllerName } from "./controllers/roster.ts";
export { type Dump, type DumpedObject, type ImportReport, type Remark, readParameterList } from "./import/index.ts";
export { type DriverName, NAMESPACE as SAMPLE_NAMESPACE } from "./sample/objects.ts";
export { type Cluster, type ClusterOptions, startCluster } from "./start-cluster.ts";
