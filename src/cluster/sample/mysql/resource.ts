/** A MySQLCluster, with the fields of MOCO's own that its stand-in goes by. */
import type { ClaimTemplate, Condition, KubeObject } from "../../../core/types.ts";
import { defineResource } from "../../../kube/index.ts";

export interface MySQLCluster extends KubeObject {
  spec: {
    /** @default 1 */
    replicas?: number;
    /** No pods at all, for as long as this is so. */
    offline?: boolean;
    /** In the shape of a StatefulSet's; one of them is called `mysql-data`. */
    volumeClaimTemplates: ClaimTemplate[];
  };
  status?: { conditions?: Condition[] };
}

export const MYSQL_CLUSTERS = defineResource<MySQLCluster>("moco.cybozu.com/v1beta2", "MySQLCluster", "mysqlclusters");

/** With the value `true` the operator keeps its hands off everything but the status. */
export const STOPPED_ANNOTATION = "moco.cybozu.com/reconciliation-stopped";

export function isStopped({ metadata }: MySQLCluster): boolean {
  return metadata.annotations?.[STOPPED_ANNOTATION] === "true";
}
