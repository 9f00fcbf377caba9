/** The kind `MySQLCluster` and the stand-in for its operator. */
export { MYSQL_CLUSTER_DEFINITION } from "./definition.ts";
export { setNameOf } from "./desired-set.ts";
export { type MySqlOperatorOptions, OPERATOR_MANAGER, startMySqlOperator } from "./operator.ts";
export { MYSQL_CLUSTERS, type MySQLCluster, STOPPED_ANNOTATION } from "./resource.ts";
