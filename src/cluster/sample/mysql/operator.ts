/**
 * The stand-in for MOCO: what its operator does to a StatefulSet, and nothing of what it does to MySQL. It owns the set
 * `moco-NAME` of each MySQLCluster: makes it, makes it again when it is missing, with the sizes that the cluster has then, and
 * takes back what others write into its fields. How volumes grow is none of its business.
 */
import { semanticallyEqual } from "../../../core/semantic-equal.ts";
import type { Condition, StatefulSet } from "../../../core/types.ts";
import {
  apiVersionOf,
  type KubeClient,
  keyOf,
  refOf,
  refOfKey,
  STATEFUL_SETS,
  startInformer,
  withoutManagedFields,
  withPrecondition,
} from "../../../kube/index.ts";
import {
  type Controller,
  type ControllerOptions,
  runController,
  type Surroundings,
} from "../../controllers/shared/run-controller.ts";
import { conditionsOf, hadSet } from "./conditions.ts";
import { desiredSet, setNameOf } from "./desired-set.ts";
import { isStopped, MYSQL_CLUSTERS, type MySQLCluster } from "./resource.ts";

export interface MySqlOperatorOptions extends ControllerOptions {
  /** Only these namespaces. @default all */
  readonly namespaces?: readonly string[];
  /** Whether a set that was there once is made again when it is missing. @default true */
  readonly recreates?: boolean;
}

/** Its name in the managed fields of what it writes. */
export const OPERATOR_MANAGER = "moco-controller";

/** Starts at once, on a cluster that has the definition of MySQLClusters. */
export function startMySqlOperator(options: MySqlOperatorOptions): Controller {
  return runController({ ...options, name: "mysql-operator", component: OPERATOR_MANAGER }, (surroundings) =>
    begin(options, surroundings),
  );
}

function begin(
  { namespaces, recreates = true }: MySqlOperatorOptions,
  { client, queue, timers, logger, metrics, signal }: Surroundings,
) {
  const tools = { client, timers, logger, metrics, trim: withoutManagedFields };
  const clusters = startInformer<MySQLCluster>({ ...tools, resource: MYSQL_CLUSTERS }, signal);
  const sets = startInformer<StatefulSet>({ ...tools, resource: STATEFUL_SETS }, signal);
  /** Clusters that have had a set, by uid: what was told of them may not have come back yet. */
  const known = new Set<string | undefined>();

  const look = ({ metadata: { namespace = "", name } }: MySQLCluster): void => {
    if (namespaces === undefined || namespaces.includes(namespace)) queue.add(keyOf({ namespace, name }));
  };
  const lookAtOwner = ({ metadata: { namespace, ownerReferences = [] } }: StatefulSet): void => {
    const owner = ownerReferences.find(({ kind, controller }) => kind === MYSQL_CLUSTERS.kind && controller === true);
    const cluster = owner && clusters.get({ namespace, name: owner.name });
    if (cluster !== undefined) look(cluster);
  };
  clusters.addHandler({ added: look, updated: (_, cluster) => look(cluster) });
  sets.addHandler({ added: lookAtOwner, updated: (_, set) => lookAtOwner(set), deleted: lookAtOwner });

  async function reconcile(key: string): Promise<undefined> {
    const cluster = clusters.get(refOfKey(key));
    if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return;
    const { namespace, name, uid } = cluster.metadata;
    let set = sets.get({ namespace, name: setNameOf(name) });
    const isNew = !known.has(uid) && !hadSet(cluster);
    const mayWrite = !isStopped(cluster) && (set !== undefined || recreates || isNew);
    if (mayWrite) set = await applySet(client, desiredSet(cluster, set), set, signal);
    if (set !== undefined) known.add(uid);
    await tell(client, cluster, conditionsOf(cluster, set, timers.now()), signal);
  }

  return { informers: [clusters, sets], reconcile };
}

/** By force: what others have written into its fields is taken back. Of a set that has changed meanwhile, not a thing is known. */
function applySet(
  client: KubeClient,
  set: StatefulSet,
  live: StatefulSet | undefined,
  signal: AbortSignal,
): Promise<StatefulSet> {
  const body = live === undefined ? set : withPrecondition({ ...set }, live);
  return client.patch(
    STATEFUL_SETS,
    refOf(set),
    { type: "apply", body, force: true },
    { fieldManager: OPERATOR_MANAGER },
    signal,
  );
}

/** Only where something has changed, and only on top of what was looked at: two moments would otherwise take turns for ever. */
async function tell(
  client: KubeClient,
  cluster: MySQLCluster,
  conditions: readonly Condition[],
  signal: AbortSignal,
): Promise<void> {
  const told = cluster.status?.conditions ?? [];
  if (conditions.every((next) => told.some((old) => semanticallyEqual(old, next)))) return;
  const { kind } = MYSQL_CLUSTERS;
  const apply = { apiVersion: apiVersionOf(MYSQL_CLUSTERS), kind, metadata: refOf(cluster), status: { conditions } };
  const body = withPrecondition(apply, cluster);
  const options = { subresource: "status", fieldManager: OPERATOR_MANAGER };
  await client.patch(MYSQL_CLUSTERS, refOf(cluster), { type: "apply", body, force: true }, options, signal);
}
