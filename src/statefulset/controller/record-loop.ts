/**
 * The third loop: the record says how far the other two are. It only tells; nothing is decided by whether it was told.
 * It is written at most once a second and set, whatever happens in between.
 */
import { Quantity } from "../../core/quantity.ts";
import { semanticallyEqual } from "../../core/semantic-equal.ts";
import { type KubeClient, type Outcome, refOfKey, type Timers } from "../../kube/index.ts";
import type { GrowthEvents } from "../apply/events.ts";
import { readSet } from "../apply/read-fresh.ts";
import { claimsOfRecord, deleteRecord, isMadeByUs, writeSpec, writeStatus } from "../apply/record.ts";
import { type Progress, summarize } from "../decide/record.ts";
import { rolloutStep } from "../decide/rollout.ts";
import { asking } from "../decide/wish-of.ts";
import type { VolumeExpansion, VolumeExpansionStatus } from "../types.ts";
import type { Memory, Notes } from "./memory.ts";
import type { GrowthMetrics } from "./metrics.ts";
import type { Observed } from "./observe.ts";
import type { View } from "./view.ts";

export interface RecordLoopOptions {
  readonly client: KubeClient;
  /** Ends the calls that are under way. */
  readonly giveUp: AbortSignal;
  readonly view: Pick<View, "observeRecord">;
  readonly memory: Memory;
  readonly observe: (key: string) => Observed;
  readonly events: GrowthEvents;
  readonly metrics: GrowthMetrics;
  /** Told after each look what the record says then. */
  readonly onLook: ((record: VolumeExpansion) => void) | undefined;
  readonly timers: Timers;
}

/** Between two writes of one record, in milliseconds. */
const WRITE_EVERY = 1_000;
const SOON = 200;
/** A record of ours is removed when its set has been gone for so long, in milliseconds: whoever re-creates it has time to. */
const KEEP_WITHOUT_SET = 60_000;

export function createRecordLoop(options: RecordLoopOptions) {
  const { client, giveUp, view, memory, observe, events, metrics, onLook = () => {}, timers } = options;

  return async function report(key: string): Promise<Outcome> {
    const seen = observe(key);
    const { record, subject, set } = seen;
    const notes = memory.of(key);
    if (record === undefined) {
      if (set === undefined) memory.forget(key);
      return undefined;
    }
    if (subject !== undefined) notes.missingSince = undefined;
    // While a custom resource wants something of a set, its operator will make one.
    else if (isMadeByUs(record) && record.spec.wishedBy === undefined) return removeWithoutSet(key, notes);

    const wait = notes.writtenAt === undefined ? 0 : notes.writtenAt + WRITE_EVERY - timers.elapsed();
    if (wait > 0) return { after: wait };
    const claims = claimsOfRecord(seen.growth?.desired ?? []);
    const isTold = record.spec.wishedBy !== undefined || semanticallyEqual(record.spec.claims, claims);
    if (seen.growth !== undefined && claims.length > 0 && !isTold) {
      notes.writtenAt = timers.elapsed();
      const written = await writeSpec(client, record, claims, giveUp);
      if (written !== "lost") view.observeRecord(written, record.metadata.resourceVersion ?? "");
      return { after: written === "lost" ? SOON : WRITE_EVERY };
    }
    const { generation = 0 } = record.metadata;
    const status = summarize(progressOf(seen, notes), record.status, generation, timers.now());
    if (status === record.status) {
      tell(record, seen, notes);
      onLook(record);
      return undefined;
    }
    notes.writtenAt = timers.elapsed();
    for (const listener of ["record", "set"] as const) {
      if (!notes.unheard.has(listener)) notes.unheard.set(listener, record.status);
    }
    const written = await writeStatus(client, record, status, giveUp);
    if (written === "lost") return { after: SOON };
    view.observeRecord(written, record.metadata.resourceVersion ?? "");
    tell(written, seen, notes);
    count(record.status, status);
    onLook(written);
    return undefined;
  };

  /**
   * Once it is written, also when the answer to that was lost. A set that is being re-created hears of it when it is back:
   * an event about the one that was there before is not shown with the new one.
   */
  function tell(record: VolumeExpansion, { set, subject }: Observed, { unheard }: Notes): void {
    if (unheard.has("record")) events.told({ record }, record.status, unheard.get("record"));
    unheard.delete("record");
    if (set === undefined && subject !== undefined) return;
    if (set !== undefined && unheard.has("set")) events.told({ set }, record.status, unheard.get("set"));
    unheard.delete("set");
  }

  /** Nobody made it but us, and what it tells of is gone. */
  async function removeWithoutSet(key: string, notes: Notes): Promise<Outcome> {
    notes.missingSince ??= timers.elapsed();
    const wait = notes.missingSince + KEEP_WITHOUT_SET - timers.elapsed();
    if (wait > 0) return { after: wait };
    const { record, set } = await readSet(client, refOfKey(key), giveUp);
    if (set === undefined && record !== undefined && record.status?.savedStatefulSet === undefined) {
      await deleteRecord(client, record, giveUp);
    }
    return undefined;
  }

  function count(before: VolumeExpansionStatus | undefined, after: VolumeExpansionStatus): void {
    const known = new Map((before?.claims ?? []).map((row) => [row.name, row.state]));
    for (const { name, from, capacity, state } of after.claims ?? []) {
      if (state !== "Done" || known.get(name) === undefined || known.get(name) === "Done") continue;
      const added = (Quantity.tryParse(capacity) ?? Quantity.zero).minus(Quantity.tryParse(from) ?? Quantity.zero);
      if (added.moreThan(Quantity.zero)) metrics.added(Number(added.toBytes()));
    }
    const [was, is] = [before, after].map((status) => status?.conditions?.find(({ type }) => type === "Ready"));
    if (was?.status === "False" && is?.status === "True") {
      const begun = Date.parse(was.lastTransitionTime ?? "");
      if (!Number.isNaN(begun)) metrics.grown(Math.max(0, timers.now() - begun) / 1000);
    }
  }
}

/** What the record is to tell. What was decided on a fresh read of the same version is better than what a cache says. */
function progressOf(seen: Observed, notes: Notes): Progress {
  return { ...progressOfSet(seen, notes), asks: asking(seen.record) };
}

function progressOfSet({ set, record, subject, growth, following }: Observed, notes: Notes): Progress {
  if (subject === undefined || growth === undefined) return withoutSet(record);
  const { looked, problem, evictionProblem } = notes;
  const { way, step } =
    looked !== undefined && looked.version === set?.metadata.resourceVersion ? looked.following : following;
  const { plans, rollout, refusals, restart } = growth;
  const restarting =
    restart.kind === "evict"
      ? [`${restart.pod.metadata.name}${evictionProblem === undefined ? "" : ` (not yet: ${evictionProblem})`}`]
      : restart.kind === "wait"
        ? [`${restart.pod} (${restart.reason})`]
        : restart.kind === "let-go"
          ? restart.pods.map(({ metadata }) => metadata.name)
          : [];
  const recreation =
    problem === undefined || step.kind === "nothing"
      ? step
      : ({ kind: "wait", reason: `${problem}; tried again`, lookAgain: { on: "set" } } as const);
  return { plans, rollout, way, recreation, refusals, restarting };
}

function withoutSet(record: VolumeExpansion | undefined): Progress {
  const name = record?.spec.statefulSetName ?? "";
  return {
    plans: [],
    rollout: rolloutStep([]),
    way: undefined,
    recreation: { kind: "nothing" },
    refusals: [`there is no StatefulSet ${name}; the record waits for it, or can be deleted`],
    restarting: [],
  };
}
