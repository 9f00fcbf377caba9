/** Takes a wish out of a record when nobody stands behind it any more: its source, its kind or its resource is gone, or was paused. */
import { type KubeClient, type Logger, type Outcome, refOfKey } from "../../kube/index.ts";
import type { SharedView, VolumeExpansion } from "../../statefulset/index.ts";
import { withdraw } from "../apply/ask-set.ts";
import { isPaused } from "../decide/paused.ts";
import type { Followers } from "./followers.ts";
import type { Sources } from "./sources.ts";

export interface WithdrawLoopOptions {
  readonly client: KubeClient;
  /** Ends the calls that are under way. */
  readonly giveUp: AbortSignal;
  readonly view: Pick<SharedView, "record" | "observeRecord">;
  readonly sources: Sources;
  readonly followers: Pick<Followers, "ofSet">;
  readonly logger: Logger;
}

const SOON = 200;

export function createWithdrawLoop({ client, giveUp, view, sources, followers, logger }: WithdrawLoopOptions) {
  return async function check(key: string): Promise<Outcome> {
    const record = view.record(key);
    if (record?.spec.wishedBy === undefined || standsBehind(key, record.spec.wishedBy) !== false) return undefined;
    logger.info({ set: key, by: record.spec.wishedBy }, "nobody asks for these sizes any more");
    const written = await withdraw(client, record, giveUp);
    if (written === "lost") return { after: SOON };
    view.observeRecord(written, record.metadata.resourceVersion ?? "");
    return undefined;
  };

  /** Undefined: not known yet, and news will come. */
  function standsBehind(
    key: string,
    { source, kind, name }: NonNullable<VolumeExpansion["spec"]["wishedBy"]>,
  ): boolean | undefined {
    // Its operator says the sizes itself.
    if (source === undefined) return true;
    const followed = sources.get(source);
    if (followed === undefined) return sources.isComplete ? false : undefined;
    const { watch, states, conflicts } = followed;
    const { spec } = followed.source;
    if (watch === undefined) return undefined;
    if (spec.grownBy === "Operator" || spec.resource.kind !== kind) return false;
    const { namespace } = refOfKey(key);
    const resource = watch.get({ namespace, name });
    if (resource === undefined) return watch.isComplete ? false : undefined;
    if (resource.metadata.deletionTimestamp !== undefined || isPaused(spec, resource)) return false;
    const place = `${namespace}/${name}`;
    // Before the resource was looked at, nobody knows which sets it names.
    if (!states.has(place)) return undefined;
    const isRefused = conflicts.get(place)?.some(({ follower }) => follower === `StatefulSet ${key}`) === true;
    return followers.ofSet(key).includes(`${source}/${place}`) && !isRefused;
  }
}
