/** The embedded cluster. */

export { CONTROLLERS, type ControllerName } from "./controllers/names.ts";
export { readParameterList } from "./import/decide/parameter-list.ts";
export type { Dump, DumpedObject, ImportReport, Remark } from "./import/index.ts";
export { type DriverName, NAMESPACE as SAMPLE_NAMESPACE } from "./sample/names.ts";
export { type Cluster, type ClusterOptions, startCluster } from "./start-cluster.ts";
