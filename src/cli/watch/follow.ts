/** Everything that grows, judged anew at each change. */
import type { KubeObject } from "../../core/types.ts";
import {
  CLAIMS,
  type Informer,
  type Resource,
  STATEFUL_SETS,
  settledOrAborted,
  settlesWithin,
  sleep,
  startInformer,
  systemTimers,
  withoutManagedFields,
} from "../../kube/index.ts";
import { VOLUME_EXPANSIONS } from "../../statefulset/resource.ts";
import type { Connection } from "../cluster/connect.ts";
import { judgeCustom } from "../custom/judge-custom.ts";
import { type Custom, customOf } from "../custom/read-custom.ts";
import { judge } from "../status/judge.ts";
import { takePicture } from "../status/picture.ts";
import type { StatusReport } from "../status/report.ts";

/** Changes that come close together are told as one. */
const TOGETHER_MS = 100;
/** Without any change it is told again after this long: time itself may have ended something. */
const AT_LEAST_EVERY_MS = 5_000;

/**
 * Reports until the signal is aborted; the first as soon as everything is read. With a custom resource they are about what follows
 * it, by what it says at each moment; a report without it says that it is gone.
 */
export async function* follow(
  connection: Connection,
  namespace: string | undefined,
  custom: Custom | undefined,
  signal: AbortSignal,
): AsyncGenerator<StatusReport, void, undefined> {
  const { client } = connection;
  // What may not be listed may not be watched either, and would be tried for ever.
  const { picture, notRead } = await takePicture(connection, namespace);
  await using informers = new AsyncDisposableStack();
  let changed = Promise.withResolvers<void>();
  const tell = (): void => changed.resolve();
  const start = <T extends KubeObject>(resource: Resource<T>, fieldSelector?: string): Informer<T> => {
    const trim = withoutManagedFields<T>;
    const informer = startInformer({ client, resource, namespace, fieldSelector, trim }, signal);
    informers.defer(() => informer.stop());
    informer.addHandler({ added: tell, updated: tell, deleted: tell });
    return informer;
  };
  const claims = start(CLAIMS);
  const sets = notRead.includes(STATEFUL_SETS.plural) ? undefined : start(STATEFUL_SETS);
  const records = picture.records === undefined ? undefined : start(VOLUME_EXPANSIONS);
  const resource = custom && start(custom.resource, `metadata.name=${custom.target.name}`);
  await settledOrAborted(Promise.all([claims.synced, sets?.synced, records?.synced, resource?.synced]), signal);
  while (!signal.aborted) {
    changed = Promise.withResolvers<void>();
    const now = {
      ...picture,
      claims: [...claims.values()],
      sets: [...(sets?.values() ?? [])],
      records: records && [...records.values()],
    };
    const object = custom && resource?.get(custom.target);
    if (custom === undefined) yield { items: judge(now), notRead };
    else if (object === undefined) yield { items: [], notRead };
    else yield { ...judgeCustom(customOf(custom.sources, object), now), notRead };
    await settlesWithin(systemTimers, AT_LEAST_EVERY_MS, settledOrAborted(changed.promise, signal));
    await sleep(systemTimers, TOGETHER_MS, signal).catch(() => {});
  }
}
